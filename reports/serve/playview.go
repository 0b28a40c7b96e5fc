package serve

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"spar/engines"
	"spar/engines/explain"
	"spar/reports/board"
	"spar/reports/page"
	"spar/reports/playing"
	"spar/reports/serve/session"
)

// words returns the explanation of the rules. It caches the text, because some sentences take long to compute.
func (s *Server) words(g *engines.Game) *explain.Rules {
	text, _, _ := made(s, "words "+g.RulesHash()+g.Name(), 0, answerTime/2, "",
		func() (*explain.Rules, error) { return explain.Game(g), nil })
	return cmp.Or(text, &explain.Rules{})
}

// playPage is the data for the page of a game.
type playPage struct {
	session.View
	Title   string
	Names   [2]string
	Grid    playing.Grid
	Ply     int
	Turn    bool // it is the turn of the person on this page
	Guest   bool
	Ended   bool
	Joins   bool // the rematch has already started
	Error   string
	Status  string // whose turn it is, or how the game ended
	Say     string // last event, for screen readers
	Facts   []playing.Fact
	Hint    string
	List    []page.Move
	Bar     *bar
	Arc     template.HTML
	Words   []explain.Section
	Legend  string
	Left    string
	Links   links
	From    string // address of the review of the game that this game continues
	Invite  [2]string
	Local   bool // links contain an address that only this computer can open
	Listens bool // other computers can reach the server, at other addresses
	Reload  bool
	Agents  []string
	Agent   int // side of the agent
	Undo    bool
	Digits  bool
}

// bar is the evaluation bar. The side of the person on this page is below.
type bar struct {
	Share       string // expected score of the side below in percent, for the height of its part
	Below, Over string // X or O
	Words       string
}

type links struct{ Review, Again, Copy string }

// link returns an address of the same game that works on any server: rules, overrides and moves.
func (s *Server) link(path, rules string, set []string, g *engines.Game, moves []string) string {
	rules, set = s.library.Reference(rules, set, g)
	q := url.Values{"rules": {rules}, "set": set}
	if len(moves) > 0 {
		q.Set("moves", strings.Join(moves, " "))
	}
	return path + "?" + q.Encode()
}

// playPageOf collects the data for the page of a game.
func (s *Server) playPageOf(v session.View, seat session.Seat, from string, r *http.Request) playPage {
	g := v.Game
	p := playPage{
		View:   v,
		Title:  board.Title(g),
		Ply:    len(v.Plies),
		Guest:  seat != session.Owner,
		Ended:  v.Over(),
		Words:  s.words(g).Sections,
		Digits: g.Cells() == 9,
	}
	side := v.Position.Side()
	mine := func(side int) bool {
		if seat == session.Owner {
			return v.Seats[side].Person() && v.Tokens[side] == ""
		}
		return int(seat) == side
	}
	p.Turn = !p.Ended && v.Seats[side].Person() && mine(side)
	home := v.Home()
	if p.Guest {
		home = int(seat)
		p.View.Assists, p.View.HintLevel = session.Assists{}, 0
	}
	for i, who := range v.Seats {
		switch {
		case !who.Person():
			p.Names[i] = who.String()
		case mine(i) && mine(1-i) && v.Seats[1-i].Person():
			p.Names[i] = [2]string{"first player", "second player"}[i]
		case mine(i):
			p.Names[i] = "you"
		case p.Guest:
			p.Names[i] = "host"
		default:
			p.Names[i] = "guest"
		}
	}
	moves := v.Moves()
	done := func() { s.hub.bump("play:" + v.ID) }
	d := playing.Drawing{
		Pos:    v.Position,
		Frame:  &v.Frames[len(v.Frames)-1],
		Play:   p.Turn,
		From:   from,
		Values: p.Assists.Values,
	}
	hinted := v.HintPly == p.Ply+1 && p.HintLevel > 0 && !p.Ended
	var rating *session.Rating
	if hinted || p.Assists.Values && p.Turn || p.Assists.Bar && !p.Ended {
		if rating = s.valuer.Rating(g, moves, done); rating != nil && rating.Err == nil {
			d.Rated = rating.All
		}
		if hinted {
			d.Region = p.HintLevel == 1
			d.Best = p.HintLevel >= 2
			d.Values = d.Values || p.HintLevel >= 3
			p.Hint = hintWords(rating, g, p.HintLevel)
		}
	}
	p.Grid, p.Legend = d.Grid(), playing.Legend(g, d.Values)
	values := p.judge(s, moves, done)
	if p.Assists.Bar {
		p.Bar = p.barOf(rating, values[len(values)-1], home)
	}
	p.Facts = playing.Facts(v.Position, v.Frames, v.Sides, moves)
	if v.Left >= 0 {
		left := v.Left.Round(time.Second)
		p.Left = fmt.Sprintf("%d:%02d", int(left.Minutes()), int(left.Seconds())%60)
		p.Facts = append(p.Facts, playing.Fact{Name: "Clock", Value: p.Left + " left"})
	}
	p.Status = p.status(side)
	p.Say = d.Frame.Say
	if p.Ended {
		p.Joins = s.sessions.Rejoins(&v)
		p.Say = strings.TrimSuffix(p.Status, ".") + "."
	}
	p.Links = links{
		s.link("/review", v.Rules, v.Set, g, moves), s.link("/play", v.Rules, v.Set, g, nil),
		session.Label(s.library.Reference(v.Rules, v.Set, g)) + ": " + strings.Join(moves, " "),
	}
	if v.Result != "" { // the moves alone do not tell it
		p.Links.Review += "&" + url.Values{"ended": {v.Words()}}.Encode()
	}
	if !p.Guest {
		p.Agent = 1 - home
		s.forOwner(&p, r.Host)
	}
	return p
}

