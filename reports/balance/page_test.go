package balance

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/arena/campaign"
	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/tuning/predict"
	"spar/tuning/variants"
)

// share is a fraction of 400 games with an interval of so much to each side.
func share(v, half float64) ratings.Estimate {
	return ratings.Estimate{
		Value: v, Interval: ratings.Interval{Lo: max(0, v-half), Hi: min(1, v+half)}, N: 400, Unit: "games",
		Scale: ratings.ScaleShare, Method: "wilson",
	}
}

// light sets a light of a report.
func setLight(r *Report, measure string, n ratings.Estimate, colour Colour) {
	for i := range r.Lights {
		if l := &r.Lights[i]; l.Measure == measure {
			l.Number, l.Colour = n, colour
		}
	}
}

// What the first sentence and the answers say follows from the numbers.
func TestAnswers(t *testing.T) {
	t.Parallel()
	ahead := func(v float64) func(r *Report) {
		return func(r *Report) {
			r.Verdict = Conclusion{Claim: campaign.Unknown, Scope: AboutAgents}
			setLight(r, "first_score", share(v, 0.03), Poor)
			r.Groups[r.Headline].Ends.Finished = share(1, 0.01)
		}
	}
	noJumps := func(half float64) func(r *Report) {
		return func(r *Report) {
			alive := r.Groups[r.Headline].Alive
			i := slices.IndexFunc(alive, func(u Use) bool { return u.Mechanic == "jumps" })
			alive[i].Games, alive[i].PerGame = share(0, half), share(0, half)
		}
	}
	won := func(winner string, plies int) func(r *Report) {
		return func(r *Report) {
			r.Exact = &campaign.Exact{Winner: winner, Plies: plies}
			r.Verdict = Conclusion{Claim: campaign.Claim(winner), Scope: AboutRules, Exact: true}
		}
	}
	people := func(novice, practised float64) *ForPeople {
		return &ForPeople{
			Novice: predict.Forecast{Payoff: novice, Plies: 13}, Practised: predict.Forecast{Payoff: practised}, Error: 0.07,
		}
	}
	endsBy := func(reason, kind string, finished float64) func(r *Report) {
		return func(r *Report) {
			g := &r.Groups[r.Headline]
			g.Ends.Finished = share(finished, 0.01)
			g.Ends.Reasons = []ReasonShare{
				{Reason: reason, Kind: kind, Share: share(1-finished, 0.01)}, {Reason: "line", Kind: "win", Share: share(finished, 0.01)},
			}
			setLight(r, "completion", share(1, 0.005), Good)
		}
	}
	for name, c := range map[string]struct {
		rules string
		set   []string
		make  func(r *Report)
		want  map[string]string // question: the whole answer; "" is the first sentence
	}{
		"a forced win comes first": {"vanishing", nil, func(r *Report) {
			won("first", 13)(r)
			setLight(r, "first_score", share(0.49, 0.03), Poor)
		}, map[string]string{
			"":       "With best play the first player wins in 13 plies.",
			"Fair?":  "poor No. With best play the first player wins in 13 plies. These agents do not find the win: when random plays itself, the first player scores 49 % (46 to 52), 400 games.",
			toChange: " None played. Find one with spar balance remedies vanishing.",
		}},
		"nobody gets home": {"hexapawn", []string{"movement.directions=[forward, sideways]", "draw.repetition=3"}, func(r *Report) {
			won("draw", 0)(r)
			endsBy("repetition", "draw", 0.02)(r)
			setLight(r, "draws", share(0.98, 0.01), Poor)
		}, map[string]string{
			"":      "Nobody gets home: 98 % (97 to 99) of random's games against itself are drawn by repetition.",
			"Fair?": " Yes. With best play the game is a draw. When random plays itself, the White player scores 49 % (46 to 52), 400 games.",
		}},
		"nobody wins": {"vanishing", nil, endsBy("repetition", "draw", 0.02), map[string]string{
			"":      "Nobody wins: 98 % (97 to 99) of random's games against itself are drawn by repetition.",
			"Ends?": "poor No. 98 % (97 to 99) of random's games against itself end by repetition, 2 % (1 to 3) by a line of 3. Half end by",
		}},
		"a limit ends most games": {"infiltration-6x6", nil, endsBy("ply_cap", "cap", 0.3), map[string]string{
			"": "Most games reach no goal: 70 % (69 to 71) of random's games against itself end by the ply limit.",
		}},
		"a first move speaks against the second player": {"vanishing", nil, func(r *Report) {
			ahead(0.39)(r)
			r.FirstMove = &FirstMoves{Moves: []FirstMove{{Move: "b2", Score: share(0.92, 0.05), Uneven: true}}}
		}, map[string]string{
			"": "The second player is ahead: the first scores 39 % (36 to 42), but 92 % (87 to 97), 400 games, after b2.",
		}},
		"it speaks against a lead that is not sure": {"vanishing", nil, func(r *Report) {
			ahead(0.39)(r)
			setLight(r, "first_score", share(0.39, 0.03), Undecided)
			r.FirstMove = &FirstMoves{Moves: []FirstMove{{Move: "b2", Score: share(0.92, 0.05), Uneven: true}}}
		}, map[string]string{
			"": "It is not known yet who is ahead: the first player scores 39 % (36 to 42), but 92 % (87 to 97), 400 games, after b2.",
		}},
		"so does the next weaker agent": {"vanishing", nil, func(r *Report) {
			ahead(0.39)(r)
			setLight(r, "first_score", share(0.39, 0.03), Undecided)
			r.Trends.Score.Points = []TierPoint{{Name: "weaker", Number: share(0.52, 0.03)}, {Number: share(0.39, 0.03)}}
		}, map[string]string{
			"": "It is not known yet who is ahead: the first player scores 39 % (36 to 42), but 52 % (49 to 55), 400 games, when weaker plays itself.",
		}},
		"a first move whose score may be chance does not": {"vanishing", nil, func(r *Report) {
			ahead(0.39)(r)
			r.FirstMove = &FirstMoves{Moves: []FirstMove{{Move: "b2", Score: share(0.92, 0.05)}}}
		}, map[string]string{"": "The second player is ahead: the first scores 39 % (36 to 42)."}},
		"the second player is ahead": {"vanishing", nil, func(r *Report) { ahead(0.39)(r); r.People = people(0, 0.16) }, map[string]string{
			"For people?": "none",
			"":            "The second player is ahead: the first scores 39 % (36 to 42).",
			"Fair?":       "poor Not here. The second player is ahead: the first scores 39 % (36 to 42). 400 games; the result of stronger play is unknown.",
		}},
		"an interval with one half": {"vanishing", nil, func(r *Report) {
			ahead(0.48)(r)
			setLight(r, "first_score", share(0.48, 0.04), Undecided)
		}, map[string]string{
			"":      "It is not known yet who is ahead: the first player scores 48 % (44 to 52).",
			"Fair?": "undecided Not known yet. When random plays itself, the first player scores 48 % (44 to 52), 400 games.",
		}},
		"two kinds of search agree": {"vanishing", nil, func(r *Report) {
			r.Verdict = Conclusion{Claim: campaign.Second, Scope: AboutRules}
		}, map[string]string{"": "Two kinds of search agree that the second player wins."}},
		"nobody can win": {"gomoku9", []string{"draw.max_plies=6"}, nil, map[string]string{
			"": "Nobody can win under these rules.", "Fair?": "poor No. Nobody can win.", toChange: " Change win.line.",
		}},
		"a full board":                     {"classic", nil, nil, map[string]string{"Ends?": "good Yes. Every game ends: each placement fills a cell."}},
		"a mechanic that never happens":    {"infiltration-6x6", nil, noJumps(0.02), map[string]string{"Alive?": "poor No. No jumps"}},
		"too few games to miss a mechanic": {"infiltration-6x6", nil, noJumps(0.9), map[string]string{"Alive?": "none"}},
		"deep": {"vanishing", nil, func(r *Report) {
			r.Ladder = &Ladder{Rungs: []Rung{{Lower: "a", Upper: "b", Doubling: 1, Score: share(0.65, 0.04)}}}
			setLight(r, "top_doubling", share(0.9, 0.1), Good)
		}, map[string]string{"Deep?": "good Yes. A search twice as long scores 65 % (61 to 69) against a."}},
		"a draw that these agents do not find": {"vanishing", nil, func(r *Report) {
			won("draw", 0)(r)
			setLight(r, "first_score", share(0.4, 0.03), Middling)
		}, map[string]string{
			"":       "No flaw found: with best play the game is a draw, and 10 % (9 to 11) of random's games against itself are drawn.",
			toChange: " Nothing for fairness, endings or draws.",
		}},
		"a pie": {"hex5", []string{"turn.pie=true"}, won("second", 13), map[string]string{
			"Fair?": "poor No. With best play the Blue player wins in 13 plies, as always under a pie rule without draws.",
		}},
		"people": {"vanishing", nil, func(r *Report) { won("first", 13)(r); r.People = people(0, 0.16) }, map[string]string{
			"For people?": " Predicted, validated only for line games without moves or captures; novices: the first player scores 50 %, 0 % draws, 13 plies; experienced players: 58 %",
		}},
		"people, against the exact value": {
			"vanishing", nil, func(r *Report) { won("second", 13)(r); r.People = people(0, 0.16) },
			map[string]string{"For people?": "none"},
		},
		"advice of agents that do not see who is ahead": {"vanishing", nil, func(r *Report) {
			ahead(0.89)(r)
			r.Remedies = &variants.RemedyResult{
				Problem: variants.Unfair, Agent: "mcts-50v", Base: variants.Remedy{Score: share(0.53, 0.1)},
				Text: "The rules may be fair already",
			}
		}, map[string]string{toChange: " Not found yet: changes were tried with mcts-50v, in too few games to see who is ahead. The first player scores 53 % (43 to 63) in them, so no change could be seen to help."}},
		"the names of the sides": {"connect4", nil, ahead(0.61), map[string]string{
			"": "The Red player is ahead: 61 % (58 to 64).",
		}},
	} {
		g := enginetest.Load(t, c.rules, c.set...)
		r := measureGames(t, records(g, c.rules, []Event{event(1, campaign.PurposeMirror, "random")},
			players(map[string]int64{"random": 0}), randomGames(g, 1, 1, 4, 1)), Options{})
		setLight(r, "first_score", share(0.49, 0.03), Middling)
		for _, m := range []string{"completion", "draws"} {
			setLight(r, m, share(0.1, 0.01), Good)
		}
		if c.make != nil {
			c.make(r)
		}
		r.answer(g)
		got := map[string]string{"": sentences(r.Summary.Text), "For people?": "none", "Alive?": "none"}
		for i, a := range r.pageAnswers() {
			got[a.Question] = string(r.Answers[i].Colour) + " " + strings.TrimPrefix(a.Verdict+". "+a.Text, ". ")
		}
		for q, want := range c.want {
			if !strings.HasPrefix(got[q], want) {
				t.Errorf("%s: %s\n%q, want\n%q", name, q, got[q], want)
			}
		}
	}
}

