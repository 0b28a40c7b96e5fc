package solve

import (
	"maps"
	"slices"

	"spar/engines"
)

// Stats holds statistics of a solved game. A state is an ongoing position that any sequence of legal moves can reach.
// Unless a field says otherwise, symmetric images count separately.
type Stats struct {
	Root     Value     `json:"root"` // value of the start, for the first player
	Openings []Opening `json:"openings"`
	States   uint64    `json:"states"`
	Reduced  uint64    `json:"reduced"` // number of states up to the symmetries of the board
	Classes  uint64    `json:"classes"` // states up to symmetry and exchange of colours: the entries of the table
	Split
	BySide    [2]Split       `json:"by_side"` // states by the side to move
	MaxDTW    int            `json:"max_dtw"`
	Wins      map[int]uint64 `json:"wins"`   // numbers of won positions, by distance to the end
	Losses    map[int]uint64 `json:"losses"` // numbers of lost positions, by distance to the end
	PeakBytes int64          `json:"-"`      // estimated peak memory for solving; 0 for a table from a file
}

// Split holds the numbers of states by value for the side to move.
type Split struct {
	Win  uint64 `json:"win"`
	Loss uint64 `json:"loss"`
	Draw uint64 `json:"draw"`
}

func (s *Split) add(o Outcome, n uint64) {
	switch o {
	case Win:
		s.Win += n
	case Loss:
		s.Loss += n
	default:
		s.Draw += n
	}
}

// Opening is a first move with its value for the first player; the distance includes the move.
type Opening struct {
	Move string `json:"move"`
	Value
}

// Winner returns who wins from the start: first, second or draw.
func (s *Stats) Winner() string {
	switch s.Root.Outcome {
	case Win:
		return engines.FirstWins.String()
	case Loss:
		return engines.SecondWins.String()
	}
	return engines.Drawn.String()
}

func (s Stats) clone() Stats {
	s.Openings = slices.Clone(s.Openings)
	s.Wins, s.Losses = maps.Clone(s.Wins), maps.Clone(s.Losses)
	return s
}

func (t *Table) collect(tallies []tally) Stats {
	s := Stats{Wins: map[int]uint64{}, Losses: map[int]uint64{}}
	for i := range tallies {
		c := &tallies[i]
		s.Classes += c.classes
		s.Reduced += c.reduced
		for side, counts := range c.value {
			for v, n := range counts {
				if n == 0 {
					continue
				}
				value := t.valueOf(uint16(v), side)
				s.States += n
				s.Split.add(value.Outcome, n)
				s.BySide[side].add(value.Outcome, n)
				s.MaxDTW = max(s.MaxDTW, value.DTW)
				switch value.Outcome {
				case Win:
					s.Wins[value.DTW] += n
				case Loss:
					s.Losses[value.DTW] += n
				}
			}
		}
	}
	start := t.g.NewState()
	s.Root, _ = t.Lookup(&start)
	for _, r := range t.Moves(&start) {
		s.Openings = append(s.Openings, Opening{t.g.MoveText(r.Move), r.Value})
	}
	return s
}
