package ratings

import (
	"encoding/json"
	"os"
	"testing"

	"spar/configs/must"
)

// The test of fit agrees with the values in testdata/intransitive.json, which another program computed.
func TestReferenceLackOfFit(t *testing.T) {
	t.Parallel()
	raw := must.Get(os.ReadFile("testdata/intransitive.json"))(t)
	var refs map[string]struct {
		Fit *struct {
			Chi2 float64            `json:"chi2"`
			DF   int                `json:"df"`
			P    float64            `json:"p_value"`
			Z    map[string]float64 `json:"z"`
		} `json:"bt_lack_of_fit"`
	}
	must.Do(t, json.Unmarshal(raw, &refs))
	for name, ref := range refs {
		if ref.Fit == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := mustFit(t, load(t, name), Options{Errors: ErrorDrawAware}).LackOfFit()
			near(t, "chi-square", l.ChiSquare, ref.Fit.Chi2, 0, 1e-5)
			near(t, "p", l.P, ref.Fit.P, 1e-6, 1e-3)
			if l.DF != ref.Fit.DF {
				t.Errorf("%d degrees of freedom, want %d", l.DF, ref.Fit.DF)
			}
			for _, p := range l.Pairs {
				near(t, "z of "+p.A+p.B, p.Z, ref.Fit.Z[p.A+"|"+p.B], 1e-4, 0)
			}
		})
	}
}
