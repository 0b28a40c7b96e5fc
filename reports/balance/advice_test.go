package balance

import (
	"slices"
	"strings"
	"testing"

	"spar/arena/campaign"
	"spar/arena/store/storetest"
	"spar/configs/must"
	"spar/ratings"
	"spar/tuning/variants"
)

// Rolling is won by the first player. The study keeps what a small search for a remedy finds, with estimates as they
// were, and does not search again; the games of the search are not the study's.
func TestAdvise(t *testing.T) {
	t.Parallel()
	rules := must.Get(campaign.LoadRules("rolling", nil))(t)
	c := must.Get(campaign.New(rules, campaign.Request{Effort: "quick", Seed: 3, NoInquiry: true}))(t)
	c.Record.Budgets = []int64{4, 8}
	c.Record.Sizes = campaign.Sizes{Mirror: 40, Openings: 4, Ladder: 4, FirstMove: 12, Knob: 10}
	db := storetest.New(t)
	sum := must.Get(campaign.Run(t.Context(), t.Context(), db, []*campaign.Campaign{c}, campaign.Options{}))(t)
	for range 2 {
		must.Do(t, Advise(t.Context(), db, c, StudyOptions{}, func(string) {}))
	}
	events := must.Get(db.Events(t.Context()))(t)
	n := 0
	for _, e := range events {
		if e.Purpose == campaign.PurposeRemedies {
			n++
		}
	}
	r := must.Get(Study(t.Context(), db, "rolling", StudyOptions{}))(t)
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

// What a score of 400 games claims, and whether Spar looks for a remedy: where a side is surely far ahead, or surely
// ahead and not judged good.
func TestWhatAScoreClaims(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lo, hi float64
		colour Colour
		want   campaign.Claim
		unfair bool
	}{
		{0.56, 0.62, Good, campaign.First, true},
		{0.38, 0.44, Good, campaign.Second, true},
		{0.51, 0.56, Good, campaign.First, false},
		{0.44, 0.49, Middling, campaign.Second, true},
		{0.45, 0.55, Middling, campaign.Even, false},
		{0.47, 0.56, Undecided, campaign.Unknown, false},
	} {
		x := ratings.Estimate{Value: (c.lo + c.hi) / 2, Interval: ratings.Interval{Lo: c.lo, Hi: c.hi}, N: 400}
		r := &Report{Headline: -1, Lights: []Light{{Measure: "first_score", Number: x, Colour: c.colour}}}
		if got, unfair := sideOf(x), slices.Contains(r.Problems(), variants.Unfair); got != c.want || unfair != c.unfair {
			t.Errorf("%v, %s: %s, unfair %v", x, c.colour, got, unfair)
		}
	}
}
