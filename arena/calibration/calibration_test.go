package calibration

import (
	"strings"
	"testing"

	"spar/arena/campaign"
)

// The shipped list can be read, and holds at least 40 sets of rules of all families, half of them held out.
func TestShipped(t *testing.T) {
	t.Parallel()
	families, held := map[string]int{}, 0
	list := Shipped()
	for _, v := range list {
		families[Family(v.Rules)]++
		if v.Held {
			held++
		}
	}
	for _, name := range []string{"classic", "vanishing", "rolling", "checkerboard", "ctor", "infiltration", "connect4"} {
		if families[name] < 6 {
			t.Errorf("%d of %s, want 6 or more", families[name], name)
		}
	}
	if len(list) < 40 || 3*held < len(list) || 3*held > 2*len(list) {
		t.Errorf("%d sets of rules, %d held out", len(list), held)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                     "no rules in the list",
		"# nothing\n\nheld out\n":              "no rules in the list",
		"classic\n\nclassic\n":                 "line 3: classic stands in line 1 already",
		"classic\nclasic\n":                    "line 2: clasic",
		"vanishing[draw.repetition=0]\n":       "line 1: vanishing[draw.repetition=0]: games of",
		"held out\nrolling[pieces.cap=many]\n": "line 2: rolling[pieces.cap=many]",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Counts by hand: of six studies one is left out, two are right, one undecided, one favours a side that does not win, one is falsely
// even; of the five calls of ten games two are wrong.
func TestSummarise(t *testing.T) {
	t.Parallel()
	of := func(rules string, truth, claim, plain campaign.Claim) Study {
		return Study{Variant: Variant{Rules: rules, Held: rules == "rolling"}, Truth: truth, Claim: claim, Seconds: 2, Plain: Plain{Claim: plain, Seconds: 1}}
	}
	left := of("classic", campaign.Even, campaign.Unknown, campaign.Unknown)
	left.Left = "too slow"
	counts := Summarise([]Study{
		of("classic", campaign.Even, campaign.Even, campaign.First), of("classic", campaign.Even, campaign.Unknown, campaign.Even), left,
		of("rolling", campaign.First, campaign.First, campaign.First), of("rolling", campaign.First, campaign.Second, campaign.Second), of("rolling", campaign.First, campaign.Even, campaign.First),
	})
	want := Count{Name: "all", Variants: 2, Studies: 5, Right: 2, Undecided: 1, Favoured: 1, Even: 1, LeftOut: 1, Plain: 5, PlainWrong: 2, Seconds: 10, Longest: 2, PlainSeconds: 5}
	if counts[0] != want {
		t.Errorf("%+v, want %+v", counts[0], want)
	}
	var names []string
	for _, c := range counts {
		names = append(names, c.Name)
	}
	if got := strings.Join(names, ", "); got != "all, chosen on, held out, truth: even, truth: first, family: classic, family: rolling" {
		t.Error(got)
	}
	var b strings.Builder
	if err := Text(&b, counts[:1]); err != nil || !strings.Contains(b.String(), "| 2 (40 %) | 1 (20 %) | 1 (20 %) | 1 (20 %) | 2 of 4: 50.0 % (6.8 to 93.2) | 1 | 2 of 5: 40.0 % (5.3 to 85.3) |") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
