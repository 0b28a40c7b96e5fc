package enginetest

import (
	"slices"
	"strings"
	"testing"

	"spar/configs"
	"spar/engines"
	"spar/engines/rules"
)

// Change sets one knob to another value, in a game in which that knob has an effect.
type Change struct{ Path, Game, Value string }

// changed returns for every knob a game in which it has an effect, and another value, as "game: value".
func changed() map[string]string {
	return map[string]string{
		"board.columns": "ctor: 8", "board.rows": "ctor: 8", "board.wrap": "ctor: columns", "territory": "ctor: halves",
		"board.shape": "teeko: hex", "board.missing": "teeko: [c3]", "board.neighbours": "ctor: 4",
		"board.lines":     "classic: [[a1, b1, c1], [a2, b2, c2], [a3, b3, c3]]",
		"setup":           "tapatan: [..., ..., X..]",
		"turn.placements": "ctor: 3", "turn.first_turn": "ctor: 2", "turn.pie": "infiltration: true",
		"placement.region": "infiltration: enemy", "placement.gravity": "connect4: false",
		"placement.falls":   "connect4: true",
		"placement.opening": "infiltration: [{plies: 2, region: enemy}]",
		"pieces.supply":     "infiltration: 8", "pieces.moving": "infiltration: after_own",
		"pieces.cap": "vanishing: 4", "pieces.removal": "vanishing: after_win",
		"pieces.removal_from_ply": "vanishing: 9", "pieces.reuse_vacated": "vanishing: true",
		"pieces.owner":   "classic: shared",
		"movement.steps": "infiltration: rook", "movement.capture": "infiltration: false",
		"movement.multi_jump":     "infiltration: false",
		"movement.forced_capture": "infiltration: true", "movement.captured": "infiltration: remove",
		"movement.directions": "infiltration: [forward]", "movement.slide": "infiltration: true",
		"movement.leaps": "infiltration: ['1,2']",
		"movement.clone": "ataxx: false", "movement.take": "infiltration: [rook]", "movement.jumps": "infiltration: [rook]",
		"movement.jump_over": "infiltration: any", "movement.straight": "infiltration: true",
		"movement.fly":       "infiltration: 3",
		"surround.threshold": "ctor: 4", "surround.effect": "ctor: remove", "surround.cascade": "ctor: true",
		"win.line": "infiltration: 3", "win.overlines": "infiltration: false", "win.directions": "classic: [rows]",
		"win.region": "infiltration: anywhere", "win.majority": "ctor: false", "win.komi": "ctor: 3",
		"win.pattern": "teeko: ['0,0 1,0 1,1 2,1']", "win.connect": "hex5: left_right", "win.reach": "teeko: [far]",
		"win.reach_count": "tapatan: 2",
		"win.eliminate":   "infiltration: 2", "win.on_board": "infiltration-6x6: true", "win.captures": "pente: 8",
		"win.full": "order-and-chaos: true", "win.misere": "teeko: true", "lose.line": "yavalath: 2",
		"draw.full_board": "classic: false", "draw.repetition": "infiltration: 2", "draw.max_plies": "infiltration: 300",
		"draw.repeated":    "infiltration: second_wins",
		"draw.quiet":       "infiltration: 20",
		"custodian.effect": "pente: flip", "custodian.length": "pente: 1", "custodian.directions": "pente: [rook]",
		"custodian.must": "reversi: false",
		"mill.line":      "nine-mens-morris: 2", "mill.exact": "dara: false", "mill.moved": "dara: false",
		"kinds":               "draughts: [{name: man, movement: {steps: king, capture: true, jumps: [rook]}}, {name: king}]",
		"movement.take_slide": "breakthrough: true", "movement.take_leaps": "breakthrough: true",
		"movement.long_jumps": "alquerque: true", "movement.captured_leave": "alquerque: after_turn",
		"movement.first.rows": "hexapawn: 2", "movement.first.steps": "hexapawn: 3",
		"cells":             "brandubh: [{name: throne, at: [d4, c4]}, {name: corners, at: [a1, g1, a7, g7]}]",
		"custodian.hostile": "brandubh: [throne]",
		"movement.to_end":   "dao: false", "movement.distance": "lines-of-action: none",
		"movement.pass_own":     "lines-of-action: true",
		"movement.line_capture": "fanorona5: [approach]",
		"movement.exits":        "dodgem: [rook]", "win.gather": "lines-of-action: false",
		"win.shut_in": "dao: [a1]", "win.none_left": "dodgem: false",
		"turn.block": "amazons: anywhere", "turn.spares": "amazons: [middle]",
		"win.reach_safe": "dobutsu: false",
		"win.take":       "draughts: man", "win.mate": "los-alamos: king", "win.reach_kind": "draughts: man",
		"second": "infiltration: {supply: 5}", "no_moves": "infiltration: pass", "clock.seconds": "vanishing: 60",
	}
}

// Changes lists one change for every knob of rules. The knob second represents all knobs of the second player.
func Changes(t testing.TB) []Change {
	t.Helper()
	table := changed()
	var out []Change
	for _, k := range rules.KnobValues(rules.DefaultRules()) {
		game, value, ok := strings.Cut(table[k.Path], ": ")
		if !ok {
			t.Errorf("%s: state a change of it in enginetest.changed", k.Path)
			continue
		}
		out = append(out, Change{k.Path, game, value})
	}
	return out
}

// Games returns the game before and after the change. Before is the shipped game with the overrides that the knob
// needs to have an effect.
func (c Change) Games(t testing.TB) (before, after *engines.Game) {
	t.Helper()
	base := map[string][]string{
		"vanishing":        {"board.columns=4", "board.rows=4", "draw.max_plies=90"},
		"ctor":             {"win.line=5"},
		"connect4":         {"pieces.cap=20", "draw.max_plies=200"},
		"tapatan":          {"win.reach=[far]"},
		"infiltration-6x6": {"win.eliminate=2"},
		"breakthrough":     {"movement.slide=true", "movement.leaps=['1,2']"},
		"hexapawn":         {"movement.first={rows: 1, steps: 2}"},
		"draughts":         {"win.reach=[far]"},
		"los-alamos":       {"win={take: king}"},
		"lines-of-action":  {"movement={steps: king, distance: line}", "no_moves=loss"},
		"amazons":          {"cells=[{name: middle, at: [e5, f5]}]"},
		"order-and-chaos":  {"second.win.full=false", "second.win.line=4"},
	}[c.Game]
	return Load(t, c.Game, base...), Load(t, c.Game, append(slices.Clone(base), c.Path+"="+c.Value)...)
}

// Handles checks which changes of a game a fast path accepts. The function taken reports whether it accepts a
// game. It must accept the game itself, and the game with a change of each of the wanted knobs. It must not accept
// any other change that switches a mechanic on.
func Handles(t testing.TB, game string, taken func(g *engines.Game) bool, want ...string) {
	t.Helper()
	file, data, err := configs.Read(configs.Games, game)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range Changes(t) {
		g, err := engines.Load(file, data, c.Path+"="+c.Value)
		if err == nil && taken(g) && g.Mechanics().Any(rules.KnobMechanics(c.Path)) {
			got = append(got, c.Path)
		}
	}
	if !taken(Load(t, game)) || !slices.Equal(got, want) {
		t.Errorf("%s: taken with changes of %q, want %q", game, got, want)
	}
}
