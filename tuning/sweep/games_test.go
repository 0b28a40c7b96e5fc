package sweep

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"

	"spar/arena/balance"
	"spar/arena/study"
)

// Of the games of a variant those of the events to keep are read, until the reader has enough or the study fails: what comes after
// is not asked for.
func TestGamesOfTheEventsToKeep(t *testing.T) {
	t.Parallel()
	broken := errors.New("the file is damaged")
	for _, c := range []struct {
		name   string
		events []int64 // of the games in their order; 0 = the study fails there
		enough int     // games that the reader takes
		want   []string
		asked  int // games of the study that were looked at
	}{
		{"all", []int64{1, 3, 1}, 9, []string{"game 0", "game 1", "game 2"}, 3},
		{"others are left out", []int64{2, 1, 4, 3, 2}, 9, []string{"game 1", "game 3"}, 5},
		{"none", []int64{2, 2}, 9, nil, 2},
		{"the reader has enough", []int64{2, 1, 3, 1}, 1, []string{"game 1"}, 2},
		{"the study fails", []int64{2, 1, 0, 3}, 9, []string{"game 1", "the file is damaged"}, 3},
		{"the study fails at once", []int64{0, 1, 3}, 9, []string{"the file is damaged"}, 1},
	} {
		asked := 0
		all := func(context.Context) iter.Seq2[*balance.Game, error] {
			return func(yield func(*balance.Game, error) bool) {
				for i, e := range c.events {
					asked++
					g, err := &balance.Game{Game: study.Game{ID: int64(i), Event: e}}, error(nil)
					if e == 0 {
						g, err = nil, broken
					}
					if !yield(g, err) {
						return
					}
				}
			}
		}
		var got []string
		for g, err := range gamesOf(all, map[int64]bool{1: true, 3: true})(t.Context()) {
			if err != nil {
				got = append(got, err.Error())
			} else {
				got = append(got, fmt.Sprintf("game %d", g.ID))
			}
			if len(got) == c.enough {
				break
			}
		}
		if !slices.Equal(got, c.want) || asked != c.asked {
			t.Errorf("%s: %q, %d looked at, want %q and %d", c.name, got, asked, c.want, c.asked)
		}
	}
}
