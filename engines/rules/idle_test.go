package rules_test

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"spar/configs"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/enginetest/reference"
)

// otherValues are values of knobs that are tried in place of the one that random rules have.
func otherValues(t *rapid.T, v reflect.Value, path string) {
	words := map[string][]string{
		"territory": {
			"none",
			"halves",
		}, "placement.region": {"anywhere", "home", "enemy"}, "pieces.removal": {"before_win", "after_win"},
		"movement.captured": {"return", "remove", "stay"}, "second.movement.captured": {"return", "remove", "stay"},
		"surround.effect": {"convert", "remove"}, "no_moves": {"loss", "win", "draw", "pass"},
		"pieces.moving": {"after_all", "after_own"},
		"draw.repeated": {"draw", "mover_loses", "first_wins", "second_wins"},
	}
	switch v.Kind() {
	case reflect.Slice: // of words for directions
		v.Set(reflect.ValueOf([]string{"rows", "diagonals"}[:rapid.IntRange(0, 2).Draw(t, path)]))
	case reflect.Pointer:
		n := rapid.IntRange(1, 4).Draw(t, path)
		v.Set(reflect.ValueOf(&n))
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int:
		v.SetInt(int64(rapid.IntRange(0, 9).Draw(t, path)))
	case reflect.String:
		v.SetString(rapid.SampledFrom(words[path]).Draw(t, path))
	default:
		t.Fatalf("%s is idle, and no other values of it are known", path)
	}
}

// A knob that is reported idle changes nothing: the reference engine plays the same games with another value.
func TestIdleKnobsChangeNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := enginetest.RandomRules().Draw(t, "rules")
		idle := r.Idle()
		if len(idle) == 0 {
			t.Skip("no idle knob")
		}
		knob := rapid.SampledFrom(idle).Draw(t, "knob")
		other := r
		if r.Second != nil { // a copy of its own
			second := *r.Second
			for _, part := range []reflect.Value{reflect.ValueOf(&second.Movement).Elem(), reflect.ValueOf(&second.Win).Elem()} {
				if !part.IsNil() {
					copied := reflect.New(part.Type().Elem())
					copied.Elem().Set(part.Elem())
					part.Set(copied)
				}
			}
			other.Second = &second
		}
		v, ok := strict.At(reflect.ValueOf(&other), knob.Path)
		if !ok {
			t.Fatalf("%s is no knob of these rules", knob.Path)
		}
		switch knob.Path {
		case "draw.max_plies", "draw.repetition", "draw.quiet": // of their present values
			v.SetInt(0)
		default:
			otherValues(t, v, knob.Path)
		}
		if len(engines.Validate(&other)) > 0 {
			t.Skip("no valid rules")
		}
		a, b := reference.New(r), reference.New(other)
		for ply := 0; ply < 150; ply++ {
			moves := a.Legal()
			if got := b.Legal(); !slices.Equal(moves, got) || a.Result() != b.Result() {
				t.Fatalf("%s: after %d plies %v (%s), with another value %v (%s)", knob, ply, moves, a.Result(), got,
					b.Result())
			}
			if len(moves) == 0 {
				break
			}
			m := rapid.SampledFrom(moves).Draw(t, "move")
			if a.Play(m) != nil || b.Play(m) != nil {
				t.Fatal(m)
			}
		}
	})
}

// Shipped files state no knob without effect, but for some that say outright that a full board, which never comes, is
// no draw.
func TestShippedGamesHaveNoIdleKnobs(t *testing.T) {
	t.Parallel()
	for _, name := range configs.Names(configs.Games) {
		r := enginetest.Load(t, name).Rules()
		for _, i := range r.IdleSet() {
			if i.Path == "draw.full_board" {
				continue
			}
			t.Errorf("%s: %s", name, i)
		}
	}
}

func TestIdle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game, knob string
		idle       bool
	}{
		{"breakthrough", "turn.placements", true},
		{"breakthrough", "pieces.cap", true},
		{"breakthrough", "placement.region", true},
		{"breakthrough", "draw.full_board", true},
		{"amazons", "draw.full_board", false},
		{"breakthrough", "win.overlines", true},
		{"breakthrough", "no_moves", false},
		{"breakthrough", "movement.captured", false},
		{"pong-hau-ki", "movement.captured", true},
		{"classic", "turn.placements", false},
		{"classic", "no_moves", true},
		{"classic", "pieces.removal", true},
		{"classic", "win.overlines", false},
		{"vanishing", "pieces.removal", false},
		{"vanishing", "draw.repetition", false},
		{"infiltration", "turn.placements", false},
		{"ataxx", "pieces.cap", false},
		{"ataxx", "turn.placements", true},
		{"hex5", "board.neighbours", false},
		{"hex5", "no_moves", false},
		{"reversi", "no_moves", false},
		{"connect4", "no_moves", true},
		{"infiltration", "territory", false},
		{"konane", "turn.first_turn", true},
	} {
		r := enginetest.Load(t, c.game).Rules()
		if why := r.IdleAt(c.knob); (why != "") != c.idle {
			t.Errorf("%s: %s: %q, want idle %v", c.game, c.knob, why, c.idle)
		}
	}
}
