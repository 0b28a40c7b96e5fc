package table

// Status is the rating of a number by its threshold. It is always shown as a word and a shape, never only as a
// colour.
type Status int

// The statuses. Plain is for a number without a threshold.
const (
	Plain Status = iota
	Good
	Middling
	Poor
	Undecided
)

// String returns the word for people: good, middling, poor, undecided, or empty for Plain.
func (s Status) String() string {
	return [...]string{"", "good", "middling", "poor", "undecided"}[s]
}

// ParseStatus returns the status for a word that String returned. Other words give Plain.
func ParseStatus(word string) Status {
	for s := Good; s <= Undecided; s++ {
		if s.String() == word {
			return s
		}
	}
	return Plain
}
