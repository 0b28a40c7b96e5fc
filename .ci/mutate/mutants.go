package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
)

// mutant is one change in one file: the bytes from from to to are replaced by with.
type mutant struct {
	file     string
	source   []byte
	from, to int
	with     string
	line     int // line of the start of the change, from 1
	column   int
}

// text returns the changed file.
func (m mutant) text() []byte {
	return bytes.Join([][]byte{m.source[:m.from], []byte(m.with), m.source[m.to:]}, nil)
}

// lines returns the lines with the change, before and after it.
func (m mutant) lines() (before, after string) {
	begin := bytes.LastIndexByte(m.source[:m.from], '\n') + 1
	end := len(m.source)
	if i := bytes.IndexByte(m.source[m.to:], '\n'); i >= 0 {
		end = m.to + i
	}
	s := string(m.source)
	return strings.TrimSpace(s[begin:end]), strings.TrimSpace(s[begin:m.from] + m.with + s[m.to:end])
}

func (m mutant) where() string {
	_, after := m.lines()
	return fmt.Sprintf("%s:%d: %q to %q: %s", m.file, m.line, m.source[m.from:m.to], m.with,
		strings.ReplaceAll(after, "\n", " "))
}

// swaps lists the replacements for each operator.
var swaps = map[token.Token][]string{
	token.LSS: {"<=", ">="}, token.LEQ: {"<", ">"}, token.GTR: {">=", "<="}, token.GEQ: {">", "<"},
	token.EQL: {"!="}, token.NEQ: {"=="},
	token.ADD: {"-"}, token.SUB: {"+"},
	token.ADD_ASSIGN: {"-="}, token.SUB_ASSIGN: {"+="},
	token.LAND: {"||"}, token.LOR: {"&&"},
}

// mutants lists the changes of a file, in the order of the file.
func mutants(file string) ([]mutant, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &finder{file: file, source: source, set: set, posts: map[ast.Stmt]bool{}, unread: map[ast.Expr]bool{}}
	ast.Inspect(tree, f.visit)
	return f.found, nil
}

// finder collects the changes of one file.
type finder struct {
	file   string
	source []byte
	set    *token.FileSet
	found  []mutant
	posts  map[ast.Stmt]bool // post statements of loops: a change of i++ there only makes endless loops
	unread map[ast.Expr]bool // values next to a returned error, which nobody reads
	places [][2]token.Pos    // layout: the coordinates of a drawing, and which columns of a table are right-aligned
}

func (f *finder) at(p token.Pos) int { return f.set.Position(p).Offset }

func (f *finder) change(from, to token.Pos, with string) {
	at := f.set.Position(from)
	if slices.ContainsFunc(f.places, func(p [2]token.Pos) bool { return p[0] <= from && to <= p[1] }) {
		return // it only moves something on a page
	}
	f.found = append(f.found, mutant{f.file, f.source, at.Offset, f.at(to), with, at.Line, at.Column})
}

func (f *finder) swap(op token.Token, at token.Pos) {
	for _, with := range swaps[op] {
		f.change(at, at+token.Pos(len(op.String())), with)
	}
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.ForStmt:
		if n.Post != nil {
			f.posts[n.Post] = true
		}
	case *ast.BinaryExpr:
		if isEdge(n.X) && isNumber(n.Y) {
			f.places = append(f.places, [2]token.Pos{n.Pos(), n.End()})
		}
		if n.Op != token.ADD || !isText(n.X) && !isText(n.Y) {
			f.swap(n.Op, n.OpPos)
		}
	case *ast.AssignStmt:
		if !f.posts[n] && !isText(n.Rhs[0]) {
			f.swap(n.Tok, n.TokPos)
		}
	case *ast.IncDecStmt:
		if !f.posts[n] {
			with := "--"
			if n.Tok == token.DEC {
				with = "++"
			}
			f.change(n.TokPos, n.TokPos+2, with)
		}
	case *ast.ReturnStmt:
		if last := len(n.Results) - 1; last > 0 && isError(n.Results[last]) {
			for _, e := range n.Results[:last] {
				f.unread[e] = true
			}
		}
	case *ast.BasicLit:
		if f.unread[n] {
			return true
		}
		if n.Kind == token.INT && (n.Value == "0" || n.Value == "1") {
			f.change(n.Pos(), n.End(), string('0'+'1'-n.Value[0]))
		}
	case *ast.UnaryExpr:
		switch n.Op {
		case token.SUB:
			f.change(n.OpPos, n.OpPos+1, "+")
		case token.NOT:
			f.change(n.OpPos, n.OpPos+1, "")
		}
	case *ast.IfStmt:
		f.condition(n)
	case *ast.CompositeLit:
		t := n.Type
		if a, ok := t.(*ast.ArrayType); ok {
			t = a.Elt
		}
		if isOf(t, "vg", "Point", "Rectangle") {
			f.places = append(f.places, [2]token.Pos{n.Lbrace, n.Rbrace})
		}
	case *ast.CallExpr:
		if isOf(n.Fun, "screen", "NewTable") && len(n.Args) > 2 {
			f.places = append(f.places, [2]token.Pos{n.Args[2].Pos(), n.Rparen})
		}
	}
	return true
}

// isEdge reports whether an expression is an edge of a canvas, like c.Min.X.
func isEdge(e ast.Expr) bool {
	axis, ok := e.(*ast.SelectorExpr)
	if !ok || axis.Sel.Name != "X" && axis.Sel.Name != "Y" {
		return false
	}
	end, ok := axis.X.(*ast.SelectorExpr)
	return ok && (end.Sel.Name == "Min" || end.Sel.Name == "Max")
}

func isNumber(e ast.Expr) bool {
	l, ok := e.(*ast.BasicLit)
	return ok && (l.Kind == token.INT || l.Kind == token.FLOAT)
}

// isOf reports whether an expression is one of the given names of a package.
func isOf(e ast.Expr, pkg string, names ...string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == pkg && slices.Contains(names, s.Sel.Name)
}

// condition makes the mutants of an if: the negated condition, unless another mutant does the same, and the
// dropped guard.
func (f *finder) condition(n *ast.IfStmt) {
	cond := string(f.source[f.at(n.Cond.Pos()):f.at(n.Cond.End())])
	switch n.Cond.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr: // their operators are changed
	default:
		f.change(n.Cond.Pos(), n.Cond.End(), "!("+cond+")")
	}
	last := len(n.Body.List) - 1
	if n.Else != nil || last < 0 || cond == "err != nil" {
		return
	}
	switch n.Body.List[last].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		f.change(n.Cond.Pos(), n.Cond.End(), "false && ("+cond+")")
	}
}

// isError reports whether an expression is obviously an error other than nil.
func isError(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "err"
	case *ast.CallExpr:
		s, ok := e.Fun.(*ast.SelectorExpr)
		return ok && s.Sel.Name == "Errorf"
	}
	return false
}

// isText reports whether an expression is obviously a string.
func isText(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.BinaryExpr:
		return isText(e.X) || isText(e.Y)
	}
	return false
}
