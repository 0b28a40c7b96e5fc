package serve

import (
	"fmt"
	"net/url"
	"reflect"
	"testing"

	"spar/tuning/sweep"
)

// The knobs of a study's rules are those that differ, the one with most values first; values stand in order, numbers by size. The map has
// a cell for every two values that were played, the other knobs as asked.
func TestFieldOfRules(t *testing.T) {
	t.Parallel()
	rows := []rulesRow{
		{Name: "hex5[a=10,b=2.5,same=1]", Score: "60 %", Value: 0.6, Games: fewGames, Draws: "1 %"},
		{Name: "hex5[a=9,b=2.25,same=1]", Score: "50 %", Value: 0.5, Games: fewGames, Even: true},
		{Name: "hex5[a=9,b=10,same=1]", Score: "40 %", Value: 0.4, Games: fewGames - 1},
		{Name: "hex5[a=9,same=1]", Score: "45 %", Value: 0.45, Games: fewGames},
	}
	f := fieldOfRows(rows)
	if !reflect.DeepEqual(f.knobs, []string{"b", "a"}) {
		t.Errorf("knobs %v", f.knobs)
	}
	if want := []string{"2.25", "2.5", "10", "as it is"}; !reflect.DeepEqual(f.values["b"], want) || !reflect.DeepEqual(f.values["a"], []string{"9", "10"}) {
		t.Errorf("values %v, want %v", f.values, want)
	}
	var b sweepBody
	f.fill(&b, url.Values{"x": {"a"}, "y": {"a"}})
	if b.X != "a" || b.Y != "b" || b.Measure != "score" || len(b.Heat.Rows) != 4 || len(b.Fixed) != 0 {
		t.Fatalf("%+v", b)
	}
	for y, want := range [][2]string{{"50 %", ""}, {"", "60 %"}, {"40 %", ""}, {"45 %", ""}} {
		for x, c := range b.Heat.Rows[y].Cells {
			if (c == nil) != (want[x] == "") || c != nil && c.Score != want[x] {
				t.Errorf("%s, %s: %+v, want %q", b.Heat.Rows[y].Value, b.Heat.Across[x], c, want[x])
			}
		}
	}
	if c := b.Heat.Rows[0].Cells[0]; !c.Even || c.Few || c.Class == "" {
		t.Errorf("%+v", c)
	}
	if c := b.Heat.Rows[2].Cells[0]; c.Even || !c.Few {
		t.Errorf("%+v", c)
	}
	f.fill(&b, url.Values{"measure": {"draws"}})
	if c := b.Heat.Rows[1].Cells[1]; b.Measure != "draws" || b.X != "b" || c != nil && c.Class != "" {
		t.Errorf("%+v", b)
	}
	if f := fieldOfRows(append(rows, rulesRow{Name: "classic"})); len(f.knobs) != 0 {
		t.Errorf("a map of two games: %v", f.knobs)
	}
}

// Of three knobs one is fixed: at its first value, or at the one that is asked for if there is such a value.
func TestFixedKnobs(t *testing.T) {
	t.Parallel()
	f := fieldOfRows([]rulesRow{{Name: "hex5[a=1,b=1,c=1]", Score: "here"}, {Name: "hex5[a=1,b=1,c=2]", Score: "there"}, {Name: "hex5[a=2,b=2,c=2]"}})
	for asked, want := range map[string][2]string{"": {"1", "here"}, "2": {"2", "there"}, "3": {"1", "here"}} {
		b := sweepBody{}
		f.fill(&b, url.Values{"f.c": {asked}})
		if len(b.Fixed) != 1 || b.Fixed[0].Value != want[0] || b.Heat.Rows[0].Cells[0].Score != want[1] {
			t.Errorf("%q: %+v, %+v", asked, b.Fixed, b.Heat.Rows[0].Cells[0])
		}
	}
}

// The map of a sweep has the values of its plan and those of the rules as they are, in order, and knows what was measured; a score whose
// interval holds one half is even.
func TestFieldOfASweep(t *testing.T) {
	t.Parallel()
	score := func(v, lo, hi float64, n int64) sweep.Numbers {
		return sweep.Numbers{"score": {Value: v, Lo: lo, Hi: hi, N: n, Unit: "score"}, "depth": {}}
	}
	f := fieldOf(&sweep.Result{
		Knobs: []sweep.KnobInfo{{Path: "board.columns", Values: []string{"5"}}, {Path: "win.line", Values: []string{"10", "4"}}},
		Variants: []sweep.Cell{
			{Rules: "x", Values: []string{"3", "3"}, Base: true, Numbers: score(0.55, 0.5, 0.6, 200)},
			{Rules: "x[a]", Values: []string{"5", "4"}, Numbers: score(0.45, 0.4, 0.5, 199)},
			{Rules: "x[b]", Values: []string{"5", "10"}, Numbers: score(0.7, 0.6, 0.8, 300)},
			{Rules: "x[c]", Values: []string{"5", "3"}, Numbers: score(0.3, 0.2, 0.4, 300)},
			{Rules: "x[d]", Values: []string{"3", "10"}},
		},
	})
	if want := map[string][]string{"board.columns": {"3", "5"}, "win.line": {"3", "4", "10"}}; !reflect.DeepEqual(f.values, want) || !reflect.DeepEqual(f.knobs, []string{"win.line", "board.columns"}) {
		t.Errorf("%v, %v", f.knobs, f.values)
	}
	var b sweepBody
	f.fill(&b, url.Values{})
	if b.X != "win.line" || b.Y != "board.columns" || len(b.Heat.Rows) != 2 {
		t.Fatalf("%+v", b)
	}
	for i, want := range [][]string{{"x 200 even", "", ""}, {"x[c] 300", "x[a] 199 even few", "x[b] 300"}} {
		for j, c := range b.Heat.Rows[i].Cells {
			got := ""
			if c != nil {
				got = fmt.Sprintf("%s %d", c.Name, c.Games)
				if c.Even {
					got += " even"
				}
				if c.Few {
					got += " few"
				}
			}
			if got != want[j] {
				t.Errorf("row %d, column %d: %q, want %q", i, j, got, want[j])
			}
		}
	}
	if f.fill(&b, url.Values{"measure": {"depth"}}); b.Measure != "depth" || b.Heat.Rows[0].Cells[0] != nil {
		t.Errorf("a depth that was not measured: %+v", b.Heat.Rows[0].Cells[0])
	}
}
