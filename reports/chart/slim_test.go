package chart

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"spar/configs/must"
	"spar/ratings"
)

func TestSave(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, want := range map[string]string{"a.svg": "<svg", "b.PNG": "\x89PNG", "c.pdf": "%PDF"} {
		path := filepath.Join(dir, name)
		must.Do(t, Save(path, gallery()["clipped"], "alt"))
		if b, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(b, []byte(want)) {
			t.Errorf("%s: %.8q, %v", name, b, err)
		}
	}
	must.Fail(t, Save(filepath.Join(dir, "d.gif"), gallery()["clipped"], ""), "svg")
	if err := Save(filepath.Join(dir, "e.svg"), &Lines{}, ""); !errors.Is(err, ErrNoData) {
		t.Errorf("no data: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "e.svg")); err == nil {
		t.Error("a file without data was written")
	}
}

// Values that are all alike are one sentence, bounds that are all alike are not: the values behind them may differ.
func TestConstantValues(t *testing.T) {
	t.Parallel()
	line := func(open bool) Chart {
		e := ratings.Estimate{Value: 446, N: 40, Interval: ratings.Interval{Lo: 446, Hi: 446, HiOpen: open}}
		return &Lines{Lines: []Line{{Points: []Point{PointOf(1, e), PointOf(2, e)}}}}
	}
	if words, ok := Constant(line(false)); !ok || words != "446 throughout" {
		t.Errorf("values: %q", words)
	}
	if words, ok := Constant(line(true)); ok {
		t.Errorf("bounds: %q", words)
	}
}
