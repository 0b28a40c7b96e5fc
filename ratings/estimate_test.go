package ratings

import (
	"encoding/json"
	"testing"
)

// An estimate is written once as text and once as JSON; an open side is never a number.
func TestEstimateForms(t *testing.T) {
	t.Parallel()
	pairs := Estimate{Level: 0.95, N: 40, Unit: "pairs", Method: "pair", Scale: ScaleElo}
	with := func(e Estimate, value float64, v Interval) Estimate {
		e.Value, e.Interval = value, v
		return e
	}
	share := pairs
	share.Scale, share.N = ScaleShare, 1
	prior := pairs
	prior.Prior = true
	rest := `"level":0.95,"n":40,"unit":"pairs","method":"pair","prior":false,"anytime":false}`
	for _, c := range []struct {
		e          Estimate
		text, want string
	}{
		{Estimate{}, "-", "null"},
		{with(pairs, 37, Interval{Lo: -14, Hi: 88}), "+37 Elo (-14 to 88, 40 pairs)", `{"value":37,"lo":-14,"hi":88,"open":"",` + rest},
		{with(pairs, 37, Interval{Lo: -14, Hi: 99}), "+37 Elo (-14 to 99, 40 pairs)", `{"value":37,"lo":-14,"hi":99,"open":"",` +
			rest},
		{
			with(pairs, 500, Interval{Lo: 412, HiOpen: true}), "> +412 Elo (40 pairs)",
			`{"value":500,"lo":412,"hi":null,"open":"above",` + rest,
		},
		{with(prior, 358, Interval{Lo: 412, HiOpen: true}), "> +412 Elo (40 pairs)", ""},
		{with(prior, 458, Interval{Lo: 412, HiOpen: true}), "> +412 Elo (40 pairs)", ""},
		{
			with(pairs, -500, Interval{Hi: -412, LoOpen: true}), "< -412 Elo (40 pairs)",
			`{"value":-500,"lo":null,"hi":-412,"open":"below",` + rest,
		},
		{
			with(pairs, 0, Interval{LoOpen: true, HiOpen: true}), "no bound (40 pairs)",
			`{"value":0,"lo":null,"hi":null,"open":"both",` + rest,
		},
		{with(share, 0.524, Interval{Lo: 0.49, Hi: 0.556}), "52 % (49 to 56, 1 pair)", ""},
	} {
		got, err := json.Marshal(c.e)
		if c.e.String() != c.text || err != nil || c.want != "" && string(got) != c.want {
			t.Errorf("%+v: %s, %s, %v", c.e, c.e, got, err)
		}
	}
}
