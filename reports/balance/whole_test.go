package balance

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/arena/campaign"
	"spar/arena/oracle"
	"spar/arena/store"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/ratings"
)

// drawn plays a game of players who see a win in one with some chance and else move at random. The games of a golden
// report must not change with any agent.
func drawn(g *engines.Game, rng *rand.Rand, opening []string, sees [2]float64) *engines.Position {
	p := g.NewPosition()
	if err := p.PlayText(opening); err != nil {
		panic(err) // of a test's own moves
	}
	for !p.Over() {
		legal := p.AppendMoves(nil)
		m := legal[rng.IntN(len(legal))]
		if rng.Float64() < sees[p.Side()] {
			for _, other := range legal {
				q := p.Clone()
				if q.Play(other); q.Result() == engines.Winner(p.Side()) {
					m = other
					break
				}
			}
		}
		p.Play(m)
	}
	return p
}

// wholeStudy is a balance study with all its parts: tiers of four strengths against themselves and their neighbours,
// from openings, with forced first moves, and under other rules; with values of every
// position.
func wholeStudy(t *testing.T, name string, set ...string) (Data, *oracle.Values) {
	g := enginetest.Load(t, name, set...)
	sees := map[string]float64{}
	specs := map[string]Agent{}
	know := func(s agents.Spec, chance float64) string {
		sees[s.Name], specs[s.Name] = chance, Agent{Name: s.Name, Spec: &s, Budget: s.Budget}
		return s.Name
	}
	var tiers []string
	for i, s := range campaign.Tiers([]int64{50, 100, 400}) {
		tiers = append(tiers, know(s, []float64{0, 0.4, 0.7, 0.95}[i]))
	}
	rng := rand.New(rand.NewPCG(17, 4))
	values := &oracle.Values{Name: "by chance", Games: map[int64][]store.PositionValue{}}
	var events []Event
	var games []Game
	begin := func(purpose string, names ...string) int64 {
		events = append(events, event(int64(len(events)+1), purpose, names...))
		return int64(len(events))
	}
	pair := func(event int64, number, opening int, moves []string, a, b string) {
		for seat := range 2 {
			names := [2]string{a, b}
			if seat == 1 {
				names = [2]string{b, a}
			}
			p := drawn(g, rng, moves, [2]float64{sees[names[0]], sees[names[1]]})
			x := Game{First: names[0], Second: names[1]}
			x.ID = int64(len(games) + 1)
			x.Event = event
			x.Number = int64(2*number + seat)
			x.Pair = int64(number)
			x.Opening, x.OpeningPlies = int64(opening), len(moves)
			x.Moves, x.Plies, x.Result, x.Reason = g.JoinMoves(p.Played()), p.Ply(), p.Result().String(), p.Reason().String()
			games = append(games, x)
			if rng.IntN(3) > 0 || len(moves) > 0 {
				continue
			}
			var course []store.PositionValue
			for ply := range p.Ply() {
				v := store.PositionValue{Ply: ply, Side: ply % 2, Value: rng.Float64(), Legal: 1 + rng.IntN(9)}
				v.Again = new(min(1, max(0, v.Value+0.2*(rng.Float64()-0.5))))
				course = append(course, v)
			}
			values.Games[x.ID] = course
		}
	}
	random := func(plies int) []string {
		for {
			p := g.NewPosition()
			for range plies {
				legal := p.AppendMoves(nil)
				p.Play(legal[rng.IntN(len(legal))])
			}
			if !p.Over() {
				return g.MoveTexts(p.Played())
			}
		}
	}
	mirror := begin(campaign.PurposeMirror, tiers...)
	ladder := begin(campaign.PurposeLadder, tiers...)
	opened := begin(campaign.PurposeOpenings, tiers...)
	forced := begin(campaign.PurposeFirstMove, tiers[1])
	for i, name := range tiers {
		for n := range 20 {
			pair(mirror, 20*i+n, 0, nil, name, name)
		}
		for n := range 6 {
			pair(opened, 6*i+n, n, random(2), name, name)
			if i > 0 {
				pair(ladder, 6*i+n, n, random(2), name, tiers[i-1])
			}
		}
	}
	first := campaign.FirstMoves(g)
	for n := range 4 * len(first) {
		pair(forced, n, n%len(first), strings.Fields(first[n%len(first)]), tiers[1], tiers[1])
	}
	return records(g, name, events, specs, games), values
}

