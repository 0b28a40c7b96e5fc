package serve

import (
	"cmp"
	"errors"
	"html/template"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"spar/configs/plain"
	"spar/engines"
	"spar/engines/explain"
	"spar/reports/board"
	"spar/reports/handover"
	"spar/reports/serve/session"
)

// setup is the data of the form for a new game.
type setup struct {
	Rules, Agents []string
	Rule          string
	Set           string
	Moves         string
	Chosen        string // name of the chosen agent
	First, Second string // names of the sides, for labels
	Words         []explain.Section
	Error         string
	Picture       template.HTML
	Title         string
	Knobs         []session.Knob
	Assists       session.Assists
	Page          bool // the game can be downloaded as a page
}

// opponentFor returns the default opponent: the middle level of the original program, if the game has levels.
func (s *Server) opponentFor(rules string) string {
	all := s.library.Agents()
	for _, level := range []string{"medium", "moderate", "intermediate", "standard"} {
		if name := rules + "/" + level; slices.Contains(all, name) {
			return name
		}
	}
	return "mcts-1k"
}

// fits lists the agents that can play some rules. It omits levels of other games. It omits perfect play for rules
// that are too large to solve.
func (s *Server) fits(rules string) []string {
	g, err := s.library.Game(rules, nil)
	return slices.DeleteFunc(s.library.Agents(), func(name string) bool {
		game, _, level := strings.Cut(name, "/")
		if level || err != nil {
			return level && game != rules && slices.Contains(s.library.Rules(), game)
		}
		spec, err := s.library.Spec(session.Player{Agent: name})
		return err == nil && spec.Suits(g) != nil
	})
}

// playForm shows the form for a new game.
func (s *Server) playForm(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	f := setup{
		Rules:  s.library.Rules(),
		Rule:   s.library.Here(q.Get("rules")),
		Set:    strings.Join(q["set"], " "),
		Moves:  q.Get("moves"),
		Chosen: q.Get("agent"),
		Knobs:  session.Knobs(),
		First:  "X",
		Second: "O",
		Page:   handover.Ready() == nil,
	}
	if f.Rule == "" {
		f.Rule = "vanishing"
	}
	_, hash := session.SplitReference(f.Rule)
	if hash != "" { // not in a file here, maybe in a study
		f.Rules = append([]string{f.Rule}, f.Rules...)
	}
	f.Agents = s.fits(f.Rule)
	if f.Chosen == "" {
		f.Chosen = s.opponentFor(f.Rule)
	}
	if n, err := strconv.Atoi(q.Get("upto")); err == nil {
		moves := strings.Fields(f.Moves)
		f.Moves = strings.Join(moves[:min(max(n, 0), len(moves))], " ")
	}
	g, err := s.library.Game(f.Rule, session.Overrides(q["set"]))
	if err == nil {
		p := g.NewPosition()
		if err = p.PlayText(strings.Fields(f.Moves)); err == nil {
			f.Words, f.Title = s.words(g).Sections, board.Title(g)
			f.First, f.Second = g.SideLabel(engines.First), g.SideLabel(engines.Second)
			f.Picture = board.Picture(&p.State)
		}
	}
	status := http.StatusOK
	if err != nil {
		status, f.Error = http.StatusUnprocessableEntity, err.Error()
	}
	return s.show(w, r, status, "setup.tmpl", frame{Title: "Play " + f.Rule, Here: "play", Body: f})
}

// playNew starts a game.
func (s *Server) playNew(w http.ResponseWriter, r *http.Request) error {
	q := r.PostForm
	agent := session.Player{Agent: q.Get("agent")}
	if agent.Agent == "" {
		agent.Agent = s.opponentFor(q.Get("rules"))
	}
	for _, k := range session.Knobs() {
		if v := strings.TrimSpace(q.Get(k.Name)); v != "" {
			agent.Set = append(agent.Set, k.Key+"="+v)
		}
	}
	n := session.Setup{
		Rules: q.Get("rules"), Set: session.Overrides(q["set"]), Moves: strings.Fields(q.Get("moves")),
	}
	if upto, err := strconv.Atoi(q.Get("upto")); err == nil {
		n.Moves = n.Moves[:min(max(upto, 0), len(n.Moves))]
	}
	n.Origin = q.Get("origin")
	mine := engines.First
	// the person who continues a game is to move
	if g, err := s.library.Game(n.Rules, n.Set); err == nil && n.Origin != "" {
		if p := g.NewPosition(); p.PlayText(n.Moves) == nil {
			mine = p.Side()
		}
	}
	if side := q.Get("side"); side == "second" || side == "toss" && rand.IntN(2) == 1 {
		mine = engines.Second
	}
	if q.Get("opponent") != "person" && q.Get("opponent") != "friend" {
		n.Seats[1-mine] = agent
	}
	t, err := s.sessions.New(n)
	if err != nil {
		return unfit(err)
	}
	if q.Get("opponent") == "friend" {
		t.Invite(1 - mine)
	}
	t.Assist(assists(q))
	return s.playAnswer(w, r, t)
}