// A game that a line loses is won by a line of the opponent.
func TestWaysOfLosing(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"classic": "first player: a line of 3", "misere-tictactoe": "first player: a line of 3 by the opponent",
	} {
		g := enginetest.Load(t, name)
		r := measureGames(t, records(g, name, []Event{event(1, campaign.PurposeMirror, "random")},
			players(map[string]int64{"random": 0}), randomGames(g, 1, 1, 40, 1)), Options{})
		if rows := r.view(g).ways()[0].Chart.(*chart.Forest).Rows; !slices.ContainsFunc(rows, func(r chart.Row) bool {
			return r.Label == want
		}) {
			t.Errorf("%s: %+v", name, rows)
		}
	}
}

// The page, as Markdown in a golden file; in HTML, every link leads somewhere, and no number is missing in a sentence.
func TestPage(t *testing.T) {
	t.Parallel()
	d, v := wholeStudy(t, "vanishing")
	r := measureGames(t, d, Options{Oracle: v})
	r.Study.DB = "test.db"
	empty := &Report{
		Headline: -1, Rules: Rules{Name: "classic", Canonical: enginetest.Load(t, "classic").Rules().Canonical()},
		Missing: []Missing{{Measure: "Outcome", Reason: noGame}},
	}
	for name, r := range map[string]*Report{"page": r, "": empty} {
		doc := must.Get(r.Page(PageOptions{Commands: []page.Command{{Text: "spar balance test"}}}))(t)
		var html, markdown, text bytes.Buffer
		for _, err := range []error{doc.HTML(&html), doc.Text(&text, 80), doc.Markdown(&markdown, func(id string) string { return id })} {
			if err != nil {
				t.Fatal(err)
			}
		}
		all := html.String() + text.String() + markdown.String()
		if m := regexp.MustCompile(`NaN|[^a-z]Inf[^io]|%!|\(nil\)`).FindString(all); m != "" {
			t.Errorf("the page contains %s", m)
		}
		for _, m := range regexp.MustCompile(` href="#([^"]*)"`).FindAllStringSubmatch(html.String(), -1) {
			if !strings.Contains(html.String(), ` id="`+m[1]+`"`) {
				t.Errorf("a link to #%s leads nowhere", m[1])
			}
		}
		if name != "" {
			goldenFile(t, name+".md", markdown.String())
		} else if !strings.Contains(html.String(), noGame) {
			t.Error("what is missing is not named")
		}
	}
	if _, err := (&Report{Rules: Rules{Canonical: "{"}}).Page(PageOptions{}); err == nil {
		t.Error("rules that cannot be read are no error")
	}
}

