package balance

import (
	"path/filepath"
	"strings"
	"testing"

	"spar/arena/campaign"
	"spar/arena/store"
	"spar/tuning/variants"
)

// Rolling is won by the first player. The study keeps what a small search for a remedy finds, with estimates as they
// were, and does not search again; the games of the search are not the study's.
func TestAdvise(t *testing.T) {
	t.Parallel()
	rules, err := campaign.LoadRules("rolling", nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.New(rules, campaign.Request{Effort: "quick", Seed: 3, NoInquiry: true})
	if err != nil {
		t.Fatal(err)
	}
	c.Record.Budgets = []int64{4, 8}
	c.Record.Sizes = campaign.Sizes{Mirror: 40, Openings: 4, Ladder: 4, FirstMove: 12, Knob: 10}
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "study.db"), store.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	sum, err := campaign.Run(t.Context(), t.Context(), db, []*campaign.Campaign{c}, campaign.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := Advise(t.Context(), db, c, StudyOptions{}, func(string) {}); err != nil {
			t.Fatal(err)
		}
	}
	events, err := db.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range events {
		if e.Purpose == campaign.PurposeRemedies {
			n++
		}
	}
	r, err := Study(t.Context(), db, "rolling", StudyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if n != 1 || r.Study.Games != sum.Games || r.Remedies == nil || r.Remedies.Problem != variants.Unfair || r.Remedies.Tried < 10 ||
		r.Remedies.Base.Winner != "first" || r.Remedies.Base.Score.N == 0 || r.Remedies.Base.Score.Hi < 0.7 {
		t.Fatalf("%d events, %d games of %d, %+v", n, r.Study.Games, sum.Games, r.Remedies)
	}
	for _, a := range r.Answers {
		if a.Question == toChange && !strings.Contains(strings.ToLower(a.Claim), strings.ToLower(r.Remedies.Text)) {
			t.Errorf("%q does not say %q", a.Claim, r.Remedies.Text)
		}
	}
}
