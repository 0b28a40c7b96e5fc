package standings

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"spar/arena/evidence"
	"spar/ratings"
)

// A cell of the crosstable has the interval itself, which at an end is all on one side: no pair of four won is up to 1 - 0.025^(1/4) = 60 %
// (Clopper and Pearson), and the opponent has the mirror image.
func TestCrosstableHasIntervals(t *testing.T) {
	t.Parallel()
	p := rated(t, map[[2]string][5]int64{{"a", "b"}: {4}})
	var out bytes.Buffer
	if err := p.Text(&out, Extras{Crosstable: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"score of row against column: % (its 95 % interval) / games", " 0 (0 to 60) /8", " 100 (40 to 100) /8"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// pooled is a rated pool of pairs by stratum that the first player won throughout.
func pooled(t *testing.T, strata ...string) *Pool {
	t.Helper()
	var b ratings.Builder
	for _, s := range strata {
		if err := b.AddPairs("a", "b", s, ratings.FirstWins, ratings.FirstWins, 20); err != nil {
			t.Fatal(err)
		}
	}
	p := &Pool{Table: b.Table(), Played: 40, Faults: map[string]int64{"a": 1}}
	if err := p.Rate(ratings.Options{PerStratum: true}); err != nil {
		t.Fatal(err)
	}
	return p
}

// That the seat decides the pairs is noted of games that were played to their end, by their name if they have one; and how to see the faults is
// said as the command takes it.
func TestNotesOfPairsThatTheSeatDecides(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		strata []string
		want   []string
	}{
		{[]string{"x"}, []string{"x: in 100 % of 20 pairs"}},
		{[]string{""}, []string{"in 100 % of 20 pairs"}},
		{[]string{"x" + evidence.Forfeited}, nil},
		{[]string{"x", "x" + evidence.Forfeited}, []string{"x: in 100 % of 20 pairs"}},
	} {
		var got []string
		faults := false
		for _, n := range pooled(t, c.strata...).Warnings() {
			if strings.Contains(n, "same seat won both") {
				got = append(got, n)
			}
			faults = faults || strings.HasSuffix(n, "see spar games --db FILE --faults")
		}
		if len(got) != len(c.want) || len(got) > 0 && !strings.HasPrefix(got[0], c.want[0]) || !faults {
			t.Errorf("%q: %q, want %q; faults %t", c.strata, got, c.want, faults)
		}
	}
}

// Numbers in JSON go as far as they are known, to a millionth, and no zero has a sign; only probabilities, which may be tiny, have all their digits.
func TestNumbersAreAsFarAsTheyAreKnown(t *testing.T) {
	t.Parallel()
	p := rated(t, map[[2]string][5]int64{{"a", "b"}: {3, 5, 7, 5, 3}, {"b", "c"}: {3, 5, 7, 5, 3}, {"a", "c"}: {3, 5, 7, 5, 3}, {"a", "d"}: {1, 5, 7, 9, 12}, {"b", "d"}: {1, 5, 7, 9, 13}})
	everything := Extras{Crosstable: true, LOS: true, Intransitivity: true}
	standing, err := p.JSON(everything)
	if err != nil {
		t.Fatal(err)
	}
	rating, err := p.RatingJSON(everything)
	if err != nil {
		t.Fatal(err)
	}
	numbers := 0
	var look func(at string, v any)
	look = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				look(at+"."+k, x)
			}
		case []any:
			for _, x := range v {
				look(at, x)
			}
		case json.Number:
			numbers++
			_, after, _ := strings.Cut(v.String(), ".")
			if probability := strings.HasSuffix(at, ".p") || strings.HasSuffix(at, ".matrix"); v.String() == "-0" || !probability && (len(after) > 6 || strings.Contains(v.String(), "e")) {
				t.Errorf("%s: %s", at, v)
			}
		}
	}
	for _, x := range []any{standing, rating} {
		text, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		look("", v)
	}
	if numbers < 200 {
		t.Errorf("%d numbers", numbers)
	}
}
