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
	NotGood // middling or poor
)

// String returns the word for people: good, middling, poor, undecided, not good, or empty for Plain.
func (s Status) String() string {
	return [...]string{"", "good", "middling", "poor", "undecided", "not good"}[s]
}

// Class returns the word that style sheets use for the status.
func (s Status) Class() string {
	if s == NotGood {
		return Middling.String()
	}
	return s.String()
}

// ParseStatus returns the status for a word that String returned. Other words give Plain.
func ParseStatus(word string) Status {
	for s := Good; s <= NotGood; s++ {
		if s.String() == word {
			return s
		}
	}
	return Plain
}
