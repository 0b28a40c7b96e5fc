package ratings

import (
	"encoding/json"
	"os"
	"testing"
)

type intransitiveRef struct {
	Players []string `json:"players"`
	Hodge   struct {
		Ratings  map[string]float64 `json:"gradient_ratings"`
		Cyclic   map[string]float64 `json:"cyclic"`
		Total    float64            `json:"energy_total"`
		Gradient float64            `json:"energy_gradient"`
		Fraction float64            `json:"cyclic_fraction"`
	} `json:"hodge"`
	Fit *struct {
		Chi2 float64            `json:"chi2"`
		DF   int                `json:"df"`
		P    float64            `json:"p_value"`
		Z    map[string]float64 `json:"z"`
	} `json:"bt_lack_of_fit"`
	Copeland map[string]int `json:"copeland"`
	Nash     struct {
		Mass  map[string]float64 `json:"maxent_nash"`
		Skill map[string]float64 `json:"skill"`
	} `json:"nash_averaging_logit_elo"`
	Alpha8 map[string]float64 `json:"alpharank_infinite_alpha_eps1e-8"`
	Alpha2 map[string]float64 `json:"alpharank_openspiel_inf_eps0.01"`
}

func TestReferenceIntransitive(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/intransitive.json")
	if err != nil {
		t.Fatal(err)
	}
	var refs map[string]intransitiveRef
	if err := json.Unmarshal(raw, &refs); err != nil {
		t.Fatal(err)
	}
	for name, ref := range refs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := load(t, name)
			h := table.Hodge()
			n := table.NashAverage()
			wins, _, _ := table.Copeland()
			a8, err := table.AlphaRank(1e-8)
			if err != nil {
				t.Fatal(err)
			}
			a2, err := table.AlphaRank(0.01)
			if err != nil {
				t.Fatal(err)
			}
			for i, p := range table.Players() {
				near(t, "potential of "+p, h.Ratings[i], ref.Hodge.Ratings[p], 1e-5, 0)
				near(t, "mass of "+p, n.Mass[i], ref.Nash.Mass[p], 1e-5, 0)
				near(t, "skill of "+p, n.Skill[i], ref.Nash.Skill[p], 1e-3, 0)
				near(t, "α-rank of "+p, a8[i], ref.Alpha8[p], 1e-9, 1e-6)
				near(t, "α-rank (0.01) of "+p, a2[i], ref.Alpha2[p], 1e-7, 0)
				if wins[i] != ref.Copeland[p] {
					t.Errorf("copeland of %s: %d, want %d", p, wins[i], ref.Copeland[p])
				}
			}
			for _, c := range h.Pairs {
				near(t, "cyclic "+c.A+c.B, c.Elo, ref.Hodge.Cyclic[c.A+"|"+c.B], 1e-5, 0)
			}
			near(t, "total", h.Total, ref.Hodge.Total, 0, 1e-7)
			near(t, "gradient", h.Gradient, ref.Hodge.Gradient, 0, 1e-7)
			near(t, "cyclic share", h.CyclicShare, ref.Hodge.Fraction, 1e-8, 0)
			near(t, "curl and harmonic part", h.Curl+h.Harmonic, h.Cyclic, 1e-3, 1e-9)
			if ref.Fit == nil {
				return
			}
			l := mustFit(t, table, Options{Errors: ErrorDrawAware}).LackOfFit()
			near(t, "chi-square", l.ChiSquare, ref.Fit.Chi2, 0, 1e-5)
			near(t, "p", l.P, ref.Fit.P, 1e-6, 1e-3)
			if l.DF != ref.Fit.DF {
				t.Errorf("%d degrees of freedom, want %d", l.DF, ref.Fit.DF)
			}
			for _, p := range l.Pairs {
				near(t, "z of "+p.A+p.B, p.Z, ref.Fit.Z[p.A+"|"+p.B], 1e-4, 0)
			}
			t.Logf("cyclic share %.3f, noise %.3f, corrected %.3f, curl %.3g harmonic %.3g", h.CyclicShare, h.NoiseShare,
				h.Corrected, h.Curl, h.Harmonic)
		})
	}
}
