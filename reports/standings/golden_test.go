package standings_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/configs/must"
	"spar/ratings"
	"spar/reports/standings"
)

var update = flag.Bool("update", false, "write the golden files anew")

// counted makes a pool of results from elsewhere: pairs of games between two players, by the half points of each.
func counted(t *testing.T, title string, o ratings.Options, results ...string) *standings.Pool {
	t.Helper()
	var b ratings.Builder
	games := int64(0)
	for _, r := range results {
		var first, second, stratum string
		var wins, draws, losses int64
		must.Get(fmt.Sscan(r, &first, &second, &stratum, &wins, &draws, &losses))(t)
		must.Do(t, b.AddCount(first, second, stratum, wins, draws, losses))
		games += wins + draws + losses
	}
	p := &standings.Pool{Title: title, Table: b.Table(), Played: games}
	must.Do(t, p.Rate(o))
	return p
}

var digits = regexp.MustCompile(`-?\d+\.\d{5,}(e[-+]\d+)?`)

// Pools of every kind as text, JSON and CSV: of a study, of a clear order, of a circle in which everybody beats the
// next, of players without a loss and without a win, of groups that never met, under each model of draws. Run with
// -update after a change that is meant.
func TestGoldenStandings(t *testing.T) {
	t.Parallel()
	order := []string{
		"strong middle x 12 5 3", "middle strong x 6 4 10", "middle weak x 15 2 3", "weak middle x 4 4 12",
		"strong weak x 18 1 1", "weak strong x 1 3 16",
	}
	circle := []string{
		"rock scissors x 30 5 5", "scissors rock x 6 4 30", "scissors paper x 30 5 5",
		"paper scissors x 5 5 30", "paper rock x 31 5 4", "rock paper x 5 6 29", "rock lizard x 20 0 20",
		"lizard rock x 20 0 20",
	}
	pools := []*standings.Pool{
		counted(t, "order", ratings.Options{}, order...),
		counted(t, "order by davidson", ratings.Options{Model: ratings.ModelDavidson, Anchors: []ratings.Anchor{{Name: "weak", Elo: 1500}}},
			order...),
		counted(t, "order by score", ratings.Options{Anchors: []ratings.Anchor{{Name: "absent"}}}, order...),
		counted(t, "circle", ratings.Options{Errors: ratings.ErrorNaive}, circle...),
		counted(t, "ends", ratings.Options{PerStratum: true}, "best middle x 8 0 0", "middle best x 0 0 8",
			"middle worst y 9 0 0", "worst middle y 0 0 7", "middle other y 4 1 3", "other middle x 3 1 4"),
		counted(t, "groups", ratings.Options{}, "a b x 5 1 2", "b a x 4 2 2", "c d x 3 3 3", "d c x 6 1 2"),
		counted(t, "nobody", ratings.Options{}),
	}
	study := must.Get(standings.Study(context.Background(), makeStudy(t), standings.Both,
		ratings.Options{Anchors: []ratings.Anchor{{Name: "dice", Elo: 100}}}))(t)
	standings.MarkMisfits(pools)
	pools = append(pools, study...)
	var out bytes.Buffer
	for i, p := range pools {
		everything := standings.Extras{Crosstable: true, LOS: true, Intransitivity: i == 3} // cycles take time
		fmt.Fprintf(&out, "== %s: misfit %t\n", p.Title, p.Misfit)
		must.Do(t, p.Text(&out, everything))
		for _, v := range []any{p.JSON(everything), p.JSON(standings.Extras{}), p.RatingJSON(standings.Extras{LOS: true})} {
			text := must.Get(json.Marshal(v))(t)
			out.WriteString(strings.ReplaceAll(string(text), "},{", "},\n{") + "\n") // lines that a person can compare
		}
	}
	for i := range pools { // as the last screen of a run, alone and the study's together
		must.Do(t, standings.Brief(&out, pools[i:max(i+1, len(pools)*(i/7))], "try.db"))
	}
	must.Do(t, standings.WriteCSV(&out, pools))
	got := digits.ReplaceAllStringFunc(out.String(), func(s string) string { // other processors round otherwise
		x := must.Get(strconv.ParseFloat(s, 64))(t)
		if x < 1e-9 && x > -1e-9 {
			return "0"
		}
		return strconv.FormatFloat(x, 'g', 5, 64)
	})
	const path = "testdata/standings.golden"
	if *update {
		must.Do(t, os.MkdirAll("testdata", 0o755))
		must.Do(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile(path))(t)
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Error(diff)
	}
}
