package solve

import (
	"fmt"
	"testing"

	"spar/engines/enginetest"
)

// BenchmarkSolve solves whole games and reports their size; the larger ones take minutes and gigabytes:
//
//	go test -run=- -bench=Solve -benchtime=1x ./engines/solve
func BenchmarkSolve(b *testing.B) {
	for _, v := range []struct {
		rules string
		set   []string
		large bool
	}{
		{rules: "classic"},
		{rules: "vanishing"},
		{rules: "rolling"},
		{"vanishing", []string{"board.columns=4"}, false},
		{"vanishing", []string{"board.columns=4", "board.rows=4"}, false},
		{"rolling", []string{"board.columns=4", "board.rows=4"}, false},
		{"rolling", []string{"board.columns=4", "board.rows=4", "win.line=4"}, false},
		{"classic", []string{"board.columns=4", "board.rows=4", "win.line=4"}, false},
		{"vanishing", []string{"pieces.cap=4"}, false},
		{"vanishing", []string{"board.columns=5", "board.rows=4"}, true},
		{"vanishing", []string{"board.columns=4", "board.rows=4", "win.line=4", "pieces.cap=4"}, true},
	} {
		b.Run(fmt.Sprint(v.rules, v.set), func(b *testing.B) {
			if v.large && testing.Short() {
				b.Skip("large")
			}
			g := enginetest.Load(b, v.rules, v.set...)
			b.ReportAllocs()
			var t *Table
			for b.Loop() {
				t = solve(b, g)
			}
			s := t.Stats()
			b.ReportMetric(float64(s.States), "states")
			b.ReportMetric(float64(s.Classes), "classes")
			b.ReportMetric(float64(s.PeakBytes)/1e6, "peakMB")
			b.ReportMetric(float64(t.Bytes())/1e6, "tableMB")
			b.Logf("%s in %d, openings %v", s.Winner(), s.Root.DTW, s.Openings)
		})
	}
}
