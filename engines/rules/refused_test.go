package rules_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/grid"
	"spar/engines/rules"
)

// refusals returns a pattern of each message with which rules are refused, by its place in the source.
func refusals(t *testing.T) map[string]*regexp.Regexp {
	t.Helper()
	out := map[string]*regexp.Regexp{}
	files := must.Get(filepath.Glob("*.go"))(t)
	for _, name := range append(files, "../start.go") {
		set := token.NewFileSet()
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		ast.Inspect(must.Get(parser.ParseFile(set, name, nil, 0))(t), func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok || len(c.Args) < 3 {
				return true
			}
			f, selected := c.Fun.(*ast.SelectorExpr)
			if id, ok := c.Fun.(*ast.Ident); !(ok && id.Name == "refuse" || selected && f.Sel.Name == "refuse") {
				return true
			}
			if message := pattern(c.Args[2]); message != something { // else one that passes its message on
				out[set.Position(c.Pos()).String()] = regexp.MustCompile(
					`(?m)^(second[.]|kinds\[\d+\][.])?` + pattern(c.Args[1]) + ": " + message + "$")
			}
			return true
		})
	}
	return out
}

const something = `.*`

// pattern returns a pattern of what a text evaluates to.
func pattern(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil {
			verbs := regexp.MustCompile(`%(\\\[\d\\\])?[a-z]`)
			return verbs.ReplaceAllString(strings.ReplaceAll(regexp.QuoteMeta(s), "%%", "%"), something)
		}
	case *ast.BinaryExpr:
		return pattern(e.X) + pattern(e.Y)
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" {
			return pattern(e.Args[0])
		}
	}
	return something
}

// Every refusal in the source has a case in testdata/refused.txt: shipped rules with overrides ("no"), what is said, and
// where one value makes the difference, the same with the nearest value that is accepted ("yes"). Values that no file can
// state are set here.
func TestRefusals(t *testing.T) {
	t.Parallel()
	said := ""
	load := func(line string) string {
		game, set, _ := strings.Cut(line, " | ")
		data := must.Get(os.ReadFile("../../configs/games/" + game + ".yaml"))(t)
		if _, err := engines.Load("rules.yaml", data, strings.Split(set, " ;; ")...); err != nil {
			return err.Error() + "\n"
		}
		return ""
	}
	lines := strings.Split(string(must.Get(os.ReadFile("testdata/refused.txt"))(t)), "\n")
	for i, line := range lines {
		if c, ok := strings.CutPrefix(line, "no  "); ok {
			want := strings.TrimPrefix(lines[i+1], "    ")
			if got := load(c); !strings.Contains(got, ": "+want+"\n") {
				t.Errorf("%s: %q, want %q", c, got, want)
			}
			said += want + "\n"
		} else if c, ok := strings.CutPrefix(line, "yes "); ok {
			if got := load(c); got != "" {
				t.Errorf("%s: %s", c, got)
			}
		}
	}
	for _, change := range []func(*rules.Rules){
		func(r *rules.Rules) { r.Board.Columns = 0 },
		func(r *rules.Rules) { r.Board.Rows = grid.MaxSide + 1 },
		func(r *rules.Rules) { r.Turn.Pie = "x" },
		func(r *rules.Rules) { r.Movement.MultiJump = "x" },
		func(r *rules.Rules) { r.Movement.ForcedCapture = "x" },
		func(r *rules.Rules) { r.Cells = append(r.Cells, r.Cells...) },
		func(r *rules.Rules) { r.Kinds[0].Sides = 3 },
	} {
		r := must.Get(engines.Named("tablut"))(t).Rules()
		change(&r)
		said += rules.Validate(&r).Error() + "\n"
	}
	for at, p := range refusals(t) {
		if !p.MatchString(said) {
			t.Errorf("%s: no case of this refusal (%s)", at, p)
		}
	}
}
