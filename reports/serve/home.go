package serve

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"spar/reports/board"
	"spar/reports/screen"
	"spar/reports/serve/session"
	"spar/reports/table"
)

// card is a game on the home page.
type card struct {
	Name, Title, Note string
	Picture           template.HTML
}

type mine struct{ ID, Rules, Who, Note string }

// family is a list of games with the same kind of goal or mechanic.
type family struct {
	Title string
	Cards []card
}

// familyTitles are the families of rules in the order of the home page, with what players do in them. Rules without a
// family come last.
var familyTitles = []struct{ name, title string }{
	{"lines", "In a row"},
	{"aging", "In a row, while the oldest piece leaves"},
	{"connection", "Connect two sides"},
	{"race", "Reach the far side"},
	{"majority", "Own most of the board"},
	{"capture", "Capture"},
	{"blocking", "Shut in"},
	{"mills", "Mills"},
	{"", "Your rules"},
}

type homePage struct {
	Families []family
	Mine     []mine
	MoreMine bool // there are more games played by people than the page lists
	Studies  table.Table
	Closed   string // why nobody can play here; empty if people can
}

// mostMine is the maximum number of games played by people that the home page lists.
const mostMine = 5

// families returns the games by family, with a picture of each board.
func (s *Server) families() []family {
	of := map[string][]card{}
	for _, name := range s.library.Rules() {
		g, err := s.library.Game(name, nil)
		if err != nil {
			of[""] = append(of[""], card{Name: name, Title: name, Note: err.Error()})
			continue
		}
		// A few random moves show more of a game than its empty board.
		p := g.NewPosition()
		for i := 0; i < g.Cells()/3 && !p.Over(); i++ {
			moves := p.AppendMoves(nil)
			next := p.Clone()
			if next.Play(moves[(i*7+3)*5%len(moves)]); next.Over() {
				break
			}
			p = next
		}
		of[g.Rules().Family] = append(of[g.Rules().Family], card{
			name, board.Title(g), cmp.Or(g.Rules().About, fmt.Sprintf("%d × %d, from %s", g.Columns(), g.Rows(),
				s.library.Path(name))), board.Picture(&p.State),
		})
	}
	var out []family
	for _, f := range familyTitles {
		if len(of[f.name]) > 0 {
			out = append(out, family{f.title, of[f.name]})
		}
	}
	return out
}

// shop returns the games for the home page.
func (s *Server) shop() (h homePage) {
	h.Families, _, _ = made(s, "cards", s.library.Version(), answerTime/3, "",
		func() ([]family, error) { return s.families(), nil })
	return h
}

// home shows the home page.
func (s *Server) home(w http.ResponseWriter, r *http.Request) error {
	h, since := s.shop(), s.hub.now()
	limit := mostMine + 1
	if r.URL.Query().Get("games") == "all" {
		limit = -1
	}
	if why := s.closed.Load(); why != nil {
		h.Families, h.Closed = nil, *why
	}
	records, err := s.people.Latest(r.Context(), limit)
	if err != nil {
		return err
	}
	unsaved := s.sessions.Unsaved()
	records = append(unsaved, slices.DeleteFunc(records, func(of session.Record) bool {
		return slices.ContainsFunc(unsaved, func(u session.Record) bool { return u.ID == of.ID })
	})...)
	if limit > 0 && len(records) >= limit {
		records, h.MoreMine = records[:mostMine], true
	}
	for i, rec := range records {
		rules, _ := session.SplitReference(rec.Rules)
		h.Mine = append(h.Mine, mine{
			rec.ID, session.Label(rules, rec.Set),
			fmt.Sprintf("%s – %s", rec.Seats[0], rec.Seats[1]), note(rec, i < len(unsaved)),
		})
	}
	list := s.list(r.Context())
	h.Studies = studyTable(list).Titled("List of studies")
	var topics []string // those of studies that are being counted
	for _, l := range list {
		if l.Problem == counting && len(topics) < mostTopics {
			topics = append(topics, "sizes:"+l.Key)
		}
	}
	return s.show(w, r, http.StatusOK, "home.tmpl",
		frame{
			Title:  "Home",
			Here:   "home",
			Topics: strings.Join(topics, ","),
			Since:  since,
			Body:   h,
		})
}

func note(r session.Record, unsaved bool) string {
	switch {
	case unsaved:
		return "not stored yet"
	case r.Counted != "":
		return fmt.Sprintf("finished after %s: %s", screen.Plural(len(r.Plies), "ply"), r.Counted)
	case len(r.Plies) == 0:
		return "not started"
	}
	return "in progress, " + screen.Plural(len(r.Plies), "ply")
}
