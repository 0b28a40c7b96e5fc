package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"flag"
	stdhtml "html"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/reports/chart"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares with a file in testdata.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	path := "testdata/" + file
	if *update {
		must.Do(t, os.WriteFile(path, got, 0o644))
		return
	}
	want := must.Get(os.ReadFile(path))(t)
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run go test with -update and look at it:\n%s", path, cmp.Diff(string(want), string(got)))
	}
}

func TestFormsOfTheSampleDocument(t *testing.T) {
	t.Parallel()
	d := sample(t)
	for file, write := range map[string]func(*bytes.Buffer) error{
		"sample.html": func(b *bytes.Buffer) error { return d.HTML(b) },
		"sample.md": func(b *bytes.Buffer) error {
			return d.Markdown(b, func(id string) string { return "figures/" + id + ".svg" })
		},
		"sample.txt": func(b *bytes.Buffer) error { return d.Text(b, 100) },
	} {
		var b bytes.Buffer
		must.Do(t, write(&b))
		golden(t, file, b.Bytes())
	}
}

// The page may need nothing from outside, and its policy must allow exactly its own style and program.
func TestPageIsSelfContained(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	must.Do(t, sample(t).HTML(&b))
	html := b.String()
	for _, bad := range []string{
		" style=", "http://", "https://", " onclick=", "javascript:", "@import", "url(", "NaN",
		"Inf",
	} {
		if i := strings.Index(html, bad); i >= 0 {
			t.Errorf("the page contains %q: …%s…", bad, html[max(0, i-40):min(len(html), i+60)])
		}
	}
	for _, r := range html {
		if r >= 0x1f000 {
			t.Errorf("the page contains %q, which many systems have no glyph for", r)
		}
	}
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(html)
	if policy == nil {
		t.Fatal("no policy")
	}
	allowed := stdhtml.UnescapeString(policy[1])
	if !strings.HasPrefix(allowed, "default-src 'none'; ") || strings.Contains(allowed, "unsafe") {
		t.Errorf("policy %s", allowed)
	}
	for name, element := range map[string]string{
		"script-src": `(?s)<script>(.*?)</script>`,
		"style-src":  `(?s)<style>(.*?)</style>`,
	} {
		all := regexp.MustCompile(element).FindAllStringSubmatch(html, -1)
		if len(all) != 1 {
			t.Fatalf("%d elements for %s", len(all), name)
		}
		sum := sha256.Sum256([]byte(all[0][1]))
		if want := name + " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(allowed, want) {
			t.Errorf("the policy %s does not allow %s", allowed, want)
		}
	}
}

func TestLinksLeadSomewhereAndIDsAreUnique(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	must.Do(t, sample(t).HTML(&b))
	seen := map[string]int{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(b.String(), -1) {
		seen[m[1]]++
	}
	for id, n := range seen {
		if n > 1 {
			t.Errorf("%d elements have the ID %s", n, id)
		}
	}
	for _, m := range regexp.MustCompile(` href="#([^"]*)"`).FindAllStringSubmatch(b.String(), -1) {
		if seen[m[1]] == 0 {
			t.Errorf("a link to #%s leads nowhere", m[1])
		}
	}
}

// 60 games of 100 plies each on a large board, with values, on top of the rest: the limit is 3 MB.
func TestPageStaysSmall(t *testing.T) {
	t.Parallel()
	d := sample(t)
	g := enginetest.Load(t, "ctor")
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		p := g.NewPosition()
		values := []float64{0.5}
		for len(values) <= 100 && !p.Over() {
			ms := p.AppendMoves(nil)
			p.Play(ms[rng.IntN(len(ms))])
			values = append(values, rng.Float64())
		}
		d.Sections[2].Games = append(d.Sections[2].Games, GameView{
			Title: "a game", Game: g, Moves: g.MoveTexts(p.Played()),
			Values: values, Source: "made up",
		})
	}
	var b bytes.Buffer
	must.Do(t, d.HTML(&b))
	if b.Len() > 3<<20 {
		t.Errorf("%d bytes for 60 games", b.Len())
	}
}

// What the document says on HTML it says in files, too.
func TestFilesOfFiguresAndTables(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := sample(t)
	tables := must.Get(d.Tables(dir + "/tables"))(t)
	if diff := cmp.Diff([]string{"who-wins-results-by-tier.csv", "who-wins-results-by-tier.json"}, tables); diff != "" {
		t.Error(diff)
	}
	for _, format := range []string{"svg", "png", "pdf"} {
		figures := must.Get(d.Figures(dir+"/figures", format))(t)
		want := []string{
			"who-wins-outcome-by-strength." + format, "who-wins-score-of-the-first-player." + format,
			"length-length-of-games." + format,
		}
		if diff := cmp.Diff(want, figures); diff != "" {
			t.Error(diff)
		}
		for _, f := range figures {
			if s, err := os.Stat(dir + "/figures/" + f); err != nil || s.Size() < 500 {
				t.Errorf("%s: %v", f, err)
			}
		}
	}
	// The first picture is a figure, too, and the first of them.
	d.Pictures = []Figure{{ID: "first", Title: "First", Chart: d.Sections[0].Figures[0].Chart}}
	if figures, err := d.Figures(dir+"/first", "svg"); err != nil || len(figures) != 4 || figures[0] != "first.svg" {
		t.Errorf("%q, %v", figures, err)
	}
	must.Refuse(d.Figures(dir, "gif"))(t, "expected svg, png, pdf")
}

// A figure whose values are all alike is a sentence, one without a chart nothing, and one without values is named as
// missing.
func TestFiguresThatAreNotDrawn(t *testing.T) {
	t.Parallel()
	lines := func(ys ...float64) chart.Chart {
		var l chart.Line
		for i, y := range ys {
			l.Points = append(l.Points, chart.PointAt(float64(i), y))
		}
		return &chart.Lines{Lines: []chart.Line{l}, Y: chart.Axis{Unit: chart.Integer}}
	}
	p := part{Section: Section{
		Title: "x", Paragraphs: []string{"before"},
		Figures: []Figure{
			{Title: "Plies.", Chart: lines(7, 7)},
			{Title: "None"},
			{Title: "Unknown", Chart: lines(math.NaN())},
			{Title: "Drawn", Chart: lines(1, 2)},
		},
	}}
	must.Do(t, p.prepare(ids{}, ids{}, ids{}))
	if len(p.Paragraphs) != 2 || p.Paragraphs[0] != "before" || !strings.HasPrefix(p.Paragraphs[1], "Plies: ") ||
		!strings.Contains(p.Paragraphs[1], "7") {
		t.Errorf("paragraphs %q", p.Paragraphs)
	}
	if len(p.Drawn) != 1 || p.Drawn[0].Title != "Drawn" || len(p.Missing) != 1 || p.Missing[0].What != "Unknown" {
		t.Errorf("drawn %v, missing %v", p.Drawn, p.Missing)
	}
}

func TestAnEmptyDocumentIsNoPanic(t *testing.T) {
	t.Parallel()
	d := &Document{Title: "nothing <b>&"}
	var b bytes.Buffer
	must.Do(t, errors.Join(d.HTML(&b), d.Markdown(&b, nil), d.Text(&b, 5)))
	if strings.Contains(b.String(), "<h1>nothing <b>") {
		t.Error("the title is not escaped")
	}
}
