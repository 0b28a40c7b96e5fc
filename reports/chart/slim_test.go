package chart

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSave(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, want := range map[string]string{"a.svg": "<svg", "b.PNG": "\x89PNG", "c.pdf": "%PDF"} {
		path := filepath.Join(dir, name)
		if err := Save(path, gallery()["clipped"], "alt"); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(b, []byte(want)) {
			t.Errorf("%s: %.8q, %v", name, b, err)
		}
	}
	if err := Save(filepath.Join(dir, "d.gif"), gallery()["clipped"], ""); err == nil ||
		!strings.Contains(err.Error(), "svg") {
		t.Errorf("gif: %v", err)
	}
	if err := Save(filepath.Join(dir, "e.svg"), &Lines{}, ""); !errors.Is(err, ErrNoData) {
		t.Errorf("no data: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "e.svg")); err == nil {
		t.Error("a file without data was written")
	}
}
