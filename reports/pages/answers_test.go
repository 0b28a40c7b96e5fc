package pages

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"spar/arena/campaign"
	"spar/engines/enginetest"
	"spar/reports/balance"
	"spar/reports/page"
	"spar/reports/table"

	"spar/ratings"
)

// scaleOf is the scale of a kind of values, by its name.
func scaleOf(kind string) ratings.Scale {
	return map[string]ratings.Scale{
		"share": ratings.ScaleShare, "score": ratings.ScaleShare, "elo": ratings.ScaleElo,
		"elo per doubling": ratings.ScaleElo, "plies": ratings.ScaleCount, "moves": ratings.ScaleCount,
	}[kind]
}

func number100(value, lo, hi float64, unit string) ratings.Estimate {
	return ratings.Estimate{
		Value: value, Interval: ratings.Interval{Lo: lo, Hi: hi}, N: 400, Unit: "games",
		Scale: scaleOf(unit), Method: "wilson",
	}
}

// reportOn is a report of random games whose numbers a test may set.
func reportOn(t *testing.T, rules string, set ...string) *balance.Report {
	t.Helper()
	r, err := balance.Measure(context.Background(), newStudy(enginetest.Load(t, rules, set...), 4),
		balance.Options{SolveMemory: -1, Resamples: 20})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// light sets a light of a report.
func light(r *balance.Report, measure string, n ratings.Estimate, colour balance.Colour) {
	for i := range r.Lights {
		if l := &r.Lights[i]; l.Measure == measure {
			l.Number, l.Colour = n, colour
		}
	}
}

func answersOf(t *testing.T, r *balance.Report) map[string]page.Answer {
	t.Helper()
	d, err := Balance(r, Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := words(d.Title)
	out := map[string]page.Answer{}
	for _, a := range d.Answers {
		out[a.Question] = a
		n += words(a.Question, a.Text)
		if m := regexp.MustCompile(`(?i)oracle|pool|holm|chi|elo\b|tier|mirror|NaN|Inf`).FindString(a.Text); m != "" {
			t.Errorf("%q says %s", a.Text, m)
		}
	}
	if n > mostWords {
		t.Errorf("%d words before the first picture: %+v", n, d.Answers)
	}
	return out
}

// What each answer says follows from the numbers, and stays short however long they are.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		rules string
		set   []string
		make  func(r *balance.Report)
		want  map[string]string // question: part of the text
		poor  string            // questions that are answered by "poor"
	}{
		{"a forced win comes first", "vanishing", nil, func(r *balance.Report) {
			r.Verdict = balance.Conclusion{Claim: campaign.First, Scope: balance.AboutRules, Exact: true}
			light(r, "first_score", number100(0.49, 0.46, 0.52, "score"), balance.Middling)
		}, map[string]string{"Fair?": "With best play the first player wins. These agents: first player 49 % " +
			"(46–52, 400 games)"}, "Fair?"},
		{"all searches agree", "vanishing", nil, func(r *balance.Report) {
			r.Verdict = balance.Conclusion{Claim: campaign.Second, Scope: balance.AboutRules}
		}, map[string]string{"Fair?": "All searches favour the second player"}, "Fair?"},
		{"agents only", "vanishing", nil, func(r *balance.Report) {
			r.Verdict = balance.Conclusion{Claim: campaign.Unknown, Scope: balance.AboutAgents}
			light(r, "first_score", number100(0.61, 0.58, 0.64, "score"), balance.Poor)
		}, map[string]string{"Fair?": "First player ahead here, stronger play unknown: 61 % (58–64, 400 games)"}, "Fair?"},
		{"agents only, of the second", "vanishing", nil, func(r *balance.Report) {
			r.Verdict = balance.Conclusion{Claim: campaign.Unknown, Scope: balance.AboutAgents}
			light(r, "first_score", number100(0.39, 0.36, 0.42, "score"), balance.Poor)
		}, map[string]string{"Fair?": "Second player ahead here, stronger play unknown: first player 39 % " +
			"(36–42, 400 games)"}, "Fair?"},
		{"an interval that holds one half", "vanishing", nil, func(r *balance.Report) {
			r.Verdict = balance.Conclusion{Claim: campaign.Unknown, Scope: balance.AboutAgents}
			light(r, "first_score", number100(0.55, 0.5, 0.6, "score"), balance.Middling)
		}, map[string]string{"Fair?": "Undecided: first player 55 % (50–60, 400 games)"}, ""},
		{"an interval that holds one half at its other end", "vanishing", nil, func(r *balance.Report) {
			r.Verdict = balance.Conclusion{Claim: campaign.Unknown, Scope: balance.AboutAgents}
			light(r, "first_score", number100(0.45, 0.4, 0.5, "score"), balance.Middling)
		}, map[string]string{"Fair?": "Undecided: first player 45 % (40–50, 400 games)"}, ""},
		{"even for all searches", "vanishing", nil, func(r *balance.Report) {
			r.Verdict = balance.Conclusion{Claim: campaign.Even, Scope: balance.AboutRules}
		}, map[string]string{"Fair?": "Even for all searches. These agents: first player"}, ""},
		{"a draw with best play", "vanishing", nil, func(r *balance.Report) {
			r.Verdict = balance.Conclusion{Claim: campaign.Even, Scope: balance.AboutRules, Exact: true}
		}, map[string]string{"Fair?": "With best play a draw. These agents: first player"}, ""},
		{"nobody can win", "gomoku9", []string{"draw.max_plies=6"}, nil, map[string]string{
			"Fair?": "Nobody can win.",
			"Next?": "Change win.line.",
		}, "Fair?"},
		{"full boards", "classic", nil, nil, map[string]string{"Ends?": "Always: the board fills"}, ""},
		{
			"games that do not end", "infiltration-6x6", nil, func(r *balance.Report) {
				light(r, "completion", number100(0.81, 0.71, 0.88, "share"), balance.Poor)
			},
			map[string]string{"Ends?": "Often not: only 81 % (71–88, 400 games)", "Next?": "No changes of the rules tried"},
			"Ends?",
		},
		{"a mechanic that never happens", "infiltration-6x6", nil, func(r *balance.Report) {
			for i, u := range r.Groups[r.Headline].Alive {
				if u.Mechanic == "jumps" || u.Mechanic == "chains" {
					r.Groups[r.Headline].Alive[i].PerGame.Value = 0
				}
			}
		}, map[string]string{"Alive?": "No jumps, no further jumps in 4 games"}, "Alive?"},
		{"deep", "vanishing", nil, func(r *balance.Report) {
			r.Ladder.Skill, r.Ladder.LowerBound = number100(4.2, 3.8, 4.6, "rungs"), true
		}, map[string]string{"Deep?": "4.2 (3.8–4.6) levels of skill, or more"}, ""},
		{
			"the knob that mends most, and its cost", "infiltration-6x6", nil, func(r *balance.Report) {
				light(r, "completion", number100(1, 0.99, 1, "share"), balance.Good)
				light(r, "draws", number100(0.1, 0.08, 0.12, "share"), balance.Good)
				light(r, "first_score", number100(0.61, 0.58, 0.64, "score"), balance.Poor)
				jumps := func(n float64) []balance.Use {
					return []balance.Use{{Mechanic: "jumps", PerGame: number100(n, n*0.9, n*1.1, "times per game")}}
				}
				response := func(score, completion, jumpsAGame float64) balance.KnobResponse {
					return balance.KnobResponse{
						Score: number100(score, score-0.03, score+0.03, "score"), Completion: number100(completion, completion-0.01,
							completion, "share"),
						Draws: number100(0.1, 0.08, 0.12, "share"), Length: number100(30, 28, 32, "plies"), Alive: jumps(jumpsAGame),
					}
				}
				variant := func(path, value string, v balance.KnobResponse, score, completion float64) balance.KnobVariant {
					return balance.KnobVariant{
						Path: path, Value: value, Response: v, Certain: true, P: 0.001,
						Change: balance.KnobResponse{
							Score: number100(score, score-0.04, score+0.04, "score"), Completion: number100(completion, completion-0.02,
								completion+0.02, "share"),
							Draws: number100(0, -0.02, 0.02, "share"), Length: number100(0, -1, 1, "plies"),
						},
					}
				}
				r.Knobs = &balance.Knobs{Agent: "mcts-50", Base: response(0.61, 1, 15.5), Variants: []balance.KnobVariant{
					variant("pieces.supply", "5", response(0.56, 1, 15), -0.05, 0),
					variant("win.line", "4", response(0.52, 0.89, 3.3), -0.09, -0.11),
					variant("turn.pie", "true", response(0.70, 1, 15), 0.09, 0),
				}}
			},
			map[string]string{"Next?": "Try win.line=4: among weaker agents first player 61 → 52 %, 400 games; cost: games " +
				"that end 100 → 89 %, jumps 15.5 → 3.3", "Fair?": "(58–64, 400 games)", "Ends?": "All 400 games (95 %: 99.0–100)"},
			"Fair?",
		},
		{"nothing to mend", "vanishing", nil, func(r *balance.Report) {
			light(r, "completion", number100(1, 0.99, 1, "share"), balance.Good)
			light(r, "draws", number100(0.1, 0.08, 0.12, "share"), balance.Good)
			light(r, "first_score", number100(0.5, 0.48, 0.52, "score"), balance.Good)
		}, map[string]string{
			"Next?": "No change suggested.",
			"Fair?": "Even among these agents, stronger play unknown: first player 50 % (48–52, 400 games)",
		}, ""},
	} {
		r := reportOn(t, c.rules, c.set...)
		if c.make != nil {
			c.make(r)
		}
		got := answersOf(t, r)
		for q, want := range c.want {
			if !strings.Contains(got[q].Text, want) {
				t.Errorf("%s: %s %q, want %q", c.name, q, got[q].Text, want)
			}
		}
		if c.poor != "" && got[c.poor].Status != table.Poor {
			t.Errorf("%s: %s is %s, want poor", c.name, c.poor, got[c.poor].Status)
		}
	}
}

// What hands the game to one side is no advice, where the rules as they are do not.
func TestDecides(t *testing.T) {
	t.Parallel()
	score := func(x float64) balance.KnobResponse { return balance.KnobResponse{Score: number100(x, x, x, "score")} }
	for _, c := range []struct {
		base, variant float64
		certain, want bool
	}{
		{0.52, 1, true, true},
		{0.52, 1, false, false},
		{0.52, 0.7, true, false},
		{0.9, 1, true, false},
		{0.5, 0.1, true, true},
	} {
		if got := decides(score(c.base), &balance.KnobVariant{
			Response: score(c.variant),
			Certain:  c.certain,
		}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
