package serve

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"spar/engines/rules"
	"spar/reports/board"
	"spar/reports/page"
	"spar/reports/review"
	"spar/reports/serve/session"
)

// lineView is a row in the list of lines. A line is the game itself (number 0) or a variation of it.
type lineView struct {
	Link   string
	Name   string // like "The game" or "Line 2"
	Text   string // the line's own moves, starting with the number of the first ply
	Result string
	Nested string // CSS class for the nesting level
	Here   bool   // the page shows this line
	Own    bool   // the line can be removed, because it is not a stored game
	Table  string // id of the session in which the line was played; empty if it was not played
	Who    string
}

// mostOrigin is the maximum number of later games that are shown as lines of the game that they continue.
const mostOrigin = 100

// line returns the path that the page shows.
func (g *reviewed) path() review.Path { return g.paths[g.line] }

// address returns the address of the review of the game without variations. It also identifies the game.
func (g *reviewed) address() string {
	if g.row != nil {
		return g.page
	}
	q := url.Values{"moves": {strings.Join(g.paths[0].Moves, " ")}}
	for _, k := range []string{"rules", "set"} {
		if g.query.Has(k) {
			q[k] = g.query[k]
		}
	}
	return g.page + "?" + q.Encode()
}

// at returns the address of a line; if ply is at least 0, of a position in the line.
func (g *reviewed) at(line, ply int) string {
	q := maps.Clone(g.query)
	if q.Del("line"); line > 0 {
		q.Set("line", strconv.Itoa(line))
	}
	to := g.page
	if ply >= 0 {
		q.Set("ply", strconv.Itoa(ply))
	}
	if len(q) > 0 {
		to += "?" + q.Encode()
	}
	if ply >= 0 {
		to += "#position"
	}
	return to
}

// branch adds the lines of a game: those in the address, saved lines, and games that continue it. It then selects
// the line that the address names.
func (s *Server) branch(ctx context.Context, g *reviewed, q url.Values) error {
	g.paths = g.tree.List()
	origin := g.address()
	kept, err := s.people.Lines(ctx, origin)
	if err != nil {
		return err
	}
	// saved under other rules
	if l, err := review.ParseTree(kept); err == nil && l.Check(g.game) == nil {
		if err := g.tree.Merge(l); err != nil {
			return err
		}
	}
	records, err := s.people.Latest(ctx, origin, mostOrigin)
	if err != nil {
		return err
	}
	for _, r := range records {
		if moves := r.Moves(); g.game.NewPosition().PlayText(moves) == nil && g.tree.Add(moves) == nil {
			g.sessions = append(g.sessions, r)
		}
	}
	g.resolve()
	if text := q.Get("line"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n >= len(g.paths) {
			return notFound("There is no line %q: lines have the numbers 0 to %d.", text, len(g.paths)-1)
		}
		g.line = n
		if n > 0 {
			g.query.Set("line", text)
		}
	}
	g.moves = g.path().Moves
	return nil
}

// resolve lists the lines and writes them into the address.
func (g *reviewed) resolve() {
	g.paths = g.tree.List()
	if g.row == nil || len(g.paths) > 1 {
		g.query.Set("moves", g.tree.String())
	} else {
		g.query.Del("moves")
	}
}

// lineViews returns the rows of the list of lines.
func (g *reviewed) lineViews() []lineView {
	out := make([]lineView, len(g.paths))
	for i, p := range g.paths {
		v := lineView{
			Link: g.at(i, -1), Name: "The game", Nested: fmt.Sprintf("n%d", min(p.Depth, 6)),
			Here: i == g.line, Own: i > 0,
		}
		if i > 0 {
			v.Name = fmt.Sprintf("Line %d", i)
			v.Text = fmt.Sprintf("%d. %s", p.Fork+1, strings.Join(p.Moves[p.Fork:], " "))
		}
		if end := g.game.NewPosition(); end.PlayText(p.Moves) == nil && end.Over() {
			v.Result = board.Result(end)
		}
		if i == 0 && g.ended != "" {
			v.Result = g.ended
		}
		for _, t := range g.sessions {
			if strings.Join(t.Moves(), " ") == strings.Join(p.Moves, " ") {
				v.Table, v.Who, v.Own = "/play/"+t.ID, fmt.Sprintf("%s – %s", t.Seats[0], t.Seats[1]), false
			}
		}
		out[i] = v
	}
	return out
}

