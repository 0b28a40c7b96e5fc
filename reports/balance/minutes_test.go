package balance

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"spar/agents/pace"
	"spar/arena"
	"spar/arena/campaign"
	"spar/arena/store"
	"spar/configs/must"
)

// slow is this process as a pool in which a game takes 50 ms of the fake clock.
type slow struct{ *arena.Local }

func (p slow) Play(ctx context.Context, tasks <-chan []arena.Task, results chan<- []arena.Result) error {
	later := make(chan []arena.Task)
	go func() {
		defer close(later)
		for batch := range tasks {
			select {
			case <-time.After(time.Duration(len(batch)) * 50 * time.Millisecond):
			case <-ctx.Done():
			}
			select {
			case later <- batch:
			case <-ctx.Done():
			}
		}
	}()
	return p.Local.Play(ctx, later, results)
}

// A limit in minutes holds for the playing of several rules, for the steps, which here would never be found, and for
// the report, within a tenth.
func TestMinutesHold(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		db := must.Get(store.Open(ctx, path, store.Create))(t)
		defer db.Close()
		var cs []*campaign.Campaign
		for _, name := range []string{"classic", "misere-tictactoe"} {
			rules := must.Get(campaign.LoadRules(name, nil))(t)
			c := must.Get(campaign.New(rules, campaign.Request{Effort: "normal", Tiers: campaign.ByMCTS, Seed: 1}))(t)
			cs = append(cs, c)
		}
		assets := arena.NewAssets()
		local := arena.NewLocal(assets, 2)
		defer local.Close()
		const limit = 2 * time.Minute
		began, left := time.Now(), pace.Within(limit)
		sum, err := campaign.Run(ctx, ctx, db, cs, campaign.Options{
			Workers: 2, Assets: assets, Pool: slow{local}, Time: left,
		})
		if err != nil || !sum.Finished || !sum.Cut || sum.Played < 50 {
			t.Errorf("%+v: %v", sum, err)
		}
		for i, c := range cs {
			o := StudyOptions{Options: Options{Workers: 2}, Time: left.Part(1 / float64(len(cs)-i))}
			if _, err := Study(ctx, db, c.Rules.Label, o); err != nil && !errors.Is(err, ErrNoGames) {
				t.Error(err)
			}
		}
		if took := time.Since(began); took > limit+limit/10 {
			t.Errorf("took %v of %v", took, limit)
		}
	})
}
