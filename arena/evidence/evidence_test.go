package evidence_test

import (
	"testing"

	"spar/arena/evidence"
)

// What each kind of game counts for. The table is the specification: a new mark or use needs a new row or column.
func TestCounts(t *testing.T) {
	t.Parallel()
	const yes, no = true, false
	for _, c := range []struct {
		name                                       string
		marks                                      evidence.Marks
		strength, balance, ends, learning, replays bool
	}{
		{"ordinary", 0, yes, yes, yes, yes, yes},
		{"mirror", evidence.Mirror, no, yes, yes, yes, yes},
		{"forfeit", evidence.Forfeit, yes, no, yes, no, yes},
		{"repeated", evidence.Repeated, no, no, no, yes, yes},
		{"training", evidence.Training, no, no, no, yes, yes},
		{"surplus", evidence.Surplus, no, no, no, no, yes},
		{"timed", evidence.Timed, yes, yes, yes, yes, no},
		{"human", evidence.Human, no, no, no, no, no},
		{"superseded", evidence.Superseded, no, no, no, no, yes},
		{"pending", evidence.Pending, no, no, no, no, yes},
		{"forfeit in a mirror match", evidence.Mirror | evidence.Forfeit, no, no, yes, no, yes},
	} {
		want := map[evidence.Use]bool{
			evidence.Strength: c.strength, evidence.Balance: c.balance, evidence.Ends: c.ends, evidence.Learning: c.learning,
			evidence.Replay: c.replays,
		}
		for use, counts := range want {
			if got := c.marks.Counts(use); got != counts {
				t.Errorf("%s game counts for %v: %t, want %t", c.name, use, got, counts)
			}
		}
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	base := evidence.Facts{Purpose: "tournament", Rules: 1, First: 1, Second: 2, Hash: 7, Certain: true}
	with := func(change func(*evidence.Facts)) evidence.Facts {
		f := base
		change(&f)
		return f
	}
	for _, c := range []struct {
		name  string
		games []evidence.Facts
		want  evidence.Marks // of the last
	}{
		{"ordinary", []evidence.Facts{base}, 0},
		{"equal game of agents without chance", []evidence.Facts{base, base}, evidence.Repeated},
		{"equal game of agents with chance", []evidence.Facts{
			with(func(f *evidence.Facts) { f.Certain = false }),
			with(func(f *evidence.Facts) { f.Certain = false }),
		}, 0},
		{"other moves", []evidence.Facts{base, with(func(f *evidence.Facts) { f.Hash = 8 })}, 0},
		{"other rules", []evidence.Facts{base, with(func(f *evidence.Facts) { f.Rules = 2 })}, 0},
		{"seats exchanged", []evidence.Facts{base, with(func(f *evidence.Facts) { f.First, f.Second = 2, 1 })}, 0},
		{"other purpose", []evidence.Facts{base, with(func(f *evidence.Facts) { f.Purpose = "balance/ladder" })}, 0},
		{"the third", []evidence.Facts{base, base, base}, evidence.Repeated},
		{"after a surplus game", []evidence.Facts{with(func(f *evidence.Facts) { f.Given = evidence.Surplus }), base}, 0},
		{
			"after a superseded game",
			[]evidence.Facts{with(func(f *evidence.Facts) { f.Given = evidence.Superseded }), base},
			0,
		},
		{"after a game that is not judged yet", []evidence.Facts{
			with(func(f *evidence.Facts) { f.Given = evidence.Pending }),
			base,
		}, 0},
		{
			"not judged yet",
			[]evidence.Facts{base, with(func(f *evidence.Facts) { f.Given = evidence.Pending })},
			evidence.Pending,
		},
		{"marks that others decide", []evidence.Facts{with(func(f *evidence.Facts) { f.Given = ^evidence.Given })}, 0},
		{"surplus", []evidence.Facts{with(func(f *evidence.Facts) { f.Given = evidence.Surplus })}, evidence.Surplus},
		{"mirror", []evidence.Facts{with(func(f *evidence.Facts) { f.Second = 1 })}, evidence.Mirror},
		{"forfeit", []evidence.Facts{with(func(f *evidence.Facts) { f.Forfeit = true })}, evidence.Forfeit},
		{"timed", []evidence.Facts{with(func(f *evidence.Facts) { f.Timed = true })}, evidence.Timed},
		{"equal timed games", []evidence.Facts{
			with(func(f *evidence.Facts) { f.Timed = true }),
			with(func(f *evidence.Facts) { f.Timed = true }),
		}, evidence.Timed},
		{"training", []evidence.Facts{with(func(f *evidence.Facts) { f.Purpose = "tuning" })}, evidence.Training},
		{"training check", []evidence.Facts{with(func(f *evidence.Facts) { f.Purpose = "tuning check" })}, evidence.Training},
		{"validation", []evidence.Facts{with(func(f *evidence.Facts) { f.Purpose = "validation" })}, 0},
		{"human", []evidence.Facts{with(func(f *evidence.Facts) { f.Purpose = evidence.PurposeHuman })}, evidence.Human},
	} {
		var j evidence.Judge
		var got evidence.Marks
		for _, f := range c.games {
			got = j.Mark(f)
		}
		if got != c.want {
			t.Errorf("%s: marked %q, want %q", c.name, got, c.want)
		}
	}
}

// A cap or a clock ends a game that the rules would have ended otherwise; nothing else does.
func TestCapped(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]bool{
		"ply_cap": true, "clock": true, "line": false, "full_board": false,
		"forfeit_error": false, "resignation": false, "": false,
	} {
		if got := evidence.Capped(reason); got != want {
			t.Errorf("%q is a cap: %t", reason, got)
		}
	}
}

// Marks are stored as a number and written as words; what is no mark is refused in both forms.
func TestMarksAreReadBack(t *testing.T) {
	t.Parallel()
	most := evidence.Marks(1)<<len(evidence.Names()) - 1
	for m := range most + 1 {
		var stored evidence.Marks
		if err := stored.Scan(int64(m)); err != nil || stored != m {
			t.Fatalf("%d stored is %d (%v)", m, stored, err)
		}
		if got, err := evidence.Parse(m.String()); err != nil || got != m || (m == 0) != (m.String() == "") {
			t.Fatalf("%d is written %q, read %d (%v)", m, m.String(), got, err)
		}
	}
	for _, wrong := range []any{int64(-1), int64(most) + 1, "1", nil} {
		if err := new(evidence.Marks).Scan(wrong); err == nil {
			t.Errorf("%v was read", wrong)
		}
	}
	if _, err := evidence.Parse("timed,unheard"); err == nil {
		t.Error("an unknown word was read")
	}
}
