package learn

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"spar/arena"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// The net of several seeds is the mean of the nets that each of them makes alone, and a value the mean of their values.
func TestMeanOfSeeds(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	var told []Report
	dir := t.TempDir()
	s := Session{
		Game: g, Options: Options{Games: 256, Batch: 16, Seed: 5, Seeds: 3},
		Files: FilesOf(filepath.Join(dir, "v.net")), Tell: func(r Report) { told = append(told, r) },
	}
	out := must.Get(s.Run(t.Context()))(t)
	var alone []*Training
	for seed := range int64(3) {
		alone = append(alone, learned(t, g, Options{Games: 256, Batch: 16, Seed: 5 + seed}))
	}
	got := out.Net.Numbers()
	for i := range got {
		want := 0.0
		for _, tr := range alone {
			want += float64(tr.trainer.Numbers[i]) / 3
		}
		if math.Abs(float64(got[i])-want) > 1.0/128+1.0/2048+1e-6 { // steps of 1/1024, stored in steps of 1/64
			t.Fatalf("number %d is %v, the mean %v", i, got[i], want)
		}
	}
	st := g.NewState()
	st.Play(engines.PlaceMove(4))
	value := 0.0
	for _, tr := range alone {
		net := must.Get(tr.Net())(t)
		value += net.Value(&st, engines.First) / 3
	}
	if v := out.Net.Value(&st, engines.First); math.Abs(v-value) > 5 || math.Abs(v) < 5 { // in hundredths of a logit
		t.Errorf("a position is worth %v, the mean is %v", v, value)
	}
	if a := out.Net.About(); a.Seed != 5 || a.Seeds != 3 || a.Games != 768 {
		t.Errorf("%+v", a)
	}
	if last := told[len(told)-1]; last.Games != 768 || last.Total != 768 {
		t.Errorf("at last: %+v", last)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.part")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if one, all := Provenance(alone[0]), Provenance(alone...); one.Seeds != 0 || one.Games != 256 || all.Seeds != 3 {
		t.Errorf("%+v, of three %+v", one, all)
	}
}

// A session of several seeds goes on where it was: with the seed under way, after those that are done. One seed has one
// file.
func TestSeedsResume(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	straight, broken := t.TempDir(), t.TempDir()
	session := func(dir string) *Session {
		return &Session{
			Game: g, Options: Options{Games: 256, Seed: 5, Seeds: 2}, Files: FilesOf(filepath.Join(dir, "v.net")),
			Tell: func(Report) {},
		}
	}
	want := must.Get(session(straight).Run(t.Context()))(t)
	s := session(broken)
	if _, err := s.train(t.Context(), &Outcome{}); err != nil { // stopped before the end of the session
		t.Fatal(err)
	}
	must.Do(t, os.Remove(s.part(1)))
	got, err := session(broken).Run(t.Context())
	if err != nil || got.Resumed != 256 {
		t.Fatalf("%d games of before, %v", got.Resumed, err)
	}
	for i, x := range got.Net.Numbers() {
		if x != want.Net.Numbers()[i] {
			t.Fatalf("number %d is %v, not %v", i, x, want.Net.Numbers()[i])
		}
	}
	for seeds := range 2 {
		one := &Session{Options: Options{Seeds: seeds}, Files: Files{Part: "a.part"}}
		if one.part(0) != "a.part" || filepath.Base(s.part(1)) != "v-2.part" {
			t.Errorf("%s, %s", one.part(0), s.part(1))
		}
	}
}

// won is a game of tic-tac-toe that the first player wins, without random moves.
func won(number int64, moves string) arena.Result {
	return arena.Result{
		Slot: arena.Slot{Number: number}, Moves: moves,
		Random: strings.Repeat("0", len(strings.Fields(moves))), Outcome: engines.FirstWins, Reason: "line",
	}
}