// goldenFile compares a text with a file of testdata.
func goldenFile(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		must.Do(t, os.WriteFile("testdata/"+name, []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile("testdata/" + name))(t)
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-update writes it): %s", name, d)
	}
}

// A comparison begins with its largest significant change, and names the exact values.
func TestComparisonPage(t *testing.T) {
	t.Parallel()
	row := func(group, measure string, before, after, half float64, verdict string) Row {
		change := share(after-before, 0)
		change.Interval = ratings.Interval{Lo: after - before - half, Hi: after - before + half}
		return Row{group, measure, share(before, 0.05), share(after, 0.05), change, verdict}
	}
	c := &Comparison{
		Level: 0.95, Before: Side{DB: "a.db", Rules: "x", Games: 1, Exact: "the first player wins in 13 plies"},
		After: Side{DB: "b.db", Rules: "y", Games: 2, Exact: "draw"}, Knobs: []KnobChange{{"win.line", "3", "4"}},
		Rows: []Row{
			row("mirror/b", "draws", 0.1, 0.4, 0.1, "more"), row("mirror/a", "score", 0.6, 0.5, 0.05, "less"),
			row("mirror/b", "score", 0.5, 0.52, 0.1, Undecided),
		}, top: "mirror/b",
	}
	var text bytes.Buffer
	must.Do(t, c.Page().Text(&text, 80))
	goldenFile(t, "comparison.txt", text.String())
}

// A figure of more than four agents says that it leaves some out: the weakest and the strongest stay.
func TestSomeSaysWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	groups := make([]*Group, 9)
	for i := range groups {
		groups[i] = &Group{Games: int64(i)}
	}
	if shown, say := some(groups[:4]); len(shown) != 4 || say != "" {
		t.Errorf("of four: %d, %q", len(shown), say)
	}
	shown, say := some(groups)
	if len(shown) != 4 || shown[0] != groups[0] || shown[3] != groups[8] || say != " Shown: 4 of 9 agents." {
		t.Errorf("of nine: %d, %q", len(shown), say)
	}
}
