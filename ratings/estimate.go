package ratings

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// Scale is the unit of an estimate. It determines the text of the value.
type Scale int

// The units of estimates, with the form in which they are written.
const (
	ScalePlain Scale = iota // a plain number
	ScaleElo                // written with a sign and without decimals
	ScaleShare              // 0 to 1, written in percent
	ScaleCount              // a mean of integers, such as plies, written with one decimal
)

// Estimate is a value with its error, interval and number of observations. The zero value is an unknown estimate: its
// text is "-" and its JSON is null.
type Estimate struct {
	Value    float64
	SE       float64 // standard error of the value; 0 if unknown
	Interval         // confidence interval; an open end has no bound
	Level    float64 // confidence level of the interval, in (0, 1)
	N        int64   // number of independent observations
	Unit     string  // unit of N, in the plural: "games", "pairs"
	Method   string  // how the interval was computed
	Scale    Scale
	Prior    bool   // the value depends on a prior, because the likelihood has no maximum
	Anytime  bool   // the interval is valid under repeated looks
	Note     string // reason why the value is less reliable; empty = none
}

// WithInterval returns an estimate from n observations with a given interval.
func WithInterval(value, lo, hi float64, n int64) Estimate {
	return Estimate{Value: value, Interval: Interval{Lo: lo, Hi: hi}, N: n}
}

// Normal returns an estimate with the 95 % interval of a normal distribution with standard error se.
func Normal(value, se float64, n int64, unit string, scale Scale) Estimate {
	h := quantile(0.95, 0) * se
	return Estimate{
		Value:    value,
		SE:       se,
		Interval: Interval{Lo: value - h, Hi: value + h},
		Level:    0.95,
		N:        n,
		Unit:     unit,
		Method:   "normal",
		Scale:    scale,
	}
}

// Complement returns the estimate of 1 minus the value: of the other side's score.
func (e Estimate) Complement() Estimate {
	e.Value, e.Lo, e.Hi, e.LoOpen, e.HiOpen = 1-e.Value, 1-e.Hi, 1-e.Lo, e.HiOpen, e.LoOpen
	return e
}

// Known reports whether the estimate has a value.
func (e Estimate) Known() bool { return e.Method != "" || e.N > 0 }

// Open names the open ends of the interval: "above", "below", "both" or "".
func (v Interval) Open() string {
	switch {
	case v.LoOpen && v.HiOpen:
		return "both"
	case v.HiOpen:
		return "above"
	case v.LoOpen:
		return "below"
	}
	return ""
}