// lineDo adds a move to a line or removes a line, and saves the result. A move that differs from the line's next
// move starts a new line.
func (s *Server) lineDo(w http.ResponseWriter, r *http.Request) error {
	q := r.PostForm
	g, err := s.reviewedOf(r.Context(), q.Get("game"), q)
	if err != nil {
		return err
	}
	line, ply := 0, -1
	switch what := r.PathValue("what"); what {
	case "add":
		n, err := strconv.Atoi(q.Get("ply"))
		if err != nil || n < 0 || n > len(g.moves) {
			return failf(http.StatusBadRequest, "ply: expected a number from 0 to %d, not %q", len(g.moves),
				q.Get("ply"))
		}
		p := g.game.NewPosition()
		if err := p.PlayText(g.moves[:n]); err != nil {
			return err
		}
		m, err := p.ParseMove(strings.TrimSpace(q.Get("move")))
		if err != nil {
			return unfit(err)
		}
		moves := append(append([]string{}, g.moves[:n]...), g.game.MoveText(m))
		if err := g.tree.Add(moves); err != nil {
			return unfit(err)
		}
		g.resolve()
		if line, ply = g.tree.Find(moves), n+1; g.line > 0 {
			if p := g.path(); len(p.Moves) >= len(moves) &&
				strings.Join(p.Moves[:len(moves)], " ") == strings.Join(moves, " ") {
				line = g.line // the move continues the line on the page
			}
		}
	case "remove":
		if g.line == 0 {
			return failf(http.StatusUnprocessableEntity, "Line 0 is the game itself and cannot be removed.")
		}
		ply = g.path().Fork
		g.tree.Remove(g.path())
		g.resolve()
	default:
		return notFound("There is no command %q.", what)
	}
	if err := s.people.KeepLines(r.Context(), g.address(), g.tree.String()); err != nil {
		return err
	}
	http.Redirect(w, r, g.at(line, ply), http.StatusSeeOther)
	return nil
}

// reviewedOf returns the game of a request, stored or pasted, with all its lines.
func (s *Server) reviewedOf(ctx context.Context, stored string, q url.Values) (g *reviewed, err error) {
	if stored != "" {
		g, err = s.stored(ctx, stored, q)
	} else if g, err = s.pasted(q); err != nil {
		err = unfit(err)
	} else if g == nil {
		err = failf(http.StatusBadRequest, "There are no moves.")
	}
	if err != nil {
		return nil, err
	}
	return g, s.branch(ctx, g, q)
}

// allLines returns every line as a separate game, for a file.
func (s *Server) allLines(g *reviewed) ([]page.GameView, error) {
	var out []page.GameView
	for i, v := range g.lineViews() {
		g.line, g.moves = i, g.paths[i].Moves
		one, _, err := s.view(g, false)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			one.ID, one.Title, one.Look = fmt.Sprintf("line-%d", i), v.Name, g.paths[i].Fork+1
			one.Why = cmp.Or(v.Who, "This variation was not played.")
		}
		out = append(out, one)
	}
	return out, nil
}

// lineNote says at which move a line departs from the game.
func (g *reviewed) lineNote() string {
	p := g.path()
	if p.Depth == 0 {
		return ""
	}
	return fmt.Sprintf("Line %d leaves %s after ply %d.", g.line,
		map[bool]string{true: "the game", false: "another line"}[p.Depth == 1], p.Fork)
}

// named splits a copied text like "vanishing[pieces.cap=4]: b2 a1" into rules and moves.
func named(text string, split func(string) (string, map[string]any)) (game string, set []string, moves string) {
	at := strings.LastIndex(text, ":")
	if at < 0 {
		return "", nil, text
	}
	name, knobs := split(strings.TrimSpace(text[:at]))
	return name, rules.Overrides(knobs), text[at+1:]
}

// playedFrom returns the address of the review of the game that this game continues; empty if it continues none.
func playedFrom(r *session.Record) string {
	if strings.HasPrefix(r.Origin, "/g/") || strings.HasPrefix(r.Origin, "/review?") {
		return r.Origin
	}
	return ""
}
