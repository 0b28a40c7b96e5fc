package serve

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"spar/arena/study"
	"spar/engines"
	"spar/engines/explain"
	"spar/reports/board"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/playing"
	"spar/reports/review"
	"spar/reports/screen"
	"spar/reports/serve/session"
	"spar/reports/table"
)

// reviewPageBody is the data for the page of a review.
type reviewPageBody struct {
	Title, Error string
	Form         pasteForm
	Game         template.HTML
	Progress     string // how much has been rated; empty when everything is
	Done, Of     int
	Summary      []string
	Ply          int
	Look         *positionLook
	Facts        facts
	Links        links
	File         string
	Prev, Next   string
	Rules        string
	Set          []string
	Moves        string
	Hidden       url.Values
	Path         string
	Words        []explain.Section
	Thoughts     table.Table
	Origin       string
	GameID       string // id of the game if it is stored
	Agents       []string
	Agent        string
}

// positionLook is one position of the game, with the value of every move.
type positionLook struct {
	Game   *engines.Game // has the colours of the sides
	Ply    int
	Grid   playing.Grid
	Text   string
	Side   string
	Moves  table.Table
	Legend string
	Wait   bool
	Error  string
	Back   string
	Next   string
}

// reviewPage reviews a pasted game. Without a game it shows the form for one.
func (s *Server) reviewPage(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	g, err := s.pasted(q)
	if err != nil || g == nil {
		body := reviewPageBody{Title: "Review", Form: pasteForm{
			s.library.Rules(), s.library.Here(q.Get("rules")), strings.Join(q["set"], " "), q.Get("moves"),
		}}
		status := http.StatusOK
		if err != nil {
			status, body.Error = http.StatusUnprocessableEntity, err.Error()
		}
		return s.show(w, r, status, "review.tmpl", frame{Title: "Review", Here: "review", Body: body})
	}
	return s.reviewShow(w, r, g)
}

// reviewTry leads to the review of the game that another move after a ply begins.
func (s *Server) reviewTry(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	g, err := s.reviewedOf(r)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(q.Get("ply"))
	if err != nil || n < 0 || n > len(g.moves) {
		return failf(http.StatusBadRequest, "ply: expected a number from 0 to %d, not %q", len(g.moves), q.Get("ply"))
	}
	p := g.game.NewPosition()
	if err := p.PlayText(g.moves[:n]); err != nil {
		return err
	}
	m, err := p.ParseMove(strings.TrimSpace(q.Get("move")))
	if err != nil {
		return unfit(err)
	}
	g.page, g.query = "/review", url.Values{
		"rules": {g.rules}, "set": g.set, "first": {g.names[0]}, "second": {g.names[1]},
		"moves": {strings.Join(append(g.moves[:n:n], g.game.MoveText(m)), " ")},
	}
	http.Redirect(w, r, g.address(n+1), http.StatusSeeOther)
	return nil
}

