package pages

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/arena/campaign"
	"spar/arena/evidence"
	"spar/arena/study"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/reports/balance"
	"spar/reports/page"
)

// newStudy is a balance study of random games: what the agents are called does not change how they play.
func newStudy(g *engines.Game, n int) balance.Data {
	rng := rand.New(rand.NewPCG(3, 4))
	tiers := []string{"random", "mcts-50", "mcts-100"}
	players := map[string]balance.Agent{}
	for i, name := range tiers {
		s := agents.DefaultSpec()
		s.Name, s.Type, s.Budget.Iterations = name, "mcts", int64(50*i)
		if i == 0 {
			s.Type = "random"
		}
		players[name] = balance.Agent{Name: name, Spec: &s, Budget: s.Budget}
	}
	var events []balance.Event
	var games []balance.Game
	id := int64(0)
	play := func(event int64, first, second string, pair int64) {
		p := g.NewPosition()
		for !p.Over() {
			ms := p.AppendMoves(nil)
			p.Play(ms[rng.IntN(len(ms))])
		}
		id++
		game := balance.Game{First: first, Second: second}
		game.ID, game.Event, game.Number, game.Pair, game.Hash = id, event, id, pair, id
		game.Moves, game.Plies, game.Result, game.Reason = g.JoinMoves(p.Played()), p.Ply(), p.Result().String(),
			p.Reason().String()
		games = append(games, game)
	}
	for i, purpose := range []string{
		campaign.PurposeMirror, campaign.PurposeOpenings, campaign.PurposeLadder,
		campaign.PurposeFirstMove,
	} {
		e := int64(i + 1)
		events = append(events, balance.Event{Event: study.Event{
			ID: e, Name: fmt.Sprintf("test/%d", e), Purpose: purpose,
			Seed: 7,
		}, Tiers: tiers})
		for k := range n {
			for j := range tiers {
				switch {
				case purpose == campaign.PurposeLadder && j > 0:
					play(e, tiers[j], tiers[j-1], int64(k*10+j))
					play(e, tiers[j-1], tiers[j], int64(k*10+j))
				case purpose != campaign.PurposeLadder:
					play(e, tiers[j], tiers[j], int64(k))
				}
			}
		}
	}
	var judge evidence.Judge
	for i := range games {
		x := &games[i]
		e := &events[x.Event-1]
		e.Games++
		x.Marks = judge.Mark(evidence.Facts{
			Purpose: e.Purpose, First: int64(slices.Index(tiers, x.First)),
			Second: int64(slices.Index(tiers, x.Second)), Hash: x.Hash,
		})
	}
	return balance.Data{
		Game: g, Label: g.Name(), Events: events, Agents: players,
		Games: func(context.Context) iter.Seq2[*balance.Game, error] {
			return func(yield func(*balance.Game, error) bool) {
				for _, game := range games {
					if !yield(&game, nil) {
						return
					}
				}
			}
		},
		Find: func(_ context.Context, id int64) (balance.Game, error) { return games[id-1], nil },
	}
}

// html writes a report as a page and checks what holds for every one.
func html(t *testing.T, r *balance.Report) string {
	t.Helper()
	d, err := Balance(r, Options{Commands: []page.Command{{Text: "spar balance test"}}, Study: "out/test.db"})
	if err != nil {
		t.Fatal(err)
	}
	var b, text, markdown bytes.Buffer
	if err := d.HTML(&b); err != nil {
		t.Fatal(err)
	}
	if err := d.Text(&text, 100); err != nil {
		t.Fatal(err)
	}
	if err := d.Markdown(&markdown, func(id string) string { return "figures/" + id + ".svg" }); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]string{"html": b.String(), "text": text.String(), "markdown": markdown.String()} {
		if m := regexp.MustCompile(`NaN|[^a-z]Inf[^io]|%!|\(nil\)`).FindString(s); m != "" {
			t.Errorf("%s contains %s", name, m)
		}
	}
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(b.String(), -1) {
		ids[m[1]] = true
	}
	for _, m := range regexp.MustCompile(` href="#([^"]*)"`).FindAllStringSubmatch(b.String(), -1) {
		if !ids[m[1]] {
			t.Errorf("a link to #%s leads nowhere", m[1])
		}
	}
	if b.Len() > 3<<20 {
		t.Errorf("%d bytes", b.Len())
	}
	return b.String()
}

// Numbers in the order of the page: the share of the first player's wins in the table is that of the report.
func TestPageSaysWhatTheReportSays(t *testing.T) {
	t.Parallel()
	r, err := balance.Measure(context.Background(), newStudy(enginetest.Load(t, "vanishing"), 12),
		balance.Options{SolveMemory: -1, Resamples: 20})
	if err != nil {
		t.Fatal(err)
	}
	first := r.Groups[r.Headline].Outcome.First
	want := fmt.Sprintf("%.1f\u00a0%%", 100*first.Value)
	if s := html(t, r); !strings.Contains(s, want) {
		t.Errorf("the page does not say %s", want)
	}
}

// A report without a single game is a page that says so.
func TestReportWithoutGames(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	r := &balance.Report{Headline: -1, Rules: balance.Rules{
		Name: "classic", Canonical: g.Rules().Canonical(), Columns: 3,
		Rows: 3,
	}, Missing: []balance.Missing{{Measure: "Outcome", Reason: "every game was forfeited"}}}
	if s := html(t, r); !strings.Contains(s, "every game was forfeited") {
		t.Error("what is missing is not named")
	}
	// the verdict of groups of which there is none
	if r.Headline = 0; !strings.Contains(html(t, r), "every game was forfeited") {
		t.Error("what is missing is not named")
	}
	if _, err := Balance(&balance.Report{Rules: balance.Rules{Canonical: "{"}}, Options{}); err == nil {
		t.Error("rules that cannot be read are no error")
	}
}
