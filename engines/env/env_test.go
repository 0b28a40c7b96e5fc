package env_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/env"
)

// answer is what a test reads of an answer.
type answer struct {
	Error        string
	ToMove       []int `json:"to_move"`
	Rewards      [][2]int
	Legal        [][]int
	Position     []string
	Observations [][]float64
	Extras       [][]float64
	Values       []*struct{ Value, Plies int }
}

// talk sends requests and returns the answers.
func talk(t *testing.T, g *engines.Game, requests ...string) []answer {
	t.Helper()
	var out bytes.Buffer
	must.Do(t, env.NewServer(g).Serve(t.Context(), strings.NewReader(strings.Join(requests, "\n")), &out))
	var all []answer
	for line := range strings.Lines(out.String()) {
		var a answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, a)
	}
	return all
}

// TestConversation: what each request does, in classic, where everything is known.
func TestConversation(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	a := talk(
		t,
		g,
		`{"do":"reset","games":2}`,
		`{"do":"step","actions":[4,0]}`,
		`{"do":"step","actions":[0,0]}`, // a1 is taken in game 1
		`{"do":"step","index":[1],"moves":["b2"]}`,                    // game 1: a1 b2
		`{"do":"observe","index":[1]}`,                                // X to move, X on a1, O on b2
		`{"do":"value"}`,                                              // both a draw with best play
		`{"do":"undo","index":[0]}`,                                   // game 0 is at the start
		`{"do":"reset","games":1,"moves":["a1","a2","b1","b2","c1"]}`, // won by X
		`{"do":"step","actions":[8]}`,
		`{"do":"step","actions":[-1],"reset":true}`,
		`{"do":"state"}`,
		`{"do":"jump"}`,
		`no`,
		`{"do":"state","index":[1]}`,
		`{"do":"step","actions":[1,2]}`,
		`{"do":"reset","games":-1}`,
		`{"do":"undo"}`,
		`{"do":"observe","as":"smell"}`,
		`{"do":"quit"}`,
		`{"do":"info"}`,
	)
	if len(a) != 18 {
		t.Fatalf("%d answers", len(a))
	}
	expect := func(i int, what string, got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("answer %d, %s: %v, want %v", i, what, got, want)
		}
	}
	expect(0, "to move", a[0].ToMove, []int{0, 0})
	expect(1, "legal", a[1].Legal, [][]int{{0, 1, 2, 3, 5, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8}})
	expect(2, "error", strings.HasPrefix(a[2].Error, "game 1: action 0 is not legal in X"), true)
	expect(3, "to move", a[3].ToMove, []int{0})
	expect(4, "planes", a[4].Observations, [][]float64{{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}})
	expect(4, "extras", a[4].Extras, [][]float64{{0, 1, 2}})
	expect(5, "values", [2]int{a[5].Values[0].Value, a[5].Values[1].Value}, [2]int{0, 0})
	expect(6, "legal", a[6].Legal, [][]int{{0, 1, 2, 3, 4, 5, 6, 7, 8}})
	expect(7, "over", a[7].ToMove, []int{-1})
	expect(7, "rewards", a[7].Rewards, [][2]int{{1, -1}})
	expect(7, "legal", a[7].Legal, [][]int{{}})
	expect(8, "error", a[8].Error, "game 0 is over (result: first, reason: line)")
	expect(9, "over", a[9].ToMove, []int{-1})
	expect(10, "begins anew where reset began", a[10].Rewards, [][2]int{{1, -1}})
	for i, want := range []string{
		`do "jump"`, "not a request", "index 1: the batch has games 0 to 0",
		"2 actions or moves, expected 1", "games -1", "", `as "smell"`,
	} {
		if got := a[11+i].Error; !strings.Contains(got, want) {
			t.Errorf("answer %d: %q, want %q", 11+i, got, want)
		}
	}
}

