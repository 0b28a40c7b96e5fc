package ratings

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"spar/configs/must"
)

// reference is one set of testdata/expected.json.
type reference struct {
	Players []string `json:"players"`
	Score   *struct {
		Ratings    map[string]float64 `json:"ratings"`
		Advantage  float64            `json:"first_advantage"`
		DrawRate   float64            `json:"draw_rate_equal"`
		Objective  float64            `json:"objective"`
		Naive      []float64          `json:"se_naive"`
		Model      []float64          `json:"se_model"`
		Sandwich   []float64          `json:"se_sandwich"`
		AdvNaive   float64            `json:"adv_se_naive"`
		AdvModel   float64            `json:"adv_se_model"`
		AdvSandwch float64            `json:"adv_se_sandwich"`
		LOS        [][]*float64       `json:"los_model"`
	} `json:"score_ml"`
	NoAdvantage *struct {
		Ratings map[string]float64 `json:"ratings"`
	} `json:"score_ml_no_advantage"`
	Davidson *struct {
		Ratings   map[string]float64 `json:"ratings"`
		Advantage float64            `json:"first_advantage"`
		Nu        float64            `json:"nu"`
		DrawRate  float64            `json:"draw_rate_equal"`
		Factor    float64            `json:"score_elo_factor"`
		LogLik    float64            `json:"loglik"`
		SE        []float64          `json:"se"`
		AdvSE     float64            `json:"adv_se"`
	} `json:"davidson_ml"`
	MAP *struct {
		Ratings   map[string]float64 `json:"ratings"`
		Advantage float64            `json:"first_advantage"`
		SE        []float64          `json:"se"`
		AdvSE     float64            `json:"adv_se"`
	} `json:"map_normal400"`
	Profile []struct {
		Pair     [2]string `json:"pair"`
		OneSided *float64  `json:"lower_one_sided_95"`
		Lo       *float64  `json:"lower_two_sided_95"`
		Hi       *float64  `json:"upper_two_sided_95"`
	} `json:"profile_davidson"`
	Pairs *struct {
		Gap     float64 `json:"gap_P01_P02"`
		GapSE   float64 `json:"se_gap_pairs"`
		AdvSE   float64 `json:"se_adv_pairs"`
		GapMod  float64 `json:"se_gap_draw_aware"`
		AdvMod  float64 `json:"se_adv_draw_aware"`
		Another float64 `json:"first_advantage"`
	} `json:"pair_sandwich"`
}

func references(t testing.TB) map[string]reference {
	t.Helper()
	raw := must.Get(os.ReadFile(filepath.Join("testdata", "expected.json")))(t)
	var out map[string]reference
	must.Do(t, json.Unmarshal(raw, &out))
	return out
}

// load reads a reference set; columns are found by name.
func load(t testing.TB, name string) *Table {
	t.Helper()
	f := must.Get(os.Open(filepath.Join("testdata", name+".csv")))(t)
	defer f.Close()
	rows := must.Get(csv.NewReader(f).ReadAll())(t)
	at := make(map[string]int)
	for i, h := range rows[0] {
		at[h] = i
	}
	var b Builder
	outcome := map[string]Outcome{"1": FirstWins, "0.5": Draw, "0": SecondWins}
	for _, r := range rows[1:] {
		g := Game{First: r[at["player_first"]], Second: r[at["player_second"]], Result: outcome[r[at["result"]]]}
		if i, ok := at["pair_id"]; ok {
			g.Pair = r[i]
		}
		must.Do(t, b.Add(g))
	}
	return b.Table()
}

func mustFit(t testing.TB, table *Table, o Options) *Fit {
	t.Helper()
	f := must.Get(table.Fit(o))(t)
	checkFinite(t, f)
	return f
}

func checkFinite(t testing.TB, f *Fit) {
	t.Helper()
	if _, err := json.Marshal(f); err != nil {
		t.Fatalf("not JSON-safe: %v", err)
	}
}

// near fails unless got is within abs of want, or within rel relatively.
func near(t testing.TB, what string, got, want, abs, rel float64) {
	t.Helper()
	if !(math.Abs(got-want) <= abs || math.Abs(got-want) <= rel*math.Abs(want)) {
		t.Errorf("%s = %.9g, want %.9g (off by %.3g)", what, got, want, got-want)
	}
}

const (
	eloTolerance = 1e-3
	seTolerance  = 1e-3 // relative
)

