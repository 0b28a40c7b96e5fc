package engines_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/configs"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/rules"
)

// load compiles a shipped game with overrides.
func load(t testing.TB, name string, set map[string]any) *engines.Game {
	t.Helper()
	file, data := must.Get2(configs.Read(configs.Games, name))(t)
	g := must.Get(engines.Load(file, data, rules.Overrides(set)...))(t)
	return g
}

// record is a game of an original program; see the comments in testdata/golden/README.md.
type record struct {
	ID     string         `json:"id"`
	Rules  string         `json:"rules"`
	Set    map[string]any `json:"set"`
	Start  *startPosition `json:"start"`
	Moves  []string       `json:"moves"`
	Legal  []int          `json:"legal"`
	Movers string         `json:"movers"`
	Result string         `json:"result"`
	Reason string         `json:"reason"`
	Board  []string       `json:"board"`
	Plies  int            `json:"plies"`
	Hand   []int          `json:"hand"`
	Next   *struct {
		Mover string `json:"mover"`
		Legal int    `json:"legal"`
	} `json:"next"`
	Illegal []struct {
		Ply  int    `json:"ply"`
		Move string `json:"move"`
	} `json:"illegal"`
}

type startPosition struct {
	Board []string `json:"board"`
	Mover string   `json:"mover"`
	Hand  []int    `json:"hand"`
}

func readRecords(t testing.TB, file string) []record {
	t.Helper()
	f := must.Get(os.Open(file))(t)
	defer f.Close()
	z := must.Get(gzip.NewReader(f))(t)
	var out []record
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r record
		must.Do(t, json.Unmarshal(lines.Bytes(), &r))
		out = append(out, r)
	}
	must.Do(t, lines.Err())
	return out
}

// The games of the original programs replay exactly: the same legal-move count before every ply, the same movers, and
// the same board, result and reason at the end.
func TestGoldenGames(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/golden/*.jsonl.gz")
	if err != nil || len(files) < 10 {
		t.Fatalf("golden files: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl.gz"), func(t *testing.T) {
			t.Parallel()
			games := map[string]*engines.Game{}
			for _, r := range readRecords(t, file) {
				key := fmt.Sprint(r.Rules, r.Set)
				if games[key] == nil {
					games[key] = load(t, r.Rules, r.Set)
				}
				replayRecord(t, games[key], r)
			}
		})
	}
}

func replayRecord(t *testing.T, g *engines.Game, r record) {
	p := g.NewPosition()
	if r.Start != nil {
		s, err := g.ParseState(
			strings.Join(r.Start.Board, "/") + " " + r.Start.Mover + " 40 phase=move hand=" + join(r.Start.Hand),
		)
		if err != nil {
			t.Fatalf("%s: %v", r.ID, err)
		}
		p = engines.PositionAt(s)
	}
	for i := 0; ; i++ {
		for _, bad := range r.Illegal {
			if bad.Ply != i {
				continue
			}
			if _, err := p.ParseMove(bad.Move); err == nil {
				t.Errorf("%s: %s was accepted before ply %d", r.ID, bad.Move, i)
			}
		}
		if i == len(r.Moves) {
			break
		}
		legal := p.AppendMoves(nil)
		if len(legal) != r.Legal[i] {
			t.Fatalf("%s: %d legal moves before ply %d, want %d: %s", r.ID, len(legal), i, r.Legal[i],
				g.MoveTexts(legal))
		}
		if mover := "XO"[p.Side()]; mover != r.Movers[i] {
			t.Fatalf("%s: %c moves at ply %d, want %c", r.ID, mover, i, r.Movers[i])
		}
		m, err := p.ParseMove(r.Moves[i])
		if err != nil {
			t.Fatalf("%s: %v", r.ID, err)
		}
		p.Play(m)
	}
	if r.Result != p.Result().String() || r.Reason != p.Reason().String() {
		t.Errorf("%s: ended %s %s, want %s %s", r.ID, p.Result(), p.Reason(), r.Result, r.Reason)
	}
	if !slices.Equal(p.Board(), r.Board) {
		t.Errorf("%s: board %q, want %q", r.ID, p.Board(), r.Board)
	}
	if len(r.Hand) == 2 && (p.Hand(0) != r.Hand[0] || p.Hand(1) != r.Hand[1]) {
		t.Errorf("%s: hands %d %d, want %v", r.ID, p.Hand(0), p.Hand(1), r.Hand)
	}
	if r.Next != nil && (r.Next.Mover != "XO"[p.Side():p.Side()+1] || r.Next.Legal != len(p.AppendMoves(nil))) {
		t.Errorf("%s: then %c has %d moves, want %v", r.ID, "XO"[p.Side()], len(p.AppendMoves(nil)), *r.Next)
	}
}

func join(ns []int) string {
	text, _ := json.Marshal(ns)
	return strings.Trim(string(text), "[]")
}
