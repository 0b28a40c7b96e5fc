package calibration

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
		"":                                     "the list has no rules",
		"# nothing\n\nheld out\n":              "the list has no rules",
		"classic\n\nclassic\n":                 "line 3: classic is a duplicate of line 1",
		"classic\nclasic\n":                    "line 2: clasic",
		"vanishing[draw.repetition=0]\n":       "line 1: vanishing[draw.repetition=0]: games under",
		"held out\nrolling[pieces.cap=many]\n": "line 2: rolling[pieces.cap=many]",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Counts by hand: of six studies one is left out, two are right, one undecided, one favours a side that does not win,
// one is falsely even; of the five calls of ten games two are wrong.
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
	if err := Text(&b, counts[:1]); err != nil || !strings.Contains(b.String(), "| 2 (40 %) | 1 (20 %) | 1 (20 %) | 1 (20 %) | 2 of 4: 50.0 % (6.8 to 93.2) | - | 1 | 2 of 5: 40.0 % (5.3 to 85.3) |") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// Studies that the file holds are not played again, and one that was cut off while it was written is; what cannot be
// solved is left out and kept as well, a line a study, seed by seed.
func TestRunGoesOn(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "c.jsonl")
	o := Options{Variants: []Variant{{Rules: "classic", Held: true}, {Rules: "vanishing"}}, Effort: "quick", Seeds: 2, Memory: 1, Path: path}
	var told []int
	o.Progress = func(done, total int, s Study) {
		if told = append(told, done); total != 4 {
			t.Errorf("%d in all", total)
		}
	}
	if err := keep(path, Study{Variant: Variant{Rules: "vanishing"}, Effort: "quick", Seed: 1, Truth: campaign.First, Claim: campaign.Even}); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"rules":"classic"`); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	for range 2 {
		told = nil
		out, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range out {
			left, _, _ := strings.Cut(s.Left, ":")
			got = append(got, fmt.Sprintf("%s %d %t %s/%s", s.Rules, s.Seed, s.Held, left, s.Claim))
		}
		want := []string{"classic 1 true not solved/unknown", "vanishing 1 false /even", "classic 2 true not solved/unknown", "vanishing 2 false not solved/unknown"}
		if !slices.Equal(got, want) || !slices.Equal(told, []int{1, 2, 3, 4}) {
			t.Errorf("%q, told %v\nwant %q", got, told, want)
		}
	}
	if known, err := load(path); err != nil || len(known) != 4 || bytes.Count(mustRead(t, path), []byte("\n")) != 4 {
		t.Errorf("%d studies, %v", len(known), err)
	}
	if err := os.WriteFile(path, []byte("{}\n{\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := load(path); err == nil || !strings.Contains(err.Error(), "c.jsonl:2: ") {
		t.Errorf("%v", err)
	}
}

// Games that are settled elsewhere come with their values; unknown ones are skipped.
func TestReadSettled(t *testing.T) {
	t.Parallel()
	list := `{"rules":"classic","value":"draw"}` + "\n" + `{"rules":"vanishing","value":"unknown"}` + "\n" + `{"rules":"rolling","value":"first"}`
	got, err := Read(strings.NewReader(list))
	want := []Variant{{Rules: "classic", Value: campaign.Even}, {Rules: "rolling", Value: campaign.First}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A whole calibration of one set of rules: classic is even, and the study finds no winner. One that takes longer than
// it may is left out.
func TestRunPlays(t *testing.T) {
	t.Parallel()
	for _, seconds := range []float64{0, 1e-9} {
		out, err := Run(t.Context(), Options{
			Variants: []Variant{{Rules: "classic"}}, Effort: "quick", Seeds: 1, Seconds: seconds, Workers: 2, Memory: 1 << 28, Path: filepath.Join(t.TempDir(), "c.jsonl"),
		})
		if err != nil || len(out) != 1 {
			t.Fatal(err)
		}
		s := out[0]
		if seconds > 0 {
			if s.Left != "took more than 1e-09 s" || s.Games != 0 {
				t.Errorf("%+v", s)
			}
			continue
		}
		if s.Left != "" || s.Truth != campaign.Even || s.Claim == campaign.First || s.Claim == campaign.Second || s.Games <= 0 || s.Stages < 1 || s.Seconds <= 0 || s.Seconds > 1e4 || s.Plain.Tally.Games() != 10 || s.Plain.Simulations < 1 || s.Plain.Seconds <= 0 || s.Plain.Seconds > 1e4 {
			t.Errorf("%+v", s)
		}
		if want := map[int]campaign.Claim{-1: campaign.Second, 0: campaign.Even, 1: campaign.First}[cmp.Compare(s.Plain.Tally.First, s.Plain.Tally.Second)]; s.Plain.Claim != want {
			t.Errorf("ten games %+v say %s, want %s", s.Plain.Tally, s.Plain.Claim, want)
		}
	}
}
