package standings_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/arena"
	"spar/arena/campaign"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
	"spar/ratings"
	"spar/reports/balance"
	"spar/reports/standings"
)

// The first player's score of a study's rules is the same number in standings and in the report, with its interval and
// its games: of a tournament, of agents against themselves, and of both by agents that fail.
func TestFirstPlayerScoreIsOneNumber(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	const agents = "agents: [random, greedy, {agent: random, name: dice}]\n"
	const mirror = "games: [classic]\n" + agents
	played := func(purpose, plan string) func(*store.DB) error {
		return func(db *store.DB) error {
			p, err := arena.LoadPlan("p.yaml", []byte(plan))
			if err == nil {
				p.Purpose = purpose
				if strings.HasSuffix(plan, mirror) {
					p.Format = "mirror" // which no file can name
				}
				_, err = arena.Run(ctx, ctx, p, db, arena.Options{})
			}
			return err
		}
	}
	tournament := played("tournament", "name: a\ngames: [vanishing, classic]\npairs: 30\nopenings: {plies: 2}\n"+agents)
	for name, play := range map[string][]func(*store.DB) error{
		"tournament": {tournament},
		"mirror":     {tournament, played("tournament", "name: b\npairs: 20\n"+mirror)},
		"from the start": {
			tournament, played(campaign.PurposeMirror, "name: c\npairs: 20\n"+mirror),
			played(campaign.PurposeOpenings, "name: d\npairs: 20\nopenings: {plies: 1}\n"+mirror),
		},
		"from openings": {tournament, played(campaign.PurposeOpenings, "name: d\npairs: 20\nopenings: {plies: 2}\n"+mirror)},
	} {
		db := storetest.New(t)
		for _, p := range play {
			must.Do(t, p(db))
		}
		sameScore(t, name, db)
	}
	sameScore(t, "a study with everything", makeStudy(t))
}

func sameScore(t *testing.T, name string, db *store.DB) {
	t.Helper()
	pools := must.Get(standings.Study(t.Context(), db, standings.PerRules, ratings.Options{}))(t)
	for _, p := range pools {
		r := must.Get(balance.Study(t.Context(), db, p.Rules, balance.StudyOptions{Options: balance.Options{SolveMemory: -1}}))(t)
		want, got := p.First[p.Rules], r.Groups[r.Headline].Outcome.Score
		want.Note, got.Note = "", "" // of a small sample
		if d := cmp.Diff(want, got); d != "" || !(got.Hi > got.Lo) {
			t.Errorf("%s, %s: standings %s, report %s: %s", name, p.Rules, want, got, d)
		}
	}
}