// described writes every number of a value, one line for each group of plain ones. Words are left out: they are tested
// where they are made.
func described(out *strings.Builder, at string, v reflect.Value) {
	plain := func(v reflect.Value) (string, bool) {
		if n, ok := v.Interface().(ratings.Estimate); ok {
			limit := func(x float64, open bool) string {
				if open {
					return "open"
				}
				return fmt.Sprintf("%.6g", x)
			}
			if !n.Known() {
				return "none", true
			}
			return fmt.Sprintf("%.6g[%s,%s]%d", n.Value, limit(n.Lo, n.LoOpen), limit(n.Hi, n.HiOpen), n.N), true
		}
		switch v.Kind() {
		case reflect.Float64, reflect.Float32:
			return fmt.Sprintf("%.6g", v.Float()), true
		case reflect.Int, reflect.Int64, reflect.Int32, reflect.Bool, reflect.Uint8:
			return fmt.Sprint(v.Interface()), true
		case reflect.String:
			text := v.String()
			if strings.Contains(text, " ") && len(text) > 30 {
				return "", true
			}
			return text, true
		}
		return "", false
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			described(out, at, v.Elem())
		}
	case reflect.Slice, reflect.Array:
		fmt.Fprintf(out, "%s n=%d\n", at, v.Len())
		for i := range v.Len() {
			described(out, fmt.Sprintf("%s.%d", at, i), v.Index(i))
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, k := range keys {
			described(out, at+"."+k.String(), v.MapIndex(k))
		}
	case reflect.Struct:
		words := []string{"Verdict", "Warning", "Warnings", "Title", "Good", "Middling", "Text", "Missing", "Lights"}
		if text, ok := plain(v); ok {
			fmt.Fprintf(out, "%s %s\n", at, text)
			return
		}
		var line []string
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !slices.Contains(words, f.Name) {
				if text, ok := plain(v.Field(i)); ok {
					line = append(line, f.Name+"="+text)
				}
			}
		}
		fmt.Fprintf(out, "%s %s\n", at, strings.Join(line, " "))
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				if _, ok := plain(v.Field(i)); !ok && !slices.Contains(words, f.Name) {
					described(out, at+"."+f.Name, v.Field(i))
				}
			}
		}
	default:
		if text, ok := plain(v); ok {
			fmt.Fprintf(out, "%s %s\n", at, text)
		}
	}
}

// Every number of two whole reports, six digits of each. What the numbers should be is worked out by hand for single
// measures in the other tests; this one notices whatever changes one of them, alone or in company, and ignores measures
// that it does not know. Run with -update after a change that is meant.
func TestWholeReport(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, rules string
		set         []string
		exact       bool
	}{
		{"vanishing", "vanishing", nil, true},
		{"infiltration", "infiltration-6x6", []string{
			"board.columns=4", "board.rows=4", "pieces.supply=3", "win.line=3",
			"turn.pie=true", "draw.max_plies=40",
		}, false},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			d, v := wholeStudy(t, c.rules, c.set...)
			o := Options{Oracle: v, SolveMemory: -1, Workers: 2}
			if c.exact {
				o.SolveMemory = 64e6
			}
			r := measureGames(t, d, o)
			sound(t, r)
			var out strings.Builder
			described(&out, "report", reflect.ValueOf(r))
			path := "testdata/whole-" + c.file + ".golden"
			if *update {
				must.Do(t, os.WriteFile(path, []byte(out.String()), 0o644))
			}
			want := must.Get(os.ReadFile(path))(t)
			is := map[string][]string{}
			for line := range strings.Lines(out.String()) {
				w := strings.Fields(line)
				is[w[0]] = w[1:]
			}
			wrong := 0
			for line := range strings.Lines(string(want)) {
				w := strings.Fields(line)
				for _, word := range w[1:] {
					if !slices.Contains(is[w[0]], word) {
						if wrong++; wrong <= 5 {
							t.Errorf("%s was %s, is %s", w[0], word, strings.Join(is[w[0]], " "))
						}
					}
				}
			}
			if wrong > 5 {
				t.Errorf("%d differences in all", wrong)
			}
		})
	}
}
