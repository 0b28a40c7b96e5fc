package serve

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"reflect"
	"strings"

	"spar/configs/plain"
	"spar/reports/board"
	"spar/reports/page"
	"spar/reports/playing"
	"spar/reports/screen"
	"spar/reports/serve/session"
)

//go:embed web
var web embed.FS

// assets holds the files that pages load, at addresses that contain a hash of the contents, and the templates.
type assets struct {
	files   map[string][]byte
	hashes  map[string]string
	layouts *template.Template
}

func newAssets(l *session.Library) (*assets, error) {
	a := &assets{files: map[string][]byte{}, hashes: map[string]string{}}
	a.files["serve.css"] = []byte(playing.Styles())
	a.files["serve.mjs"] = []byte(playing.Program())
	a.files["page.mjs"] = []byte(page.Program())
	for name, data := range a.files {
		a.hashes[name] = plain.Hash(data)[:16]
	}
	layouts, err := page.Layouts(template.New(""))
	if err != nil {
		return nil, err
	}
	a.layouts, err = layouts.Funcs(template.FuncMap{
		"asset": func(name string) string { return "/assets/" + a.hashes[name] + "/" + name },
		"join":  strings.Join,
		"titled": func(rules string) string {
			if g, err := l.Game(rules, nil); err == nil {
				return board.Title(g)
			}
			return rules
		},
		"described": func(agent string) string {
			s, _ := l.Spec(session.Player{Agent: agent}) // whose error the game shows
			return s.Description
		},
		"words": func(value string) string { // of a value in a file
			word, ok := map[string]string{"true": "yes", "false": "no"}[value]
			if !ok {
				word = strings.ReplaceAll(value, "_", " ")
			}
			return word
		},
		"coloured": board.Coloured,
		"plural":   func(n any, thing string) string { return screen.Plural(reflect.ValueOf(n).Int(), thing) },
	}).ParseFS(web, "web/*.tmpl")
	return a, err
}

func (a *assets) serve(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("name")
	data, ok := a.files[name]
	if !ok || r.PathValue("hash") != a.hashes[name] {
		return notFound("There is no such file.")
	}
	kind := map[string]string{".css": "text/css", ".mjs": "text/javascript"}[path.Ext(name)]
	w.Header().Set("Content-Type", kind+"; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	_, err := w.Write(data)
	return err
}

// frame is the data for the template around every page.
type frame struct {
	Title  string
	Topics string // topics whose changes the page listens to, separated by commas
	Since  int64  // number of the latest change that the page shows
	Here   string // current part of the site, for the navigation
	Owner  bool   // the reader is the owner of the server, not only a guest in one game
	Steps  bool   // the page has games to step through
	Body   any
}

// rendered is the HTML of a page, also in gzip form.
type rendered struct {
	plain, packed []byte // HTML, and its gzip form; the latter is nil for small pages
}

// render executes the template layout.
func (s *Server) render(layout string, f frame) (*rendered, error) {
	var body, all bytes.Buffer
	if err := s.assets.layouts.ExecuteTemplate(&body, layout, f); err != nil {
		return nil, err
	}
	if err := s.assets.layouts.ExecuteTemplate(&all, "frame.tmpl",
		map[string]any{"F": f, "Main": template.HTML(body.String())}); err != nil {
		return nil, err
	}
	out := &rendered{plain: plain.Page(all.Bytes())}
	if len(out.plain) >= worthPacking {
		var packed bytes.Buffer
		to := gzip.NewWriter(&packed)
		if _, err := to.Write(out.plain); err != nil {
			return nil, err
		}
		if err := to.Close(); err != nil {
			return nil, err
		}
		out.packed = packed.Bytes()
	}
	return out, nil
}

// write sends the page.
func (p *rendered) write(w http.ResponseWriter, r *http.Request, status int) error {
	data := p.plain
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if p.packed != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		data = p.packed
	}
	w.WriteHeader(status)
	_, err := w.Write(data)
	return err
}

// show renders and sends a page.
func (s *Server) show(w http.ResponseWriter, r *http.Request, status int, layout string, f frame) error {
	f.Owner = s.owner(r)
	p, err := s.render(layout, f)
	if err != nil {
		return err
	}
	return p.write(w, r, status)
}

// worthPacking is the size in bytes from which pages are compressed.
const worthPacking = 8 << 10

// wantsJSON reports whether a request asks for JSON, as programs do.
func wantsJSON(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "application/json") || r.URL.Query().Get("format") == "json"
}

func showJSON(w http.ResponseWriter, status int, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, err = w.Write(append(data, '\n'))
	return err
}

// fail sends an error, as a page or as JSON.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, status int, text string) {
	var err error
	if wantsJSON(r) {
		err = showJSON(w, status, map[string]string{"error": text})
	} else {
		body := map[string]string{"Text": text}
		if status == http.StatusForbidden && r.Method == http.MethodGet {
			body["Again"] = address(r)
		}
		err = s.show(w, r, status, "error.tmpl", frame{Title: http.StatusText(status), Body: body})
	}
	if err != nil {
		fmt.Fprintf(s.o.Log, "%s %s: %v\n", r.Method, r.URL.Path, err) // the answer may be half written
	}
}