func TestReferenceScore(t *testing.T) {
	t.Parallel()
	for name, ref := range references(t) {
		if ref.Score == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := load(t, name)
			for _, kind := range []ErrorKind{ErrorNaive, ErrorDrawAware, ErrorGame} {
				f := mustFit(t, table, Options{Errors: kind})
				want, adv := ref.Score.Naive, ref.Score.AdvNaive
				switch kind {
				case ErrorDrawAware:
					want, adv = ref.Score.Model, ref.Score.AdvModel
				case ErrorGame:
					want, adv = ref.Score.Sandwich, ref.Score.AdvSandwch
				}
				if f.Errors != kind {
					t.Fatalf("errors are %v, want %v", f.Errors, kind)
				}
				for i, r := range f.Players {
					near(t, r.Name, r.Elo.Value, ref.Score.Ratings[r.Name], eloTolerance, 0)
					near(t, kind.String()+" error of "+r.Name, r.Elo.SE, want[i], 0, seTolerance)
					if r.Status != StatusOK || r.Elo.Prior {
						t.Errorf("%s: status %q, prior %v", r.Name, r.Status, r.Elo.Prior)
					}
				}
				near(t, "advantage", f.Advantages[0].Elo.Value, ref.Score.Advantage, eloTolerance, 0)
				near(t, kind.String()+" error of the advantage", f.Advantages[0].Elo.SE, adv, 0, seTolerance)
				near(t, "draw rate", f.Advantages[0].DrawRate, ref.Score.DrawRate, 1e-6, 0)
				near(t, "objective", f.mlSol.ll, ref.Score.Objective, 1e-4, 1e-7)
			}
			f := mustFit(t, table, Options{NoAdvantage: true})
			for _, r := range f.Players {
				near(t, r.Name+" without advantage", r.Elo.Value, ref.NoAdvantage.Ratings[r.Name], eloTolerance, 0)
			}
		})
	}
}

func TestReferenceDrawModels(t *testing.T) {
	t.Parallel()
	for name, ref := range references(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := load(t, name)
			if d := ref.Davidson; d != nil {
				f := mustFit(t, table, Options{Model: ModelDavidson, Errors: ErrorDrawAware})
				near(t, "ν", f.Advantages[0].DrawParameter, d.Nu, 1e-6, 0)
				near(t, "scale", f.Scale, d.Factor, 1e-6, 0)
				near(t, "draw rate", f.Advantages[0].DrawRate, d.DrawRate, 1e-6, 0)
				near(t, "log-likelihood", f.mlSol.ll, d.LogLik, 1e-3, 0)
				near(t, "raw advantage", f.Advantages[0].Raw, d.Advantage, eloTolerance, 0)
				near(t, "raw advantage error", f.Advantages[0].Elo.SE/f.Scale, d.AdvSE, 0, seTolerance)
				for i, r := range f.Players {
					near(t, "raw "+r.Name, r.Raw, d.Ratings[r.Name], eloTolerance, 0)
					near(t, r.Name, r.Elo.Value, d.Ratings[r.Name]*d.Factor, eloTolerance, 0)
					near(t, "raw error of "+r.Name, r.Elo.SE/f.Scale, d.SE[i], 0, seTolerance)
				}
			}
		})
	}
}

func TestReferencePrior(t *testing.T) {
	t.Parallel()
	for name, ref := range references(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := mustFit(t, load(t, name), Options{})
			p := f.penalisedLikelihood(400)
			sol := must.Get(p.solve(p.start(), nil))(t)
			cov := p.covariance(sol)
			se := func(c int) float64 { return math.Sqrt(cov.At(c, c)) / eloUnit }
			for i, r := range f.Players {
				near(t, r.Name, sol.theta[i]/eloUnit, ref.MAP.Ratings[r.Name], eloTolerance, 0)
				near(t, "error of "+r.Name, se(i), ref.MAP.SE[i], 0, seTolerance)
			}
			near(t, "advantage", sol.theta[p.advAt(0)]/eloUnit, ref.MAP.Advantage, eloTolerance, 0)
			near(t, "advantage error", se(p.advAt(0)), ref.MAP.AdvSE, 0, seTolerance)
		})
	}
}

func TestReferencePairs(t *testing.T) {
	t.Parallel()
	ref := references(t)["h_paired_openings"].Pairs
	f := mustFit(t, load(t, "h_paired_openings.pairs"), Options{})
	if _, df := f.error(0, 1, 0.95); f.Errors != ErrorPair || f.Clusters != 500 || df != 499 {
		t.Fatalf("errors %v over %d clusters with %v degrees of freedom", f.Errors, f.Clusters, df)
	}
	near(t, "gap", f.Players[0].Elo.Value-f.Players[1].Elo.Value, ref.Gap, eloTolerance, 0)
	near(t, "gap error", 2*f.Players[0].Elo.SE, ref.GapSE, 0, seTolerance)
	near(t, "advantage error", f.Advantages[0].Elo.SE, ref.AdvSE, 0, seTolerance)
}
