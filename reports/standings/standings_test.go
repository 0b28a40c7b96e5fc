package standings_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/ratings"
	"spar/reports/standings"
)

// makeStudy makes a study with games of every kind: of two rules, agents with and without chance, against themselves,
// of a search for weights, forfeited, repeated.
func makeStudy(t testing.TB) *store.DB {
	t.Helper()
	ctx := context.Background()
	db := storetest.New(t)
	id := func(id int64, err error) int64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	var rules, agents []int64
	for _, name := range []string{"classic", "rolling"} {
		g := enginetest.Load(t, name)
		rules = append(rules, id(db.RulesID(ctx, name, g.RulesHash(), g.Rules().Canonical())))
	}
	for _, a := range [][2]string{
		{"random", `{"type":"random"}`},
		{"dice", `{"type":"random"}`},
		{"sure", `{"type":"heuristic","ties":"first"}`},
		{"certain", `{"type":"heuristic","ties":"first"}`},
	} {
		agents = append(agents, id(db.AgentID(ctx, a[0], a[1])))
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, purpose := range []string{"tournament", "tuning", "validation"} {
		e := must.Get(db.BeginEvent(ctx, study.Event{Name: purpose, Purpose: purpose, Plan: "{}"}))(t)
		var games []study.Game
		for i := range int64(400) {
			a, b := agents[rng.IntN(4)], agents[rng.IntN(4)]
			r := rules[rng.IntN(2)]
			for seat := range int64(2) {
				g := study.Game{
					Event: e.ID, Number: 2*i + seat, Pair: i, Rules: r, First: a, Second: b, Hash: rng.Int64N(5),
					Moves: "b2 a1 c1 a3 c3", Plies: 5,
					Result: []string{"first", "second", "draw"}[rng.IntN(3)], Reason: "line", Timed: rng.IntN(10) == 0,
				}
				if g.Result != "draw" && rng.IntN(10) == 0 {
					g.Reason = "forfeit_illegal"
				}
				games = append(games, g)
				a, b = b, a
			}
		}
		must.Do(t, db.Commit(ctx, games, nil, e.ID))
	}
	must.Do(t, db.Judge(ctx))
	return db
}

// The SQL view of standings has the numbers of the standings.
func TestViewAgrees(t *testing.T) {
	t.Parallel()
	db := makeStudy(t)
	pools := must.Get(standings.Study(context.Background(), db, standings.PerRules, ratings.Options{}))(t)
	type row struct {
		Rules, Agent        string
		Games               int64
		Points, Score       float64
		Wins, Draws, Losses int64
	}
	var want, got []row
	for _, p := range pools {
		if p.Played == p.Table.Games() || p.Played < 100 {
			t.Errorf("%s: %d games, %d of them rated: nothing to tell apart", p.Rules, p.Played, p.Table.Games())
		}
		for _, a := range p.Fit.Players {
			c := a.Total()
			want = append(want, row{p.Rules, a.Name, c.Games(), c.Points(), standings.Score(c), c.Wins, c.Draws, c.Losses})
		}
	}
	raw := must.Get(sql.Open(store.Driver, "file:"+db.Path()))(t)
	defer raw.Close()
	rows := must.Get(raw.Query("SELECT rules, agent, games, points, score, wins, draws, losses FROM standings"))(t)
	defer rows.Close()
	last := row{Score: math.Inf(1)}
	for rows.Next() {
		var r row
		must.Do(t, rows.Scan(&r.Rules, &r.Agent, &r.Games, &r.Points, &r.Score, &r.Wins, &r.Draws, &r.Losses))
		if r.Rules == last.Rules && r.Score > last.Score {
			t.Errorf("%s stands below %s", r.Agent, last.Agent)
		}
		last = r
		got = append(got, r)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-12),
		cmpopts.SortSlices(func(a, b row) bool { return a.Rules+a.Agent < b.Rules+b.Agent })); diff != "" {
		t.Error(diff)
	}
}

// The same study gives the same bytes each time.
func TestJSONIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	db := makeStudy(t)
	var first []byte
	for range 4 {
		pools := must.Get(standings.Study(context.Background(), db, standings.Both, ratings.Options{}))(t)
		var out bytes.Buffer
		for _, p := range pools {
			must.Do(t, json.NewEncoder(&out).Encode(p.JSON(standings.Extras{Crosstable: true, LOS: true})))
		}
		must.Do(t, standings.WriteCSV(&out, pools))
		if first == nil {
			first = out.Bytes()
		} else if diff := cmp.Diff(string(first), out.String()); diff != "" {
			t.Fatal(diff)
		}
	}
}

