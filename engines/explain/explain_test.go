package explain_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"spar/configs"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/explain"
	"spar/engines/rules"
)

// Every knob changes the text, in some game that gives it a meaning.
func TestEveryKnobHasItsSentence(t *testing.T) {
	t.Parallel()
	for _, c := range enginetest.Changes(t) {
		before, after := c.Games(t)
		if text := explain.Game(after).String(); text == explain.Game(before).String() {
			t.Errorf("%s=%s does not change the text of %s:\n%s", c.Path, c.Value, c.Game, text)
		}
	}
}

// Two games with the same text are played alike: the text is exact enough to play by.
func TestSameTextSameGame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := enginetest.RandomRules().Draw(t, "rules")
		b := enginetest.RandomRules().Draw(t, "other")
		ours, theirs := rules.KnobValues(a), rules.KnobValues(b)
		i := rapid.IntRange(0, len(ours)-1).Draw(t, "knob")
		g, err := engines.Load("a", []byte(a.Canonical()))
		if err != nil {
			t.Skip(err)
		}
		h, err := engines.Load("b", []byte(a.Canonical()), theirs[i].Path+"="+theirs[i].Text)
		if err != nil || explain.Game(g).String() != explain.Game(h).String() {
			t.Skip("other texts, or no rules")
		}
		src := rand.New(rand.NewPCG(1, 2))
		p, q := g.NewPosition(), h.NewPosition()
		for !p.Over() && p.Ply() < 200 {
			ms, ns := p.AppendMoves(nil), q.AppendMoves(nil)
			slices.Sort(ms) // the order of the list is no rule
			slices.Sort(ns)
			if g.JoinMoves(ms) != h.JoinMoves(ns) {
				t.Fatalf("%s=%s: the text is the same, the moves are not\n%s\n%s", theirs[i].Path, theirs[i].Text,
					g.JoinMoves(ms), h.JoinMoves(ns))
			}
			m := ms[src.IntN(len(ms))]
			p.Play(m)
			q.Play(m)
		}
		if p.Result() != q.Result() || p.Reason() != q.Reason() {
			t.Fatalf("%s=%s: the text is the same, the ends are not: %s by %s, %s by %s", theirs[i].Path,
				theirs[i].Text, p.Result(), p.Reason(), q.Result(), q.Reason())
		}
	})
}

// What the notes deny happens in no game of random rules.
func TestNotesAreTrue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := must.Get(engines.Compile(enginetest.RandomRules().Draw(t, "rules")))(t)
		told := explain.Game(g)
		denied := map[string]bool{}
		for _, n := range told.Notes {
			switch n.Kind {
			case explain.Unreachable:
				denied[n.Path] = true
			case explain.NobodyWins, explain.OneSide:
				denied[n.Text[:strings.Index(n.Text, "win")+3]] = true
			}
		}
		r := g.Rules()
		src := rand.New(rand.NewPCG(3, rapid.Uint64().Draw(t, "seed")))
		for range 3 {
			p := g.NewPosition()
			placed := 0
			for !p.Over() && p.Ply() < 300 {
				mover := p.Side()
				before := [2]int{p.Pieces(0).Count(), p.Pieces(1).Count()}
				ms := p.AppendMoves(nil)
				m := ms[src.IntN(len(ms))]
				p.Play(m)
				own := p.Pieces(mover).Count() - before[mover]
				enemy := p.Pieces(1-mover).Count() - before[1-mover]
				if m.IsPlacement() {
					placed++
				}
				jump := m.IsJump()
				fail := func(what string) { t.Fatalf("%s: %s %s\n%s", r.Canonical(), what, g.MoveText(m), p.Text()) }
				switch {
				case denied["movement"] && p.Moving() && !p.Over():
					fail("moves")
				case jump && (denied["movement.capture"] || denied["movement"]):
					fail("jumps")
				case denied["surround.threshold"] && m.IsPlacement() && enemy < 0:
					fail("surrounds")
				case denied["pieces.cap"] && m.IsPlacement() && enemy == 0 && own < 1:
					fail("leaves")
				case told.Ending.Kind == explain.Fills && placed > g.Cells():
					fail("goes on")
				}
			}
			won := p.Result() == engines.FirstWins || p.Result() == engines.SecondWins
			switch {
			case won && denied["nobody can win"],
				p.Result() == engines.FirstWins && denied["only the second player can win"],
				p.Result() == engines.SecondWins && denied["only the first player can win"],
				p.Reason() == engines.ByRepetition && denied["draw.repetition"],
				p.Reason() == engines.ByPlyCap && denied["draw.max_plies"],
				p.Reason() == engines.ByMajority && denied["win.majority"],
				!p.Over() && told.Ending.Kind == explain.Fills:
				t.Fatalf("%s\n%v\nends by %s, %s", r.Canonical(), told.Notes, p.Reason(), p.Result())
			}
		}
	})
}