// gamePage reviews a stored game.
func (s *Server) gamePage(w http.ResponseWriter, r *http.Request) error {
	g, err := s.stored(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	return s.reviewShow(w, r, g)
}

// view returns the game with the ratings so far.
func (s *Server) view(g *reviewed, ask bool) (page.GameView, session.RatedGame, error) {
	var done func()
	if ask {
		topic := g.topic()
		done = func() { s.hub.bump(topic) }
	}
	look, err := s.valuer.RateGame(g.game, g.moves, done)
	v := page.GameView{
		ID:     "game",
		Title:  board.Title(g.game),
		Game:   g.game,
		Moves:  g.moves,
		Names:  g.names,
		Result: g.ended,
	}
	if look.Done > 0 {
		rateView(&v, look)
	}
	return v, look, err
}

// rateView adds the values and classes of the moves to the view of a game.
func rateView(v *page.GameView, look session.RatedGame) {
	v.Values, v.Source = look.Values, look.Source
	v.Classes = make([]string, len(v.Moves))
	v.Best = make([]string, len(v.Moves))
	for i, p := range look.Plies {
		if p != nil {
			v.Classes[i], v.Best[i] = p.Class, p.Named()
		}
	}
}

func (s *Server) reviewShow(w http.ResponseWriter, r *http.Request, g *reviewed) error {
	since := s.hub.now()
	v, look, err := s.view(g, true)
	if err != nil {
		return unfit(err)
	}
	q := r.URL.Query()
	b := reviewPageBody{
		Title:  board.Title(g.game),
		Done:   look.Done + look.Failed,
		Of:     len(g.moves),
		Rules:  g.rules,
		Set:    g.set,
		Moves:  strings.Join(g.moves, " "),
		Path:   g.page,
		Hidden: g.query,
		Words:  s.words(g.game).Sections,
	}
	v.Look, b.Ply = len(g.moves), len(g.moves)
	if n, err := strconv.Atoi(q.Get("ply")); err == nil && n >= 0 && n <= len(g.moves) {
		b.Ply, v.Look = n, cmp.Or(n, -1)
		b.Look = s.lookAt(g, n, q.Get("from"))
	}
	if b.Game, err = v.Fragment(); err != nil {
		return err
	}
	f := frame{
		Title: "Review: " + b.Title,
		Here:  "review",
		Since: since,
		Steps: true,
		Body:  &b,
	}
	if b.Done < b.Of {
		b.Progress = fmt.Sprintf("%d of %s rated.", b.Done, screen.Plural(b.Of, "move"))
		f.Topics = g.topic()
	}
	b.Summary = summary(look, v)
	if look.Failed > 0 {
		b.Summary = append(b.Summary, "Not rated in time: "+screen.Plural(look.Failed, "move"))
	}
	if b.Look != nil && b.Look.Wait {
		f.Topics = g.topic()
	}
	b.Links = links{
		s.link("/review", g.rules, g.set, g.game, g.moves), s.link("/play", g.rules, g.set, g.game, nil),
		session.Label(s.library.Reference(g.rules, g.set, g.game)) + ": " + b.Moves,
	}
	b.Origin = g.address(-1)
	b.Agents, b.Agent = s.fits(g.rules), s.opponentFor(g.rules)
	file := maps.Clone(g.query)
	if g.row != nil {
		b.GameID = r.PathValue("id")
		file.Set("game", b.GameID)
	}
	b.File = "/review/file?" + file.Encode()
	if g.row != nil {
		if err := s.storedFacts(r, g, &b); err != nil {
			return err
		}
	}
	return s.show(w, r, http.StatusOK, "review.tmpl", f)
}

// storedFacts adds what the study stores about a game.
func (s *Server) storedFacts(r *http.Request, g *reviewed, b *reviewPageBody) error {
	o, err := s.studies.study(r.Context(), g.study)
	if err != nil {
		return err
	}
	row := g.row
	b.Title = fmt.Sprintf("Game %d", row.ID)
	add := b.Facts.add
	add("Study", g.study)
	add("Run", row.EventName)
	add("Rules", row.RulesName)
	add("Marks", row.Marks.String())
	add("Notes", g.notes)
	add("Time", fmt.Sprintf("%s %.2f s, %s %.2f s", g.game.SideName(0), row.FirstMS/1000, g.game.SideName(1),
		row.SecondMS/1000))
	before, after, err := o.db.Neighbours(r.Context(), row.ID)
	if err != nil {
		return err
	}
	if before != 0 {
		b.Prev = fmt.Sprintf("/g/%s.%d", g.study, before)
	}
	if after != 0 {
		b.Next = fmt.Sprintf("/g/%s.%d", g.study, after)
	}
	thoughts, err := o.db.Thoughts(r.Context(), row.ID)
	if err != nil {
		return err
	}
	b.Thoughts = thoughtTable(thoughts, g.moves)
	return nil
}

// thoughtTable returns the table of what the agents reported at each ply.
func thoughtTable(thoughts map[int]study.Ply, moves []string) table.Table {
	var plies []study.Ply
	for i := range moves {
		if t, ok := thoughts[i+1]; ok {
			t.Ply = i + 1
			plies = append(plies, t)
		}
	}
	return table.Rows(plies, func(t study.Ply) []any {
		score := table.None("no score")
		if t.Score.Valid {
			score = table.Num(t.Score.Float64, chart.Percent, 0)
		}
		return []any{
			"ply", t.Ply, "move", moves[t.Ply-1], "score", score, "depth", t.Depth, "nodes", t.Nodes,
			"ms", table.Num(t.MS, chart.Number, 1), "line", t.PV,
		}
	}).Titled("What the agents reported at each ply")
}

// summary counts the classes of the moves of each side, and the mean loss.
func summary(look session.RatedGame, v page.GameView) (out []string) {
	_, sides, _ := board.Replay(v.Game.NewPosition(), v.Moves)
	for side := range 2 {
		counts, loss, n := map[string]int{}, 0.0, 0
		for i, ply := range look.Plies {
			if ply == nil || sides[i] != "XO"[side] {
				continue
			}
			counts[ply.Class]++
			loss, n = loss+ply.Loss, n+1
		}
		var words []string
		for _, class := range []string{review.Best, review.Excellent, review.Good, review.Inaccuracy, review.Mistake} {
			if c := counts[class]; c > 0 {
				words = append(words, fmt.Sprintf("%s %d", class, c))
			}
		}
		if len(words) == 0 {
			continue
		}
		text := v.Game.SideName(side) + ": " + strings.Join(words, ", ")
		out = append(out, fmt.Sprintf("%s; mean loss of expected score per move: %.1f %%.", text, 100*loss/float64(n)))
	}
	return out
}

// lookAt returns one position with the value of every move.
func (s *Server) lookAt(g *reviewed, ply int, from string) *positionLook {
	p := g.game.NewPosition()
	frames, _, err := board.Replay(p, g.moves[:ply])
	if err != nil {
		return nil // the moves are legal
	}
	l := &positionLook{
		Game: g.game,
		Ply:  ply,
		Text: p.Text(),
		Side: g.game.SideName(p.Side()),
		Back: g.address(ply - 1),
	}
	if ply < len(g.moves) {
		l.Next = g.address(ply + 1)
	}
	d := playing.Drawing{
		Pos:   p,
		Frame: &frames[ply],
		Play:  !p.Over(),
		From:  from,
	}
	if !p.Over() {
		topic := g.topic()
		rating := s.valuer.Rating(g.game, g.moves[:ply], func() { s.hub.bump(topic) })
		switch {
		case rating == nil:
			l.Wait = true
		case rating.Err != nil:
			l.Error = rating.Err.Error()
		default:
			d.Values = true
			d.Best = true
			d.Rated = rating.All
			l.Moves = g.ratedTable(rating, ply)
		}
	}
	l.Grid, l.Legend = d.Grid(), playing.Legend(g.game, d.Values)
	return l
}

// ratedTable lists the moves of the position after a ply with their values, the best first.
func (g *reviewed) ratedTable(rating *session.Rating, ply int) table.Table {
	best := review.BestMoves(rating.All)
	all := slices.Clone(rating.All)
	slices.SortStableFunc(all, func(a, b review.Rated) int { return cmp.Compare(b.Rating, a.Rating) })
	return table.Rows(all, func(m review.Rated) []any {
		var notes []string
		add := func(on bool, note string) {
			if on {
				notes = append(notes, note)
			}
		}
		text, value := g.game.MoveText(m.Move), playing.Percent(m.Score)+" %"
		if m.Exact {
			value = m.Value.Outcome.String()
		}
		add(m.Value.DTW > 0, "in "+screen.Plural(m.Value.DTW, "ply"))
		add(m.Exact, "exact")
		add(slices.ContainsFunc(best, func(b review.Rated) bool { return b.Move == m.Move }), "best")
		add(ply < len(g.moves) && g.moves[ply] == text, "played")
		return []any{"move", text, "value", value, "note", strings.Join(notes, ", ")}
	}).Titled(fmt.Sprintf("Value of every move (%s)", rating.Scale.Source))
}

// reviewFile sends a review as one HTML file.
func (s *Server) reviewFile(w http.ResponseWriter, r *http.Request) error {
	g, err := s.reviewedOf(r)
	if err != nil {
		return err
	}
	v, look, err := s.view(g, false)
	if err != nil {
		return err
	}
	flags := ""
	for _, text := range g.set {
		flags += fmt.Sprintf(" --set %q", text)
	}
	d := page.Document{
		Title: board.Title(g.game), Subtitle: strings.Join(summary(look, v), " "),
		Verdict:  page.Verdict{Headline: g.ended + ".", Detail: s.words(g.game).String()},
		Sections: []page.Section{{ID: "the-game", Title: "The game", Games: []page.GameView{v}}},
		Commands: []page.Command{{Text: fmt.Sprintf("spar analyze --rules %s%s --moves %q", g.rules, flags,
			strings.Join(g.moves, " ")), Note: "This command reviews this game in a terminal:"}},
	}
	attach(w, "text/html", "review.html")
	return d.HTML(w)
}