// Notes say what was left out, and why.
func TestNotes(t *testing.T) {
	t.Parallel()
	pools, err := standings.Study(context.Background(), makeStudy(t), standings.Overall, ratings.Options{})
	if err != nil || len(pools) != 1 {
		t.Fatal(len(pools), err)
	}
	text := strings.Join(pools[0].Warnings(), "\n")
	for _, want := range []string{
		"games of deterministic agents that repeat earlier ones",
		"games of agents against themselves", "games were forfeited by a fault", "are distinct",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if _, err := standings.Study(context.Background(), makeStudy(t), standings.Overall,
		ratings.Options{Anchors: []ratings.Anchor{{Name: "randm"}}}); !errors.Is(err, standings.ErrAnchor) || !strings.HasSuffix(err.Error(),
		`no games of "randm"; did you mean random?`) {
		t.Errorf("an anchor without games: %v", err)
	}
}

// Pairs in which one seat wins both games are told apart by stratum, and noted where they are most beyond doubt: of a's
// 40 pairs in checkerboard 30 are split (the interval begins at 60 %), of those in ctor 22 (at 40 %).
func TestSplitPairsAreNoted(t *testing.T) {
	t.Parallel()
	var b ratings.Builder
	for stratum, split := range map[string]int{"checkerboard": 30, "ctor": 22} {
		for i := range 40 {
			results := [2]ratings.Outcome{ratings.FirstWins, ratings.SecondWins} // a wins as first and as second
			if i < split {
				results[1] = results[0]
			}
			for seat, r := range results {
				g := ratings.Game{
					First: []string{"a", "b"}[seat], Second: []string{"b", "a"}[seat], Stratum: stratum,
					Pair: strconv.Itoa(i), Result: r,
				}
				must.Do(t, b.Add(g))
			}
		}
	}
	p := standings.Pool{Table: b.Table(), Played: 160}
	must.Do(t, p.Rate(ratings.Options{PerStratum: true}))
	notes := strings.Join(p.Warnings(), "\n")
	if !strings.Contains(notes, "checkerboard: in 75 % of 40 pairs (60 to 86) the same seat won both games") ||
		strings.Contains(notes, "ctor: in") {
		t.Error(notes)
	}
}

// Where agents fare otherwise in different games the overall table holds over these games only, and says how far they
// differ; where they fare alike nothing is said.
func TestOverTheseGamesOnly(t *testing.T) {
	t.Parallel()
	for _, differ := range []bool{false, true} {
		var b ratings.Builder
		for game, wins := range map[string]int64{"ctor": 30, "checkerboard": map[bool]int64{false: 30, true: 10}[differ]} {
			must.Do(t, errors.Join(b.AddPairs("a", "b", game, ratings.FirstWins, ratings.SecondWins, wins),
				b.AddPairs("a", "b", game, ratings.SecondWins, ratings.FirstWins, 40-wins)))
		}
		p := standings.Pool{Table: b.Table(), Played: 160}
		must.Do(t, p.Rate(ratings.Options{PerStratum: true}))
		// A quarter or three quarters of the points are 191 Elo between the two, 95 to either side of their mean.
		notes := strings.Join(p.Warnings(), "\n")
		if strings.Contains(notes, "for these 2 games only") != differ ||
			differ && !strings.Contains(notes, " ranges from -95 to +95 Elo between games") {
			t.Errorf("differ %t: %s", differ, notes)
		}
	}
}

// Moving first hardly matters if the whole interval lies from 45 to 55 %, and helps or hurts if it lies on one side of 50 %.
func TestFirstMoveInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0.46, 0.54, "hardly matters"},
		{0.51, 0.54, "hardly matters"},
		{0.46, 0.56, "undecided"},
		{0.44, 0.54, "undecided"},
		{0.51, 0.56, "helps"},
		{0.44, 0.49, "hurts"},
	} {
		e := ratings.Estimate{Value: (c.lo + c.hi) / 2, N: 100, Interval: ratings.Interval{Lo: c.lo, Hi: c.hi}}
		p := standings.Pool{Rules: "a", First: map[string]ratings.Estimate{"a": e}}
		if got := p.FirstMove(); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
	if got := (&standings.Pool{}).FirstMove(); got != "" {
		t.Errorf("without games: %q", got)
	}
}

// The first screen says that ranks are wide only where its table shows ranks that overlap beside intervals that do not.
func TestWideRanksAreExplained(t *testing.T) {
	t.Parallel()
	row := regexp.MustCompile(`(?m)^ *(\d+)(?: to (\d+))? +a\d+ +[-+]?\d+ +(-?\d+) to (-?\d+)`)
	said := map[bool]int{}
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var b ratings.Builder
		agents := 3 + int(seed%2)*9
		for i := range agents {
			for j := range i {
				for range 12 {
					outcome := ratings.SecondWins
					if rng.Float64() < 0.5+0.01*float64(i-j) {
						outcome = ratings.FirstWins
					}
					must.Do(t, b.AddPairs(fmt.Sprint("a", i), fmt.Sprint("a", j), "classic", outcome, ratings.FirstWins, 1))
				}
			}
		}
		p := standings.Pool{Rules: "classic", Table: b.Table(), Played: 1}
		must.Do(t, p.Rate(ratings.Options{}))
		var out strings.Builder
		must.Do(t, standings.Brief(&out, []*standings.Pool{&p}, "s.db"))
		want := false
		rows := row.FindAllStringSubmatch(out.String(), -1)
		if len(rows) != agents {
			t.Fatalf("%d rows in\n%s", len(rows), out.String())
		}
		number := func(text string) int { return must.Get(strconv.Atoi(text))(t) }
		for i, a := range rows {
			for _, b := range rows[i+1:] {
				want = want || number(a[3]) > number(b[4]) && max(number(a[1]), number("0"+a[2])) >= number(b[1])
			}
		}
		if got := strings.Contains(out.String(), "Ranks hold for all agents at once"); got != want {
			t.Errorf("seed %d: said %t, want %t\n%s", seed, got, want, out.String())
		}
		said[want]++
	}
	if said[true] == 0 || said[false] == 0 {
		t.Errorf("only one of the two cases arose: %v", said)
	}
}
