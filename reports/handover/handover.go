// Package handover writes a game as one HTML file that a designer can give to others, who can play it there.
//
// [Write] makes the file of some games. It holds the module, which is Spar's engine compiled to WebAssembly
// (command page, package inpage), a zip archive with the rules, agents and nets of these games and no others, and
// a page that package playing styles as it does those of "spar serve". [Module] builds the module from the folder of
// sources that the program was built in, or takes it from a release build.
package handover

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"strings"

	"spar/agents"
	"spar/configs"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/explain"
	"spar/engines/rules"
	"spar/engines/solve/suite"
	"spar/reports/board"
	"spar/reports/handover/inpage"
	"spar/reports/page"
	"spar/reports/playing"
)

// MostBytes is the maximum size of a page in bytes.
const MostBytes = 6_000_000

// ErrGames is wrapped by errors about games that do not fit on one page.
var ErrGames = strict.Mistake("cannot be on one page")

// ErrModule is wrapped by errors about a module that the program neither contains nor can build.
var ErrModule = strict.Mistake("cannot build the engine of the page")

// Built is the compiled module of a page.
type Built struct {
	Wasm   []byte // WebAssembly, compressed by gzip
	Loader string // script of the Go installation that starts the module
}

var (
	//go:embed web/page.html.tmpl
	layout string
	//go:embed web/page.mjs
	program string
	//go:embed web/worker.js
	worker string
)

// shown is a game on the page.
type shown struct {
	*engines.Game
	Title   string
	Picture template.HTML
	Words   []explain.Section
	Exact   string // result of perfect play, if it is stored; otherwise empty
}

// Check returns an error if the games do not fit on one page. The error wraps ErrGames.
func Check(games []*engines.Game) error {
	for i, g := range games {
		if slices.ContainsFunc(games[:i], func(o *engines.Game) bool { return o.Name() == g.Name() }) {
			return fmt.Errorf("two games called %q %w: rename one", g.Name(), ErrGames)
		}
	}
	return nil
}

// Write writes the page of the games. Call Check first.
func Write(w io.Writer, games []*engines.Game, m *Built) error {
	var all []shown
	for _, g := range games {
		p := g.NewPosition()
		all = append(all, shown{g, board.Title(g), board.Picture(&p.State), explain.Game(g).Sections, exact(g)})
	}
	files, err := archive(games)
	if err != nil {
		return err
	}
	t, err := template.New("page").Funcs(template.FuncMap{"join": strings.Join}).Parse(layout)
	if err != nil {
		return err
	}
	css, script := playing.Styles(), playing.Program()+program
	title := all[0].Title
	if len(all) > 1 {
		title = fmt.Sprintf("%d games", len(all))
	}
	var b bytes.Buffer
	if err := t.Execute(&b, map[string]any{
		"Title": title, "Games": all, "Levels": inpage.Levels(), "First": all[0].Name(),
		"CSS": template.CSS(css), "Script": template.JS(script), "Worker": template.HTML(m.Loader + "\n" + worker),
		"Module": template.HTML(base64.StdEncoding.EncodeToString(m.Wasm)),
		"Files":  template.HTML(base64.StdEncoding.EncodeToString(files)),
		"Policy": fmt.Sprintf("default-src 'none'; script-src '%s' blob: 'wasm-unsafe-eval'; worker-src blob:; style-src "+
			"'%s'; img-src data:; base-uri 'none'; form-action 'none'",
			page.PolicyHash(script), page.PolicyHash(css)),
	}); err != nil {
		return err
	}
	if b.Len() > MostBytes {
		return fmt.Errorf("%d games need %.1f MB, but a page may have at most %.0f MB: %w", len(games), float64(b.Len())/1e6,
			MostBytes/1e6, ErrGames)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// exact describes the result of perfect play, if it is stored; otherwise it returns an empty text.
func exact(g *engines.Game) string {
	known, err := suite.Named("published")
	if err != nil {
		return "" // a test reads the list
	}
	for _, e := range known {
		if e.Game.RulesHash() != g.RulesHash() {
			continue
		}
		text := map[string]string{
			"first": "With perfect play the first player wins", "second": "With perfect play the second player wins",
			"draw": "With perfect play the game is drawn",
		}[e.Published.Winner]
		if e.Published.Plies > 0 {
			text += fmt.Sprintf(" after %d plies", e.Published.Plies)
		}
		return g.NameSides(text) + "."
	}
	return ""
}

// archive returns the files that the module reads: the compiled rules, and the agents for them.
func archive(games []*engines.Game) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name string, data []byte) error {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
	var all []error
	for _, g := range games {
		all = append(all, add(path.Join(string(configs.Games), g.Name()+".yaml"), []byte(g.Rules().Canonical())))
	}
	wanted := []string{"minimax-2", "minimax-4"} // judges of hints
	for _, l := range inpage.Levels() {
		name, _ := rules.SplitLabel(l.Agent)
		wanted = append(wanted, name)
	}
	table, err := agents.ShippedStrongest()
	wanted = append(wanted, table.Searches...)
	name, data, unread := configs.Strongest()
	all = append(all, err, unread, add(path.Base(name), data))
	for _, name := range configs.Names(configs.Agents) {
		own := slices.ContainsFunc(games, func(g *engines.Game) bool {
			return slices.Contains([]string{"/learned", "/newest", "/tuned"}, strings.TrimPrefix(name, g.Name()))
		})
		if !own && !slices.Contains(wanted, name) {
			continue
		}
		_, data, err := configs.Read(configs.Agents, name)
		all = append(all, err, add(path.Join(string(configs.Agents), name+".yaml"), data))
		if s, err := agents.LoadSpec(name); err == nil && s.Evaluation.Net != nil {
			data, err := configs.ReadNet(s.Evaluation.File, 1<<30)
			all = append(all, err, add(path.Join(string(configs.Agents), s.Evaluation.File+".net"), data))
		}
	}
	err = errors.Join(append(all, z.Close())...)
	return b.Bytes(), err
}