// The warnings that a designer must see, by example, and none where there is nothing to say.
func TestNotes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		game string
		set  string // separated by semicolons
		want string // kind path
	}{
		{
			"lines where nobody gets", "infiltration",
			"movement.steps=none; movement.capture=false; no_moves=draw",
			"nobody_wins win.region; no_effect movement.captured; no_effect draw.repetition; no_effect draw.max_plies",
		},
		{"too few plies for a line", "gomoku9", "draw.max_plies=8", "nobody_wins win.line"},
		{"enough for one player only", "gomoku9", "draw.max_plies=9", "one_side win.line"},
		{"a board that fills without a line to win by", "gomoku9", "win.line=0", "nobody_wins win"},
		{"a limit that nobody reaches", "classic", "pieces.cap=5", "unreachable pieces.cap"},
		{"a limit that acts on the last move", "classic", "pieces.cap=4; draw.repetition=3", ""},
		{
			"pieces in the air", "connect4",
			"pieces.cap=8; draw.max_plies=200",
			"floating placement.falls",
		},
		{"pieces that fall with those below", "connect4", "pieces.cap=8; draw.max_plies=200; placement.falls=true", ""},
		{"falls where nothing leaves", "connect4", "placement.falls=true", "no_effect placement.falls"},
		{"stones that stay", "hex5", "turn.pie=true; board.columns=4", "uneven_swap turn.pie"},
		{"stones of equal sides", "pente", "turn.pie=true", ""},
		{"for ever", "connect4", "pieces.cap=8", "endless draw; floating placement.falls"},
		{
			"full when the last is placed", "infiltration-6x6",
			"movement.captured=remove; pieces.supply=18",
			"unreachable movement; unreachable draw.repetition; unreachable draw.max_plies",
		},
		{
			"threshold beyond the limit", "ctor",
			"pieces.cap=3; win.line=3; draw.max_plies=500",
			"unreachable surround.threshold; unreachable win.majority",
		},
		{"nothing repeats", "classic", "draw.repetition=3", "no_effect draw.repetition"},
		{"homes for nothing", "classic", "territory=halves", "no_effect territory"},
		{
			"homes for a line of the second player's", "classic",
			"board.columns=4; board.rows=6; territory=halves; second.win={line: 3, region: enemy}",
			"",
		},
		{
			"regions of the opening without homes", "reversi6",
			"territory=halves; custodian.must=false; placement.opening=[{plies: 2, region: beside, remove: true}]",
			"no_effect territory",
		},
		{
			"what replacing captures returns", "classic",
			"board={columns: 4, rows: 4}; pieces.supply=3; movement={steps: king, take: [king], captured: return}; " +
				"draw.max_plies=60",
			"",
		},
		{
			"nothing captures by moving", "teeko",
			"movement.captured=return",
			"no_effect movement.captured",
		},
		{"no longer row", "classic", "win.overlines=false", "no_effect win.overlines"},
		{"nothing leaves before it could", "checkerboard", "", "no_effect pieces.removal_from_ply"},
		{"as shipped", "infiltration", "", ""},
	} {
		var set, all []string
		if c.set != "" {
			set = strings.Split(c.set, "; ")
		}
		for _, n := range explain.Game(enginetest.Load(t, c.game, set...)).Notes {
			all = append(all, n.Kind+" "+n.Path)
		}
		if got := strings.Join(all, "; "); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Every shipped game can be won, and is known to end or how it may not.
func TestShippedGames(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"classic": "fills", "connect4": "fills", "gomoku9": "fills", "ctor": "fills", "rolling": "plies",
		"vanishing":    "repetition",
		"checkerboard": "plies", "infiltration": "plies", "infiltration-6x6": "plies", "torus-vanishing": "plies",
	}
	for _, name := range configs.Names(configs.Games) {
		told := explain.Game(enginetest.Load(t, name))
		if told.NobodyWins() || want[name] != "" && told.Ending.Kind != want[name] {
			t.Errorf("%s: %+v, %v, want the ending %s", name, told.Ending, told.Notes, want[name])
		}
	}
}

// Games whose moves capture or go ahead end, and nobody is told that they may not; where a piece can step back they may
// go on.
func TestUsedUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game string
		set  string
		want string
	}{
		{"hexapawn", "", explain.UsedUp},
		{"breakthrough", "", explain.UsedUp},
		{"clobber", "", explain.UsedUp},
		{"konane", "", explain.UsedUp},
		{"hexapawn", `setup=["mmm","...","MMM"] kinds=[{"name":"man","letter":"m"}]`, explain.UsedUp},
		{"hexapawn", `setup=["mmm","...","MMM"] kinds=[{"name":"man","letter":"m","movement":{"steps":"king"}}]`, explain.Open},
		{"hexapawn", "movement.directions=[forward,sideways]", explain.Open},
		{"hexapawn", "movement.directions=[]", explain.Open},
		{"hexapawn", "no_moves=pass", explain.Open},
		{"hexapawn", "board.wrap=rows", explain.Open},
		{"konane", "movement.jump_over=any", explain.Open},
	} {
		told := explain.Game(enginetest.Load(t, c.game, strings.Fields(c.set)...))
		endless := slices.ContainsFunc(told.Notes, func(n explain.Note) bool { return n.Kind == explain.Endless })
		if told.Ending.Kind != c.want || endless != (c.want == explain.Open) {
			t.Errorf("%s %v: %s, %v", c.game, c.set, told.Ending.Kind, told.Notes)
		}
	}
}
