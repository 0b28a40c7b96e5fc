package calibration

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"spar/arena/campaign"
	"spar/ratings"
)

// Count counts the verdicts of a group of studies.
type Count struct {
	Name      string `json:"name"`
	Variants  int    `json:"variants"`
	Studies   int64  `json:"studies"` // studies with an exact value
	Right     int64  `json:"right"`
	Undecided int64  `json:"undecided"`
	Favoured  int64  `json:"falsely_favoured"` // false claims, among them those for a side that does not win
	Even      int64  `json:"falsely_even"`
	LeftOut   int64  `json:"left_out"`
	Named     int64  `json:"named"`       // studies with a likeliest outcome, including ties
	NamedTrue int64  `json:"named_right"` // how many of these outcomes are the exact value
	// answers of the plain method; PlainWrong of them are wrong
	Plain        int64   `json:"plain"`
	PlainWrong   int64   `json:"plain_wrong"`
	Seconds      float64 `json:"cpu_s"`       // processor time of all studies, in seconds
	Longest      float64 `json:"longest_s"`   // processor time of the longest study, in seconds
	PlainSeconds float64 `json:"plain_cpu_s"` // processor time of the plain method, in seconds
}

// Wrong returns the number of false claims.
func (c Count) Wrong() int64 { return c.Favoured + c.Even }

// Claims returns the number of claims.
func (c Count) Claims() int64 { return c.Right + c.Wrong() }

// add counts a study.
func (c *Count) add(s Study) {
	if s.Left != "" {
		c.LeftOut++
		return
	}
	c.Studies++
	c.Seconds, c.Longest, c.PlainSeconds = c.Seconds+s.Seconds, max(c.Longest, s.Seconds), c.PlainSeconds+s.Plain.Seconds
	switch s.Claim {
	case campaign.Unknown:
		c.Undecided++
	case s.Truth:
		c.Right++
	case campaign.Even:
		c.Even++
	default:
		c.Favoured++
	}
	if s.Likeliest != "" {
		c.Named++
		if s.Likeliest == s.Truth {
			c.NamedTrue++
		}
	}
	if s.Plain.Claim != campaign.Unknown {
		c.Plain++
		if s.Plain.Claim != s.Truth {
			c.PlainWrong++
		}
	}
}

// Summarise counts the claims of all studies, and those of each part of the list, each family and each exact
// value.
func Summarise(studies []Study) []Count {
	var order []string
	counts, variants := map[string]*Count{}, map[[2]string]bool{}
	add := func(name string, s Study) {
		c := counts[name]
		if c == nil {
			c = &Count{Name: name}
			counts[name], order = c, append(order, name)
		}
		if k := [2]string{name, s.Rules}; !variants[k] {
			variants[k] = true
			c.Variants++
		}
		c.add(s)
	}
	parts := []func(Study) string{
		func(Study) string { return "all" },
		func(s Study) string { return map[bool]string{false: "chosen on", true: "held out"}[s.Held] },
		func(s Study) string { return "truth: " + string(s.Truth) },
		func(s Study) string { return "family: " + Family(s.Rules) },
	}
	for _, part := range parts {
		sorted := slices.Clone(studies)
		slices.SortStableFunc(sorted, func(a, b Study) int { return cmp.Compare(part(a), part(b)) })
		for _, s := range sorted {
			add(part(s), s)
		}
	}
	var out []Count
	for _, name := range order {
		out = append(out, *counts[name])
	}
	return out
}

// Family returns the name of the game that some rules are a variant of.
func Family(rules string) string {
	name, _, _ := strings.Cut(rules, "[")
	return name
}

// Text writes the table.
func Text(w io.Writer, counts []Count) error {
	var b strings.Builder
	b.WriteString("| studies | variants | n | right | undecided | falsely favoured | falsely even | false claims (95 %) " +
		"| likeliest outcome right (95 %) | left out | ten games, one agent: wrong |\n")
	b.WriteString("|---|---:|---:|---:|---:|---:|---:|---|---|---:|---|\n")
	for _, c := range counts {
		fmt.Fprintf(&b, "| %s | %d | %d | %s | %s | %s | %s | %s | %s | %d | %s |\n", c.Name, c.Variants, c.Studies,
			share(c.Right, c.Studies), share(c.Undecided, c.Studies), share(c.Favoured, c.Studies), share(c.Even, c.Studies),
			interval(c.Wrong(), c.Claims()), interval(c.NamedTrue, c.Named), c.LeftOut, interval(c.PlainWrong, c.Plain))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func share(k, n int64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%d (%.0f %%)", k, 100*float64(k)/float64(n))
}

// interval formats a fraction with its Clopper-Pearson interval. Studies of the same rules with different seeds
// are not independent, so the true uncertainty may be larger.
func interval(k, n int64) string {
	if n == 0 {
		return "-"
	}
	s := ratings.ClopperPearson(k, n, 0.95)
	return fmt.Sprintf("%d of %d: %.1f %% (%.1f to %.1f)", k, n, 100*s.Value, 100*s.Interval.Lo, 100*s.Interval.Hi)
}

// Variants writes a line for each set of rules: its exact value, and the claim of each seed.
func Variants(w io.Writer, studies []Study) error {
	var b strings.Builder
	b.WriteString("| rules | value | part | first | second | even | unknown | left out | cpu s, mean | ten games: right " +
		"|\n|---|---|---|---:|---:|---:|---:|---:|---:|---|\n")
	for _, list := range group(studies) {
		n := map[campaign.Claim]int{}
		left, plain, right, seconds := 0, 0, 0, 0.0
		for _, s := range list {
			if s.Left != "" {
				left++
				continue
			}
			n[s.Claim]++
			seconds += s.Seconds
			if s.Plain.Claim != campaign.Unknown {
				plain++
				if s.Plain.Claim == s.Truth {
					right++
				}
			}
		}
		part := map[bool]string{false: "chosen on", true: "held out"}[list[0].Held]
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %d | %d | %d | %.1f | %d of %d |\n", list[0].Rules, list[0].Truth, part,
			n[campaign.First], n[campaign.Second], n[campaign.Even], n[campaign.Unknown], left,
			seconds/float64(max(1, len(list)-left)), right, plain)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// group groups the studies of the same rules, in the order of the list.
func group(studies []Study) [][]Study {
	index := map[string]int{}
	var out [][]Study
	for _, s := range studies {
		i, ok := index[s.Rules]
		if !ok {
			i = len(out)
			index[s.Rules] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], s)
	}
	return out
}