func assists(q url.Values) session.Assists {
	return session.Assists{
		Bar: q.Get("bar") != "", Rated: q.Get("rated") != "", Values: q.Get("values") != "",
	}
}

// playAnswer redirects a browser to the game, and sends a program the state of the game.
func (s *Server) playAnswer(w http.ResponseWriter, r *http.Request, t *session.Session) error {
	s.sessions.Settle(t)
	if wantsJSON(r) {
		w.Header().Set("Location", "/play/"+t.ID())
		return showJSON(w, http.StatusOK, stateOf(t.View()))
	}
	http.Redirect(w, r, "/play/"+t.ID(), http.StatusSeeOther)
	return nil
}

func (s *Server) session(r *http.Request) (t *session.Session, seat session.Seat, err error) {
	t, ok, err := s.sessions.Session(r.PathValue("id"))
	if errors.Is(err, session.ErrRow) {
		err = unfit(err)
	}
	if err != nil {
		return nil, seat, err
	}
	if !ok {
		return nil, seat, notFound("There is no game %q here.", r.PathValue("id"))
	}
	if seat, _, ok = s.seat(r, t); !ok {
		return nil, seat, failf(http.StatusForbidden, "You have no seat in this game.")
	}
	return t, seat, nil
}

// guest returns the token of the guest who listens to some topics; empty for the owner.
func (s *Server) guest(r *http.Request, topics []string) (token string) {
	for _, topic := range topics {
		id, _ := strings.CutPrefix(topic, "play:")
		if t, found, err := s.sessions.Session(id); err == nil && found {
			_, of, _ := s.seat(r, t)
			token = cmp.Or(token, of)
		}
	}
	return token
}

// join gives the seat of an invitation link to the person who opens it.
func (s *Server) join(w http.ResponseWriter, r *http.Request) error {
	t, ok, err := s.sessions.Session(r.PathValue("id"))
	if err != nil {
		return err
	}
	if ok {
		_, ok = t.SeatOf(r.PathValue("token"))
	}
	if !ok {
		return notFound("This link is not valid: the game was deleted, or a new link has replaced it.")
	}
	setCookie(w, seatCookie(t.ID()), r.PathValue("token"))
	return s.leadOn(w, r, "/play/"+t.ID())
}

// playPage shows a game.
func (s *Server) playPage(w http.ResponseWriter, r *http.Request) error {
	t, seat, err := s.session(r)
	if err != nil {
		return err
	}
	if wantsJSON(r) {
		return showJSON(w, http.StatusOK, stateOf(t.View()))
	}
	return s.playShow(w, r, t, seat, http.StatusOK, "")
}

func (s *Server) playShow(w http.ResponseWriter, r *http.Request, t *session.Session, seat session.Seat, status int,
	problem string,
) error {
	since := s.hub.now()
	p := s.playPageOf(t.View(), seat, r.URL.Query().Get("from"), r)
	p.Error = problem
	return s.show(w, r, status, "play.tmpl", frame{
		Title: p.Title, Here: "play", Topics: "play:" + t.ID(),
		Since: since, Body: p,
	})
}

// playFile sends the game as one HTML file that works without a server. The first call may have to compile the
// engine, so the form offers it only where that is possible.
func (s *Server) playFile(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	g, err := s.library.Game(q.Get("rules"), session.Overrides(q["set"]))
	if err != nil {
		return unfit(err)
	}
	m, err := handover.Module(r.Context())
	if err != nil {
		return failf(http.StatusServiceUnavailable, "%s", sentence(err))
	}
	attach(w, "text/html", g.Name()+".html")
	return handover.Write(w, []*engines.Game{g}, m)
}

// command is an action that a page can request for a game. Its ply is the number of plies that the page shows.
type command func(t *session.Session, by session.Seat, ply int, q url.Values) error

// commands lists the actions by name.
func (s *Server) commands() map[string]command {
	owner := func(do func(*session.Session, int) error) command {
		return func(t *session.Session, _ session.Seat, ply int, _ url.Values) error { return do(t, ply) }
	}
	sit := func(do func(t *session.Session, side int, agent string) error) command {
		return func(t *session.Session, _ session.Seat, _ int, q url.Values) error {
			side, err := strconv.Atoi(q.Get("side"))
			if err != nil || side < 0 || side > 1 {
				return failf(http.StatusBadRequest, "side: expected 0 or 1")
			}
			return do(t, side, q.Get("agent"))
		}
	}
	return map[string]command{
		"move": func(t *session.Session, by session.Seat, ply int, q url.Values) error {
			return t.Move(by, ply, strings.TrimSpace(q.Get("move")))
		},
		"resign": func(t *session.Session, by session.Seat, ply int, _ url.Values) error { return t.Resign(by, ply) },
		"undo":   owner((*session.Session).Undo),
		"redo":   owner((*session.Session).Redo),
		"hint":   owner((*session.Session).Hint),
		"now":    owner(func(t *session.Session, _ int) error { t.MoveNow(); return nil }),
		"assist": func(t *session.Session, _ session.Seat, _ int, q url.Values) error { t.Assist(assists(q)); return nil },
		"seat": sit(func(t *session.Session, side int, agent string) error {
			return t.Sit(side, session.Player{Agent: agent})
		}),
		"invite": sit(func(t *session.Session, side int, _ string) error { t.Invite(side); return nil }),
	}
}

