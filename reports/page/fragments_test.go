package page_test

import (
	"strings"
	"testing"

	"spar/reports/page"
)

// A report's front has its answers, and where the insides of its folded parts are; without answers nothing is folded, and it has the first part.
func TestFragments(t *testing.T) {
	t.Parallel()
	d := &page.Document{
		Title:    "A game",
		Answers:  []page.Answer{{Question: "Fair?", Text: "Yes."}},
		Sections: []page.Section{{Title: "Is it fair?", Paragraphs: []string{"The inside."}}},
	}
	front, whole, err := d.Fragments("?whole=1")
	if err != nil {
		t.Fatal(err)
	}
	for text, in := range map[string][2]bool{ // whether the front and the whole have it
		"Yes.":                       {true, true},
		"<h2>Is it fair?</h2>":       {true, true},
		"The inside.":                {false, true},
		`data-whole="?whole=1"`:      {true, false},
		`href="?whole=1#is-it-fair"`: {true, false},
	} {
		if got := [2]bool{strings.Contains(string(front), text), strings.Contains(string(whole), text)}; got != in {
			t.Errorf("%s is in the front and the whole: %v, want %v", text, got, in)
		}
	}
	d.Answers = nil
	d.Sections = append(d.Sections, page.Section{Title: "What else?", Paragraphs: []string{"Nothing."}})
	if front, whole, err = d.Fragments("?whole=1"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(front), "The inside.") || strings.Contains(string(front), "Nothing.") || !strings.Contains(string(whole), "Nothing.") {
		t.Errorf("without answers the front has the first part:\n%s", front)
	}
}