// Number writes a value in the unit of the estimate.
func (s Scale) Number(x float64) string {
	switch s {
	case ScaleElo:
		return fmt.Sprintf("%+.0f", math.Round(x)+0)
	case ScaleShare:
		return fmt.Sprintf("%.0f %%", 100*x)
	case ScaleCount:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

// Point writes the value. A value that only a prior determines is in brackets. If such a value lies outside the
// interval, the text is "-".
func (e Estimate) Point() string {
	switch {
	case !e.Known(), e.beyond():
		return "-"
	case e.Prior && e.Open() != "":
		return "(" + e.Scale.Number(e.Value) + ")"
	}
	return e.Scale.Number(e.Value)
}

// beyond reports whether the value comes from a prior, and lies outside the interval of the observations or at the
// end of the scale. Then only the bound is meaningful.
func (e Estimate) beyond() bool {
	return e.Prior && (!e.Contains(e.Value) || e.Scale == ScaleElo && math.Abs(e.Value) >= maxElo)
}

// bounded reports whether the observations give only a bound, and the value comes from a prior.
func (e Estimate) bounded() bool { return e.beyond() || e.Prior && e.LoOpen != e.HiOpen }

// Short writes the value, or the bound if only a prior determines the value.
func (e Estimate) Short() string {
	if e.Known() && (e.bounded() || e.Prior && e.LoOpen) {
		return e.Range()
	}
	return e.Point()
}

// At returns the position of the estimate in a plot: its value, or the bound if only a prior determines the value.
func (e Estimate) At() float64 {
	switch {
	case !e.bounded():
		return e.Value
	case e.HiOpen, !e.LoOpen && e.Value < e.Lo:
		return e.Lo
	}
	return e.Hi
}

// Range writes the interval: "-14 to 88", "> +412" or "< +838" if one side is open, and "no bound" if both are.
func (e Estimate) Range() string {
	number := e.Scale.Number
	switch v := e.Interval; {
	case !e.Known():
		return ""
	case v.LoOpen && v.HiOpen:
		return "no bound"
	case v.HiOpen:
		return "> " + number(v.Lo)
	case v.LoOpen:
		return "< " + number(v.Hi)
	case e.Scale == ScaleElo:
		return fmt.Sprintf("%.0f to %.0f", math.Round(v.Lo)+0, math.Round(v.Hi)+0)
	case e.Scale == ScaleShare:
		return fmt.Sprintf("%.0f to %.0f", 100*v.Lo, 100*v.Hi)
	default:
		return number(v.Lo) + " to " + number(v.Hi)
	}
}

// Count writes N with its unit, like "40 pairs" or "1 pair". It is empty if N is unknown.
func (e Estimate) Count() string {
	if e.N == 0 || e.Unit == "" {
		return ""
	}
	unit := e.Unit
	if stem, ok := strings.CutSuffix(unit, "ies"); ok && e.N == 1 {
		unit = stem + "y"
	} else if e.N == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	return fmt.Sprintf("%d %s", e.N, unit)
}

// Words writes value, unit and interval: "+320 Elo (284 to 356)", "65 % (61 to 69)", or only the bound: "> +412 Elo".
func (e Estimate) Words() string { return e.words("") }

// String returns the text of Words with the count: "+37 Elo (-14 to 88, 210 pairs)".
func (e Estimate) String() string { return e.words(e.Count()) }

func (e Estimate) words(count string) string {
	unit := ""
	if e.Scale == ScaleElo && e.Open() != "both" {
		unit = " Elo"
	}
	switch {
	case !e.Known():
		return "-"
	case !e.beyond() && e.Open() == "":
		return e.Point() + unit + " (" + e.Range() + strings.TrimSuffix(", "+count, ", ") + ")"
	case count == "":
		return e.Range() + unit
	}
	return e.Range() + unit + " (" + count + ")"
}

// MarshalJSON writes {"value", "lo", "hi", "open", "level", "n", "unit", "method", "prior", "anytime", "note"}. If a
// side is open, lo or hi is null, and open names the open sides ("above", "below", "both", or "").
func (e Estimate) MarshalJSON() ([]byte, error) {
	if !e.Known() {
		return []byte("null"), nil
	}
	return json.Marshal(written{
		rounded(e.Value, e.beyond()), rounded(e.Lo, e.LoOpen), rounded(e.Hi, e.HiOpen), e.Open(), e.Level, e.N, e.Unit,
		e.Method, e.Prior, e.Anytime, e.Note,
	})
}

// written is the JSON form of an estimate.
type written struct {
	Value   *float64 `json:"value"`
	Lo      *float64 `json:"lo"`
	Hi      *float64 `json:"hi"`
	Open    string   `json:"open"`
	Level   float64  `json:"level,omitempty"`
	N       int64    `json:"n"`
	Unit    string   `json:"unit"`
	Method  string   `json:"method"`
	Prior   bool     `json:"prior"`
	Anytime bool     `json:"anytime"`
	Note    string   `json:"note,omitempty"`
}

// UnmarshalJSON reads the JSON that MarshalJSON writes. It does not restore the scale.
func (e *Estimate) UnmarshalJSON(text []byte) error {
	var in written
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	at := func(x *float64) float64 {
		if x == nil {
			return 0
		}
		return *x
	}
	*e = Estimate{
		Value:    at(in.Value),
		Interval: Interval{Lo: at(in.Lo), Hi: at(in.Hi), LoOpen: in.N > 0 && in.Lo == nil, HiOpen: in.N > 0 && in.Hi == nil},
		Level:    in.Level,
		N:        in.N,
		Unit:     in.Unit,
		Method:   in.Method,
		Prior:    in.Prior,
		Anytime:  in.Anytime,
		Note:     in.Note,
	}
	return nil
}

// Units returns the number of independent units on which the standard errors are based, and their name: openings, pairs
// or games. It does not count units that only bound the
// distance of players of whom one won every game.
func (f *Fit) Units() (n int64, unit string) {
	switch {
	case f.Errors == ErrorOpening:
		return f.Clusters, "openings"
	case f.Errors != ErrorPair:
		return f.t.Games(), "games"
	case f.Pairs < f.Clusters:
		return f.Clusters, "pairs and single games"
	}
	return f.Clusters, "pairs"
}

// annotate sets the method and the number of units of an estimate from the fit.
func (f *Fit) annotate(e *Estimate) {
	e.Scale, e.Level, e.Method = ScaleElo, f.Level, f.Errors.String()
	e.N, e.Unit = f.Units()
	if e.LoOpen || e.HiOpen {
		e.Method = "profile likelihood, one-sided"
	}
}

// Change returns after minus before, assuming independence. It computes each end of the interval from the ends of both
// intervals (square and add, after Newcombe 1998), so the interval is right near 0 and 1, too.
func Change(before, after Estimate) Estimate {
	if !before.Known() || !after.Known() {
		return Estimate{}
	}
	x := Estimate{
		Value:  after.Value - before.Value,
		N:      min(before.N, after.N),
		Unit:   before.Unit,
		Scale:  before.Scale,
		Method: "difference of intervals",
	}
	x.LoOpen, x.HiOpen = after.LoOpen || before.HiOpen, after.HiOpen || before.LoOpen
	if !x.LoOpen {
		x.Lo = x.Value - math.Hypot(after.Value-after.Lo, before.Hi-before.Value)
	}
	if !x.HiOpen {
		x.Hi = x.Value + math.Hypot(after.Hi-after.Value, before.Value-before.Lo)
	}
	return x
}
