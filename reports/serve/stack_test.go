package serve_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"spar/reports/serve"
)

// On narrow screens the cells of a table stand below each other with the head of their column beside each: the right one.
func TestStackedTablesNameTheirColumns(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{Studies: []string{played(t, nil)}})
	table := regexp.MustCompile(`(?s)<table class="data[^"]* ?stack">.*?</table>`)
	head, row := regexp.MustCompile(`(?s)<th scope="col"[^>]*>(.*?)</th>`), regexp.MustCompile(`(?s)<tr>(.*?)</tr>`)
	cell, label := regexp.MustCompile(`<(?:td|th scope="row")[^>]*>`), regexp.MustCompile(`data-h="([^"]*)"`)
	for path, column := range map[string]string{"/": "runs", "/study/cup": "first player scores", "/games/cup": "reason", "/t/cup.1": "against the next, expected"} {
		lookAt(t, s, path, 200, []string{`data-h="` + column + `"`})
		page := html.UnescapeString(send(s, request{path: path}).Body.String())
		tables := table.FindAllString(page, -1)
		for _, text := range tables {
			var heads []string
			for _, h := range head.FindAllStringSubmatch(text, -1) {
				heads = append(heads, h[1])
			}
			_, body, _ := strings.Cut(text, "<tbody>")
			for _, r := range row.FindAllStringSubmatch(body, -1) {
				cells := cell.FindAllString(r[1], -1)
				if len(cells) != len(heads) {
					t.Errorf("%s: %d cells under %d heads: %s", path, len(cells), len(heads), r[1])
					continue
				}
				for i, c := range cells {
					if strings.HasPrefix(c, "<td") && label.FindStringSubmatch(c)[1] != heads[i] {
						t.Errorf("%s: %s stands under %q", path, c, heads[i])
					}
				}
			}
		}
		if len(tables) == 0 {
			t.Errorf("%s has no such table", path)
		}
	}
}
