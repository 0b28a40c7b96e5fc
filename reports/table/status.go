package table

// Status is what a number says against its threshold. It is always written as a word and a shape, never as colour alone.
type Status int

// The statuses. Plain is a number without a threshold.
const (
	Plain Status = iota
	Good
	Middling
	Poor
	Undecided
)

// String returns the word for people: good, middling, poor, undecided, or nothing.
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
