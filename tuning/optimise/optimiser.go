package optimise

import (
	"errors"
	"fmt"
	"math"
)

// Errors that callers can test for with errors.Is.
var (
	ErrProblem = errors.New("bad tuning problem") // invalid parameters, games or options
	ErrOutcome = errors.New("bad outcome")        // an outcome that belongs to no requested candidate
)

// Optimiser is an ask/tell search. Implementations are not safe for concurrent use.
type Optimiser interface {
	// Ask returns the candidates of the current step that have no outcome
	// yet. It changes nothing: asking twice gives the same. After the last step it
	// returns nil.
	Ask() []Candidate
	// Tell takes outcomes in any order and in any number of calls. When the outcomes of a step are complete, it
	// makes the step. It ignores an outcome that it already has, so a log of results can be replayed whole. If it
	// refuses one outcome, it takes none of that call.
	Tell([]Outcome) error
	// Done reports whether the planned games are used up.
	Done() bool
	// Mean is the answer so far, in the caller's units, in the order of the parameters, with integers rounded. It
	// is SPSA's tail average or CMA-ES's mean, and never the candidate with the best score, which was also lucky.
	Mean() []float64
	// Current is where the search is now, in the caller's units, not rounded.
	Current() []float64
	// Games returns the number of games in finished steps, and the planned number.
	Games() (done, planned int)
	// History is the course of Current and Mean, thinned to at most 100 points.
	History() []Point
	// Drift is how far chance alone would move Mean if no parameter had an effect and no game were drawn: the root
	// mean square over parameters, in scale units. A move of this size is no evidence of an improvement.
	Drift() float64
}

// Candidate is a match that the optimiser wants: Pairs openings, each played
// twice with seats swapped, between the parameters Plus and Minus.
type Candidate struct {
	ID int `json:"id"` // 0, 1, 2, ... in the order of requests
	// Opening is the index of the opening of the first pair; pair j plays opening Opening+j. Candidates that are
	// compared with each other have the same openings.
	Opening int       `json:"opening"`
	Pairs   int       `json:"pairs"`
	Plus    []float64 `json:"plus"`
	Minus   []float64 `json:"minus"`
}

// Outcome is the result of a candidate.
type Outcome struct {
	ID    int     `json:"id"`
	Score float64 `json:"score"` // mean score of Plus per game, 0 to 1, where a draw is 1/2
	Games int     `json:"games"` // number of games: twice the requested pairs; CMA-ES accepts more
}

// Point is one entry of a History.
type Point struct {
	Games   int       `json:"games"`
	Score   float64   `json:"score"` // mean score of Plus over the games since the previous point
	Current []float64 `json:"current"`
	Mean    []float64 `json:"mean"`
}

// ledger holds the candidates of the present step and the outcomes that have arrived.
type ledger struct {
	NextID  int // ID of the first candidate of the next step
	Pending []Candidate
	Told    []Outcome // outcomes in the order of Pending; one with Games 0 has not arrived
}

// open starts a step with new candidates.
func (l *ledger) open(c []Candidate) {
	for i := range c {
		c[i].ID = l.NextID + i
	}
	l.NextID += len(c)
	l.Pending, l.Told = c, make([]Outcome, len(c))
}

// ask returns copies of the candidates without an outcome.
func (l *ledger) ask() []Candidate {
	var out []Candidate
	for i, c := range l.Pending {
		if l.Told[i].Games == 0 {
			c.Plus, c.Minus = clone(c.Plus), clone(c.Minus)
			out = append(out, c)
		}
	}
	return out
}

// tell stores all outcomes or none, and reports whether the step is complete.
func (l *ledger) tell(results []Outcome, more bool) (bool, error) {
	first := l.NextID - len(l.Pending)
	told := append([]Outcome(nil), l.Told...)
	for _, r := range results {
		switch {
		case r.ID >= 0 && r.ID < first:
			continue // of an earlier step, already used
		case r.ID < 0 || r.ID >= l.NextID:
			return false, fmt.Errorf("optimise: %w: candidate %d was never requested", ErrOutcome, r.ID)
		case !(r.Score >= 0 && r.Score <= 1):
			return false, fmt.Errorf("optimise: %w: candidate %d: score %v is not between 0 and 1", ErrOutcome, r.ID, r.Score)
		}
		i := r.ID - first
		want := 2 * l.Pending[i].Pairs
		if r.Games != want && (!more || r.Games < want) {
			return false, fmt.Errorf("optimise: %w: candidate %d: %d games, but %d were requested", ErrOutcome, r.ID, r.Games,
				want)
		}
		if told[i].Games != 0 && told[i] != r {
			return false, fmt.Errorf("optimise: %w: candidate %d has two different outcomes", ErrOutcome, r.ID)
		}
		told[i] = r
	}
	l.Told = told
	for _, r := range told {
		if r.Games == 0 {
			return false, nil
		}
	}
	return len(told) > 0, nil
}

// history collects points. It merges neighbours when there are too many.
type history struct {
	Points []Point
	Stride int     // number of steps between two points
	Steps  int     // number of steps since the last point
	Won    float64 // points that Plus has scored since the last point
	Games  int     // number of games since the last point
	Total  int
}

const historyCap = 100

// add records a finished step with its number of games and the points scored in them.
func (h *history) add(points float64, games int, last bool, at func() (current, mean []float64)) {
	if h.Stride == 0 {
		h.Stride = 1
	}
	h.Steps++
	h.Won += points
	h.Games += games
	h.Total += games
	if h.Steps < h.Stride && !last {
		return
	}
	current, mean := at()
	h.Points = append(h.Points, Point{Games: h.Total, Score: h.Won / float64(h.Games), Current: current, Mean: mean})
	h.Steps, h.Won, h.Games = 0, 0, 0
	if len(h.Points) < historyCap {
		return
	}
	from := 0
	for i := 1; i < len(h.Points); i += 2 {
		a, b := h.Points[i-1], h.Points[i]
		ga, gb := float64(a.Games-from), float64(b.Games-a.Games)
		b.Score = (a.Score*ga + b.Score*gb) / (ga + gb)
		from = b.Games
		h.Points[i/2] = b
	}
	h.Points = h.Points[:len(h.Points)/2]
	h.Stride *= 2
}

// copied returns a copy of the points.
func (h *history) copied() []Point {
	out := make([]Point, len(h.Points))
	for i, p := range h.Points {
		p.Current, p.Mean = clone(p.Current), clone(p.Mean)
		out[i] = p
	}
	return out
}

func clone(x []float64) []float64 { return append([]float64(nil), x...) }

// finite reports whether all numbers are finite.
func finite(x ...float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
