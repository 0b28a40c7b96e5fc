package learn

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"spar/agents/bench"
	"spar/arena"
	"spar/arena/store"
	"spar/configs/must"
	"spar/engines/enginetest"
)

// In the time of a fake clock a training fills its minutes whatever its speed does, and no batch that would end later
// counts.
func TestTrainingsFillTheirTime(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	// seconds of a batch, by the share of the time that has passed
	for name, takes := range map[string]func(at float64) float64{
		"even":       func(float64) float64 { return 0.1 },
		"faster":     func(at float64) float64 { return 0.4 - 0.35*min(at, 1) },
		"slower":     func(at float64) float64 { return 0.05 + 0.2*at },
		"stuck":      func(at float64) float64 { return map[bool]float64{false: 0.1, true: 1000}[at > 0.5] },
		"two trains": func(float64) float64 { return 0.1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seeds := map[bool]int{false: 1, true: 2}[name == "two trains"]
			path := filepath.Join(t.TempDir(), "x.net")
			synctest.Test(t, func(t *testing.T) {
				assets := arena.NewAssets()
				began, batches := time.Now(), 0
				s := &Session{
					Game: g, Minutes: 1, Files: FilesOf(path), Tell: func(Report) {},
					Options: Options{Batch: 4, Seeds: seeds, Assets: assets},
				}
				s.Options.Pool = slow(func(ctx context.Context, tasks []arena.Task) []arena.Result {
					if batches++; batches == 1 {
						began = time.Now()
						return lots(tasks)
					}
					pause := time.NewTimer(time.Duration(takes(time.Since(began).Minutes()) * float64(time.Second)))
					select {
					case <-pause.C:
						return lots(tasks)
					case <-ctx.Done():
						return nil
					}
				})
				out := must.Get(s.Run(t.Context()))(t)
				if took := time.Since(began); took < 54*time.Second || took > time.Minute {
					t.Errorf("took %v", took)
				}
				if out.Net.About().Games < 400 {
					t.Errorf("%d games", out.Net.About().Games)
				}
			})
		})
	}
}

// slow is a pool that may be left in the midst of a batch.
type slow func(context.Context, []arena.Task) []arena.Result

func (slow) Workers() int { return 1 }

func (p slow) Play(ctx context.Context, tasks <-chan []arena.Task, results chan<- []arena.Result) error {
	var all []arena.Task
	for batch := range tasks {
		all = append(all, batch...)
	}
	results <- p(ctx, all)
	return ctx.Err()
}

func lots(tasks []arena.Task) []arena.Result {
	var out []arena.Result
	for _, task := range tasks {
		out = append(out, won(task.Number, "a1 b1 a2 b2 a3"))
	}
	return out
}

// A training that was killed and is continued gives the same net as one that was not, byte for byte, gate and all,
// whatever the clocks say.
func TestContinuedTrainingGivesTheSameNet(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	learn := func(speed float64, stops ...int64) []byte {
		path := filepath.Join(t.TempDir(), "x.net")
		ticks := 0.0
		clock := func() float64 { ticks += speed; return ticks }
		for run := 0; ; run++ {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			s := Session{
				Game: g, Options: Options{Games: 1024, Seed: 1, CPU: clock}, Files: FilesOf(path), Tell: func(r Report) {
					if run < len(stops) && r.Games >= stops[run] {
						cancel()
					}
				},
				Exam: Examination{Pairs: 4, Nodes: 40, Seed: 3, Clock: bench.Clock{CPU: clock, Wall: clock}},
				DB:   func() (*store.DB, error) { return store.Open(t.Context(), path+".db", store.Create) },
			}
			out, err := s.Run(ctx)
			if run < len(stops) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			data := must.Get(os.ReadFile(out.Files[0]))(t)
			if about := out.Net.About(); about.Gate == nil || about.CPUSecond == 0 {
				t.Errorf("what was measured: %+v", about)
			}
			if text, err := os.ReadFile(MeasuredOf(out.Files[0])); err != nil || !strings.Contains(string(text), `"gate": {`) {
				t.Errorf("what was measured: %s, %v", text, err)
			}
			return data
		}
	}
	if whole, continued := learn(0.01), learn(0.017, 1); !bytes.Equal(whole, continued) {
		t.Error("another net")
	}
}
