package serve

import (
	"testing"
	"time"
)

// The puzzle of the day is of a shipped game, proved at once, the same all day.
func TestDaily(t *testing.T) {
	t.Parallel()
	s, err := New(t.Context(), Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 1, 31, 8, 0, 0, 0, time.UTC)
	p, err := s.daily(day)
	again, _ := s.daily(day.Add(9 * time.Hour))
	if err != nil || p == nil || again == nil || p.Task != again.Task || p.Solution != again.Solution || p.Title == "" || p.Solution == "" {
		t.Errorf("%+v, then %+v, %v", p, again, err)
	}
}