// TestActions: legal numbers ascend, and stepping by number plays what stepping by name plays.
func TestActions(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"classic", "infiltration", "ctor", "checkerboard", "vanishing", "order-and-chaos",
		"nine-mens-morris", "ataxx",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := enginetest.Load(t, name)
			c := env.NewCoder(g)
			rng := rand.New(rand.NewPCG(1, 2))
			p := g.NewPosition()
			var actions, moves []string
			for len(moves) < 80 && !p.Over() {
				legal := p.AppendMoves(nil)
				m := legal[rng.IntN(len(legal))]
				actions = append(actions, fmt.Sprintf(`{"do":"step","actions":[%d]}`, c.Action(m)))
				moves = append(moves, fmt.Sprintf(`{"do":"step","moves":[%q]}`, g.MoveText(m)))
				p.Play(m)
			}
			a := talk(t, g, append(actions, `{"do":"state"}`)...)
			b := talk(t, g, append(moves, `{"do":"state"}`)...)
			if x, y := a[len(a)-1].Position[0], b[len(b)-1].Position[0]; x != p.Text() || y != p.Text() {
				t.Errorf("by number %s, by name %s, want %s", x, y, p.Text())
			}
			for _, answer := range a {
				for i, n := range answer.Legal[0] {
					if n >= c.Actions() || i > 0 && n <= answer.Legal[0][i-1] {
						t.Fatalf("legal numbers %v of %d", answer.Legal[0], c.Actions())
					}
				}
			}
		})
	}
}

// TestObservers: a side that is not to move sees its own pieces first, and its own hand.
func TestObservers(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "nine-mens-morris")
	a := talk(t, g, `{"do":"step","moves":["a1"]}`, `{"do":"observe"}`, `{"do":"observe","side":1}`,
		`{"do":"observe","side":0}`, `{"do":"observe","side":2}`)
	own := func(i int) (n float64) {
		for _, x := range a[i].Observations[0][:49] {
			n += x
		}
		return n
	}
	if own(1) != 0 || own(2) != 0 || own(3) != 1 || a[3].Observations[0][0] != 1 ||
		!strings.Contains(a[4].Error, "side 2") {
		t.Errorf("pieces %v %v %v, %q", own(1), own(2), own(3), a[4].Error)
	}
	extras := "[second_to_move placements_left ply own_hand enemy_hand moving taking]"
	if got := fmt.Sprint(env.Extras(g), a[2].Extras, a[3].Extras); got != extras+" [[1 1 1 9 8 0 0]] [[1 1 1 8 9 0 0]]" {
		t.Error(got)
	}
}

// TestShapes: every plane that info names has a number for each cell, every extra has one number.
func TestShapes(t *testing.T) {
	t.Parallel()
	settings := map[string][]string{
		"hex5":      {"turn.pie=seats"},
		"alquerque": nil,
		"vanishing": nil,
		"pente":     nil,
		"reversi":   nil,
	}
	for name, set := range settings {
		g := enginetest.Load(t, name, set...)
		a := talk(t, g, `{"do":"observe"}`)
		planes, extras := len(a[0].Observations[0]), len(a[0].Extras[0])
		if planes != len(env.Planes(g))*g.Cells() || extras != len(env.Extras(g)) {
			t.Errorf("%s: %d numbers in planes %v, %d in %v", name, planes, env.Planes(g), extras, env.Extras(g))
		}
	}
}

// TestUndo: a move taken back leaves the position that was there, whatever it removed.
func TestUndo(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"vanishing", "ctor", "infiltration"} {
		g := enginetest.Load(t, name)
		a := talk(t, g, `{"do":"random","plies":9}`, `{"do":"state"}`, `{"do":"random","plies":1}`, `{"do":"undo"}`,
			`{"do":"state"}`)
		if a[1].Position[0] != a[4].Position[0] {
			t.Errorf("%s: %s after a move and back, %s before", name, a[4].Position[0], a[1].Position[0])
		}
	}
}
