package table

// Status is the rating of a number by its threshold. It is always shown as a word and a shape, never only as a
// colour.
type Status int

// The statuses. Plain is a number without a threshold.
const (
	Plain Status = iota
	Good
	Middling
	Poor
	Undecided
)

// String returns the word for people: good, middling, poor, undecided, or an empty text.
func (s Status) String() string {
	return [...]string{"", "good", "middling", "poor", "undecided"}[s]
}

// ParseStatus returns the status of a word as String writes it; other words are Plain.
func ParseStatus(word string) Status {
	for s := Good; s <= Undecided; s++ {
		if s.String() == word {
			return s
		}
	}
	return Plain
}
