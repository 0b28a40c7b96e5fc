package sources

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
)

func player(t testing.TB, level string, g *engines.Game) *Player {
	t.Helper()
	p := must.Get(New(level, g))(t)
	return p
}

// decision is a position and what a level of an original program may play in it. The move lists of testdata start from
// the empty board; set holds the knobs that differ from the shipped game.
type decision struct {
	ID         string             `json:"id"`
	Rules      string             `json:"rules"`
	Set        map[string]any     `json:"set"`
	Moves      []string           `json:"moves"`
	Level      string             `json:"level"`
	Best       []string           `json:"best"`
	Eval       *float64           `json:"eval"`
	Reason     string             `json:"reason"`
	Candidates []string           `json:"candidates"`
	Scores     map[string]float64 `json:"scores"`
}

func readLines[T any](t testing.TB, file string) []T {
	t.Helper()
	f := must.Get(os.Open(file))(t)
	defer f.Close()
	z := must.Get(gzip.NewReader(f))(t)
	var out []T
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v T
		must.Do(t, json.Unmarshal(lines.Bytes(), &v))
		out = append(out, v)
	}
	must.Do(t, lines.Err())
	return out
}

// position replays the moves of a record.
func (d *decision) position(t testing.TB, g *engines.Game) *engines.Position {
	t.Helper()
	p := g.NewPosition()
	if err := p.PlayText(d.Moves); err != nil {
		t.Fatalf("%s: %v", d.ID, err)
	}
	return p
}

// Every level chooses as the original does in every recorded position: the same move, or the same set, with the same
// value.
func TestGoldenLevels(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"levels_3x3", "levels_checkerboard", "levels_ctor"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			records := map[string]int{}
			agree := map[string]int{}
			games := map[string]*engines.Game{}
			for _, d := range readLines[decision](t, "testdata/"+file+".jsonl.gz") {
				level := d.Rules + "/" + d.Level
				records[level]++
				game := fmt.Sprint(d.Rules, d.Set)
				if games[game] == nil {
					games[game] = enginetest.Load(t, d.Rules, rules.Overrides(d.Set)...)
				}
				if checkDecision(t, games[game], level, &d) {
					agree[level]++
				}
			}
			for _, level := range Levels() {
				if records[level] > 0 {
					t.Logf("%s: %d of %d agree", level, agree[level], records[level])
				}
			}
		})
	}
}

func checkDecision(t *testing.T, g *engines.Game, level string, d *decision) bool {
	p := d.position(t, g)
	pl := player(t, level, g)
	c := pl.Choose(&p.State)
	if got := g.MoveTexts(c.Moves); !slices.Equal(got, d.Best) {
		t.Errorf("%s, %s in %s: %v, want %v", d.ID, level, p.Text(), got, d.Best)
		return false
	}
	if c.Weights != nil {
		t.Errorf("%s, %s: weights %v where the original draws uniformly", d.ID, level, c.Weights)
		return false
	}
	if d.Eval != nil && math.Abs(c.Value-*d.Eval) > 1e-9 {
		t.Errorf("%s, %s in %s: value %v, want %v", d.ID, level, p.Text(), c.Value, *d.Eval)
		return false
	}
	if len(d.Scores) > 0 {
		return checkScores(t, pl.source.(*checkerboard), p, d)
	}
	return true
}

// checkScores compares the exact value of every root move, for hard of its candidates.
func checkScores(t *testing.T, b *checkerboard, p *engines.Position, d *decision) bool {
	g, legal := p.Game(), p.AppendMoves(nil)
	if len(d.Candidates) > 0 {
		legal = b.candidates(legal)
		var names []string
		for _, m := range legal {
			names = append(names, g.MoveText(m))
		}
		if !slices.Equal(names, d.Candidates) {
			t.Errorf("%s in %s: candidates %v, want %v", d.ID, p.Text(), names, d.Candidates)
			return false
		}
	}
	for _, m := range legal {
		want, ok := d.Scores[g.MoveText(m)]
		if got := float64(b.search.after(0, m, -infinite, infinite)) / 2; got != want || !ok {
			t.Errorf("%s in %s: %s is worth %v, want %v", d.ID, p.Text(), g.MoveText(m), got, want)
			return false
		}
	}
	if len(legal) != len(d.Scores) {
		t.Errorf("%s: %d moves valued, want %d", d.ID, len(legal), len(d.Scores))
	}
	return len(legal) == len(d.Scores)
}

// The scores of finished games, as the original's scoreboard shows them.
func TestRollingScores(t *testing.T) {
	t.Parallel()
	type scored struct {
		ID     string  `json:"id"`
		Level  string  `json:"level"`
		Result string  `json:"result"`
		Plies  int     `json:"plies"`
		Millis float64 `json:"ms"`
		Score  int     `json:"score"`
	}
	for _, r := range readLines[scored](t, "testdata/rolling_scores.jsonl.gz") {
		for human := range 2 {
			result := map[string]engines.Result{
				"win": engines.Winner(human), "loss": engines.Winner(1 - human), "draw": engines.Drawn,
			}[r.Result]
			if got, _ := RollingScore("rolling/"+r.Level, result, human, r.Plies, r.Millis/1000); got != r.Score {
				t.Errorf("%s: score %d, want %d", r.ID, got, r.Score)
			}
		}
	}
	// The table of the rules page; the last is the limit of what can be scored.
	for _, r := range []struct {
		level   string
		result  engines.Result
		plies   int
		seconds float64
		want    int
	}{
		{"beginner", engines.FirstWins, 5, 0, 909},
		{"moderate", engines.FirstWins, 5, 0, 1091},
		{"hard", engines.FirstWins, 5, 0, 1364},
		{"beginner", engines.FirstWins, 12, 0, 806},
		{"beginner", engines.FirstWins, 43, 0.5, 536},
		{"beginner", engines.FirstWins, 34, 0.001, 595},
		{"beginner", engines.FirstWins, 10, 180, 333},
		{"beginner", engines.FirstWins, 8, 192.635, 324},
		{"hard", engines.Drawn, 60, 0, 341},
		{"hard", engines.SecondWins, 6, 26.002, 0},
		{"hard", engines.Ongoing, 6, 26.002, 0},
	} {
		if got, ok := RollingScore("rolling/"+r.level, r.result, engines.First, r.plies, r.seconds); got != r.want ||
			!ok {
			t.Errorf("%s, %s, %d plies, %v s: score %d, want %d", r.level, r.result, r.plies, r.seconds, got, r.want)
		}
	}
}