// playDo performs an action on a game.
func (s *Server) playDo(w http.ResponseWriter, r *http.Request) error {
	t, seat, err := s.session(r)
	if err != nil {
		return err
	}
	what := r.PathValue("what")
	switch {
	case seat != session.Owner && !(what == "move" || what == "resign" || what == "rematch"):
		return failf(http.StatusForbidden, "Only the person who started the game can do that.")
	case what == "rematch":
		return s.rematch(w, r, t, seat)
	case what == "delete":
		return s.delete(w, r, t)
	}
	do, ok := s.commands()[what]
	if !ok {
		return notFound("There is no command %q.", what)
	}
	ply, err := strconv.Atoi(r.PostForm.Get("ply"))
	if err != nil {
		return failf(http.StatusBadRequest, "ply: expected the number of plies on your page, not %q",
			r.PostForm.Get("ply"))
	}
	if err = do(t, seat, ply, r.PostForm); err == nil {
		return s.playAnswer(w, r, t)
	}
	status := http.StatusUnprocessableEntity
	var f *failure
	switch {
	case errors.Is(err, session.ErrStale):
		status = http.StatusConflict
	case errors.Is(err, session.ErrTurn):
		status = http.StatusForbidden
	case errors.As(err, &f):
		status = f.status
	}
	if wantsJSON(r) {
		return showJSON(w, status, map[string]any{"error": err.Error(), "state": stateOf(t.View())})
	}
	return s.playShow(w, r, t, seat, status, sentence(err))
}

// rematch starts the next game of a series, or redirects to it if it exists. A guest keeps the seat and its token,
// unless a new link has replaced it.
func (s *Server) rematch(w http.ResponseWriter, r *http.Request, t *session.Session, seat session.Seat) error {
	_, token, _ := s.seat(r, t)
	if seat != session.Owner {
		last := s.sessions.Latest(t)
		if _, ok := last.SeatOf(token); !ok {
			return failf(http.StatusForbidden, "A new link has replaced yours in the latest game of this series.")
		}
		if last.Over() {
			if err := s.quotas.game(token); err != nil {
				return err
			}
		} else if last == t {
			return failf(http.StatusUnprocessableEntity, "The game is not over.")
		}
	}
	next, err := s.sessions.Rematch(t)
	if err != nil {
		return unfit(err)
	}
	if token != "" {
		setCookie(w, seatCookie(next.ID()), token)
	}
	return s.playAnswer(w, r, next)
}

// delete removes a game and everything that Spar stored of it.
func (s *Server) delete(w http.ResponseWriter, r *http.Request, t *session.Session) error {
	if err := s.sessions.Delete(t); err != nil {
		return err
	}
	if wantsJSON(r) {
		return showJSON(w, http.StatusOK, map[string]string{"deleted": t.ID()})
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// sentence converts an error to a sentence.
func sentence(err error) string { return plain.Capital(err.Error()) + "." }

// state is a game as JSON, for programs.
type state struct {
	ID       string    `json:"id"`
	Rules    string    `json:"rules"`
	Set      []string  `json:"set,omitempty"`
	Seats    [2]string `json:"seats"`
	Ply      int       `json:"ply"`
	Moves    []string  `json:"moves"`
	ToMove   string    `json:"to_move,omitempty"` // X or O
	Legal    []string  `json:"legal"`
	Position string    `json:"position"` // position as one line of text
	Thinking bool      `json:"thinking,omitempty"`
	Result   string    `json:"result"`
	Reason   string    `json:"reason,omitempty"`
	Game     int64     `json:"game,omitempty"` // id in the study of people's games
	Problem  string    `json:"problem,omitempty"`
}

func stateOf(v session.View) state {
	s := state{
		ID:    v.ID,
		Rules: v.Rules,
		Set:   v.Set,
		Seats: [2]string{
			v.Seats[0].String(),
			v.Seats[1].String(),
		},
		Ply:      len(v.Plies),
		Moves:    v.Moves(),
		Legal:    []string{},
		Position: v.Position.Text(),
		Thinking: !v.Thinking.IsZero(),
		Result:   v.Outcome().String(),
		Reason:   v.Reason,
		Game:     v.Record.Game,
		Problem:  cmp.Or(v.Unsaved, v.Problem),
	}
	if s.Reason == "" {
		s.Reason = v.Position.Reason().String()
	}
	if !v.Over() {
		s.ToMove = "XO"[v.Position.Side() : v.Position.Side()+1]
		s.Legal = v.Game.MoveTexts(v.Position.AppendMoves(nil))
	}
	return s
}