// forOwner adds what only the owner of a game may do: take back, choose agents, invite guests, read changed rules.
func (s *Server) forOwner(p *playPage, host string) {
	if strings.HasPrefix(p.Origin, "/g/") || strings.HasPrefix(p.Origin, "/review?") {
		p.From = p.Origin
	}
	p.Undo = p.Result != "" || slices.ContainsFunc(p.Plies[p.Given:], func(x session.Ply) bool { return x.Agent == "" })
	p.Agents, p.Local, p.Listens = s.fits(p.Rules), loopback(host), s.ips
	for i, token := range p.View.Links {
		if token != "" {
			p.Invite[i] = "http://" + host + "/join/" + p.ID + "/" + token
		}
	}
	if now, err := s.library.Game(p.Rules, p.Set); err == nil {
		p.Reload = now.RulesHash() != p.Game.RulesHash()
	}
}

// status returns in words whose turn it is, or how the game ended.
func (p *playPage) status(side int) string {
	switch {
	case p.Ended:
		return p.View.Words() + "."
	case !p.Thinking.IsZero():
		return fmt.Sprintf("%s (%s) is thinking.", p.Names[side], p.Game.SideLabel(side))
	case p.Turn && p.Grid.From != "":
		return fmt.Sprintf("Your move (%s): where does %s go?", p.Game.SideLabel(side), p.Grid.From)
	case p.Turn:
		return fmt.Sprintf("Your move (%s)%s.", p.Game.SideLabel(side), board.Due(p.Position))
	}
	return fmt.Sprintf("To move: %s (%s).", p.Names[side], p.Game.SideLabel(side))
}

// barOf makes the evaluation bar from the rating of the position. Until Spar has computed it, the bar keeps the value
// of the move before.
func (p *playPage) barOf(r *session.Rating, before float64, home int) *bar {
	b := bar{Words: "Spar is computing the evaluation."}
	first := before
	switch {
	case p.Ended:
		first, b.Words = p.Outcome().Score(engines.First), p.View.Words()+"."
	case r != nil && r.Err != nil:
		b.Words = "No evaluation of this position: " + r.Err.Error() + "."
	case r != nil:
		first, b.Words = playing.Outlook(p.Position, r.All, r.Scale.Source)
		b.Words += "."
	}
	if math.IsNaN(first) {
		first = 0.5
	}
	b.Share = playing.Percent(engines.OfFirst(first, home))
	b.Below = "XO"[home : home+1]
	b.Over = "OX"[home : home+1]
	return &b
}

// judge adds the list of moves, with the chart and the values if they are switched on. It returns the first player's
// expected score at the start and after each ply; NaN if unknown.
func (p *playPage) judge(s *Server, moves []string, done func()) []float64 {
	look := session.RatedGame{Values: []float64{math.NaN()}}
	if p.Assists.Bar || p.Assists.Rated {
		look, _ = s.valuer.RateGame(p.Game, moves, done) // the moves are legal
	}
	v := page.GameView{Game: p.Game, Moves: moves}
	if p.Assists.Rated {
		rateView(&v, look)
		p.Arc = page.Arc(look.Values, p.Game.NameSides("Expected score of the first player by ply ("+look.Source+")"))
	}
	p.List, _ = v.Rows()
	of := 0
	for _, st := range p.Game.Rules().Placement.Opening {
		of += st.Plies
	}
	for i, ply := range p.Plies {
		more := &p.List[i].More
		switch {
		case i < p.Given:
			*more = append(*more, "given")
		case i < of:
			*more = append(*more, "opening")
		}
		if ply.MS > 0 {
			*more = append(*more, fmt.Sprintf("%.1f s", ply.MS/1000))
		}
	}
	return look.Values
}

// hintWords returns the text of a hint, or the reason why there is none.
func hintWords(r *session.Rating, g *engines.Game, level int) string {
	switch {
	case r == nil:
		return "Spar is computing the hint."
	case r.Err != nil:
		return "No hint for this position: " + r.Err.Error() + "."
	}
	return playing.Hint(g, r.All, r.Scale.Source, level)
}
