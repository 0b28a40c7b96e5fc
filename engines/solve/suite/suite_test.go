package suite_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/solve/suite"
)

// The solver finds the published values, who wins, in how many plies and by how many first moves, as far as they are
// stated. Those that take more than a second are left to "spar solve --suite published".
func TestPublished(t *testing.T) {
	t.Parallel()
	all := must.Get(suite.Named("published"))(t)
	readme := must.Get(os.ReadFile("../../../README.md"))(t)
	if count := fmt.Sprintf("none of a list of %d differs", len(all)); !strings.Contains(string(readme), count) {
		t.Errorf("README does not say that %s", count)
	}
	var quick []suite.Entry
	for _, e := range all {
		if e.Source == "" || e.Published == nil {
			t.Errorf("%s: no source, or no value", e.Name)
		}
		if g := e.Game; (!strings.HasPrefix(e.Name, "connect4") || g.Cells() <= 20) && e.Name != "teeko" &&
			e.Name != "hexapawn 5x5" && e.Name != "dodgem 4x4" && e.Name != "fox-and-hounds" && e.Name != "dao" && e.Name != "amazons 4x4" &&
			!strings.HasSuffix(e.Name, "ending") {
			quick = append(quick, e)
		}
	}
	err := suite.Run(t.Context(), quick, suite.Options{Workers: 2, Memory: 128e6}, func(r suite.Result) error {
		if r.Verdict != suite.Same || r.States == 0 && r.By == "table" {
			t.Errorf("%s: %+v", r.Name, r)
		}
		return nil
	})
	if err != nil || len(quick) < 36 {
		t.Errorf("%d entries, %v", len(quick), err)
	}
}

// The suite people has the benchmark's 118 games, all of them line games that can be played to their end; values that
// were found by hand or by other programs come out, by every kind of method.
func TestPeople(t *testing.T) {
	t.Parallel()
	all, err := suite.Named("people")
	if err != nil || len(all) != 118 {
		t.Fatalf("%d games, %v", len(all), err)
	}
	values := map[string]string{
		"10x10-win2": "first", "10x10-lose10": "draw", "10x10-win7": "draw", "3x3-win3": "draw",
		"4x4-win3-two-second": "second", "5x5-win4v3": "second", "3x3-lose3": "draw", "7x7-win4-two-first": "first",
	}
	var some []suite.Entry
	for _, e := range all {
		s := e.Game.NewState()
		for !s.Over() {
			s.Play(s.AppendMoves(nil)[s.Ply()%3%len(s.AppendMoves(nil))])
		}
		if s.Reason() != engines.ByLine && s.Reason() != engines.ByFullBoard {
			t.Errorf("%s: ended by %v", e.Name, s.Reason())
		}
		if w := values[e.Name]; w != "" {
			e.Published = &suite.Value{Winner: w}
			some = append(some, e)
		}
	}
	err = suite.Run(t.Context(), some, suite.Options{Memory: 64e6}, func(r suite.Result) error {
		if r.Verdict != suite.Same || r.By == "table" {
			t.Errorf("%s: %+v, want %s", r.Name, r, values[r.Name])
		}
		return nil
	})
	if err != nil || len(some) != len(values) {
		t.Errorf("%d games, %v", len(some), err)
	}
}

// What differs from a stated value is called different, and nothing else is; limits leave it unknown.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	list := `{"name": "tapatan is won in 9 by the centre", "rules": "tapatan", "published": {"value": "first", "dtw": 9, "openings": "1/4/4"}}
{"name": "less is stated", "rules": "tapatan", "published": {"value": "first"}}
{"rules": "tapatan"}
{"name": "another winner", "rules": "tapatan", "published": {"value": "second"}}
{"name": "another length", "rules": "tapatan", "published": {"value": "first", "dtw": 7}}
{"name": "other openings", "rules": "tapatan", "published": {"value": "first", "openings": "2/3/4"}}
{"name": "by proof", "rules": "connect4[board.columns=4,board.rows=4]", "published": {"value": "first"}}
`
	for _, c := range []struct {
		o    suite.Options
		want string
	}{
		{suite.Options{Workers: 1, Memory: 64e6}, "same same solved different different different different"},
		{suite.Options{Workers: 3, Memory: 1e3, Seconds: 1e-9}, "unknown unknown unknown unknown unknown unknown unknown"},
	} {
		entries := must.Get(suite.Read(strings.NewReader(list), "list"))(t)
		var got []string
		err := suite.Run(t.Context(), entries, c.o, func(r suite.Result) error {
			if got = append(got, r.Verdict); (r.Ours == nil) != (r.Why != "") {
				t.Errorf("%+v", r)
			}
			return nil
		})
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %v, %v, want %s", c.o, got, err, c.want)
		}
	}
}

// A bad line refuses the list and is named, with the nearest word that is valid.
func TestBadLists(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"rules": "tapatan"}`: `"tapatan" is a duplicate; the first is on line 1`,
		`{"rule": "achi"}`:     `unknown key "rule"; did you mean rules?`,
		`{"rules": "achy"}`:    `did you mean achi?`,
		`{"rules": "achi", "published": {"value": "frist"}}`: `did you mean first?`,
	} {
		_, err := suite.Read(strings.NewReader("{\"rules\": \"tapatan\"}\n"+line), "list")
		if err == nil || !strings.HasPrefix(err.Error(), "list:2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}
