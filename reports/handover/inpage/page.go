// Package inpage is the program inside a page that "spar export page" writes. It holds one game at a time. The page
// sends requests; the program answers with the HTML to show, and lets an agent move. It uses no network and no clock,
// and reads no files except those in the page (package configs).
package inpage

import (
	"context"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"spar/agents"
	"spar/configs"
	"spar/engines"
	"spar/engines/rules"
	"spar/reports/board"
	"spar/reports/playing"
	"spar/reports/review"
)

// People is the value of the form field "level" when two people play on one screen; otherwise it is the name of a level.
const People = "people"

// Level is an opponent that a page offers: a shipped agent, and what it does.
type Level struct{ Name, Agent, Help string }

// Levels returns the opponents, weakest first. A page offers those whose agents it contains.
func Levels() []Level {
	all := []Level{
		{"easy", "greedy[mixture.epsilon=0.25]", "looks one move ahead, and a quarter of its moves are random"},
		{"medium", "mcts-1k", "tries 1,000 continuations before each move"},
		{"hard", "strongest", "the strongest search for games like this one"},
		{"human-like", "person", "makes the mistakes of a person who is new to the game"},
	}
	return slices.DeleteFunc(all, func(l Level) bool {
		name, _ := rules.SplitLabel(l.Agent)
		return !slices.Contains(configs.Names(configs.Agents), name)
	})
}

// Judge returns the name of the agent whose values are used for hints where there is no exact value. It searches less
// deeply on large boards.
func Judge(g *engines.Game) string {
	if g.Cells() >= 60 {
		return "minimax-2"
	}
	return "minimax-4"
}

// Page is the state of a page: the game that is being played. Only one goroutine may use it.
type Page struct {
	Rules func(name string) (*engines.Game, error) // compiles a game of the page

	game   *engines.Game
	level  Level
	agent  agents.Agent // the opponent; nil if people play both sides
	budget agents.Budget
	rng    *rand.Rand
	mine   int // side of the person who plays against the agent
	seed   int64
	moves  []string
	redo   []string
	rated  []review.Rated // values of the moves in the position; nil if unknown
	source string
	hint   int // level of the current hint, 0 = none
	judge  *review.Judge
}

// Answer performs a request of the page and returns the HTML of the part of the page that changes. The form has
// fields as HTML forms send them.
func (p *Page) Answer(what string, form url.Values) string {
	problem := ""
	if err := p.do(what, form); err != nil {
		problem = err.Error()
	}
	if p.game == nil {
		return `<main id="main"><p class="error" role="alert">` + html.EscapeString(problem) + "</p></main>"
	}
	return p.show(form.Get("from"), problem)
}

func (p *Page) do(what string, form url.Values) error {
	switch what {
	case "new":
		return p.begin(form)
	case "think":
		return p.think()
	}
	if p.game == nil {
		return fmt.Errorf("no game has started")
	}
	if form.Has("ply") && form.Get("ply") != strconv.Itoa(len(p.moves)) {
		return fmt.Errorf("the position has changed: look at the board again")
	}
	pos := p.position()
	switch what {
	case "move":
		m, err := pos.ParseMove(strings.TrimSpace(form.Get("move")))
		if err != nil {
			return err
		}
		if !p.persons(pos.Side()) || pos.Over() {
			return fmt.Errorf("it is not your turn")
		}
		p.push(p.game.MoveText(m))
		p.redo = nil
	case "undo":
		p.back()
	case "redo":
		for len(p.redo) > 0 {
			last := p.redo[len(p.redo)-1]
			p.redo = p.redo[:len(p.redo)-1]
			p.push(last)
			if p.persons(p.position().Side()) {
				break
			}
		}
	case "hint":
		return p.rate(pos)
	}
	return nil
}

// begin starts a game. If the form has moves, the game continues after them.
func (p *Page) begin(form url.Values) error {
	g, err := p.Rules(form.Get("game"))
	if err != nil {
		return err
	}
	if hash := form.Get("rules"); hash != "" && hash != g.RulesHash() {
		return fmt.Errorf("the link is for a game with different rules from this page")
	}
	moves := strings.Fields(form.Get("moves"))
	if err := g.NewPosition().PlayText(moves); err != nil {
		return err
	}
	next := Page{Rules: p.Rules, game: g, moves: moves, mine: engines.First}
	if next.seed, err = strconv.ParseInt(form.Get("seed"), 10, 64); err != nil {
		return fmt.Errorf("seed %q: expected a whole number", form.Get("seed"))
	}
	if form.Get("side") == "second" || form.Get("side") == "toss" && next.seed%2 == 1 {
		next.mine = engines.Second
	}
	if level := form.Get("level"); level != People {
		i := slices.IndexFunc(Levels(), func(l Level) bool { return l.Name == level || l.Agent == level })
		if i < 0 {
			return fmt.Errorf("this page has no level %q", level)
		}
		next.level = Levels()[i]
		if next.agent, next.budget, err = load(next.level.Agent, g); err != nil {
			return err
		}
		seed := agents.SeatSeed(next.seed, 1-next.mine, 0)
		next.rng = seed.Stream()
		next.agent.NewGame(seed)
	}
	*p = next
	return nil
}

// Held compiles a shipped game in the way in which engines.Stored compiles the rules of a study.
func Held(name string) (*engines.Game, error) {
	_, data, err := configs.Read(configs.Games, name)
	if err != nil {
		return nil, err
	}
	return engines.Stored(string(data))
}

func load(name string, g *engines.Game) (agents.Agent, agents.Budget, error) {
	s, err := agents.LoadSpec(name)
	if err != nil {
		return nil, agents.Budget{}, err
	}
	a, err := agents.New(s, g)
	return a, s.Budget, err
}

// position returns the position after the moves, which must be legal.
func (p *Page) position() *engines.Position {
	pos := p.game.NewPosition()
	_ = pos.PlayText(p.moves)
	return pos
}

// persons reports whether a person plays a side.
func (p *Page) persons(side int) bool { return p.agent == nil || side == p.mine }

func (p *Page) push(move string) {
	p.moves = append(p.moves, move)
	p.rated, p.hint = nil, 0
}

// back takes back plies until the previous decision of a person.
func (p *Page) back() {
	for len(p.moves) > 0 {
		p.redo = append(p.redo, p.moves[len(p.moves)-1])
		p.moves = p.moves[:len(p.moves)-1]
		p.rated, p.hint = nil, 0
		if p.persons(p.position().Side()) {
			return
		}
	}
}

// think lets the agent move if it is its turn.
func (p *Page) think() error {
	if p.game == nil {
		return nil
	}
	pos := p.position()
	if pos.Over() || p.persons(pos.Side()) {
		return nil
	}
	d, err := p.agent.Choose(context.Background(), pos, p.budget, p.rng)
	if err == nil {
		p.push(p.game.MoveText(d.Move))
	}
	return err
}

// rate computes the values of the moves for a hint. Each further hint shows more.
func (p *Page) rate(pos *engines.Position) error {
	if pos.Over() || p.hint >= 3 {
		return nil
	}
	if p.rated == nil {
		if p.judge == nil {
			s, err := agents.LoadSpec(Judge(p.game))
			if err != nil {
				return err
			}
			p.judge = review.NewJudge(s, "")
		}
		scale, err := p.judge.Scale(context.Background(), p.game)
		if err != nil {
			return err
		}
		if p.rated, err = scale.Rate(pos); err != nil {
			return err
		}
		p.source = scale.Source
	}
	p.hint++
	return nil
}

// SelfPlayText returns the moves of selfPlay, or an error, for a form with the fields game, agent, seed and plies. A
// test uses it to compare the page with the program, and the page calls it to warm up.
func SelfPlayText(form url.Values) string {
	seed, _ := strconv.ParseInt(form.Get("seed"), 10, 64)
	plies, _ := strconv.Atoi(form.Get("plies"))
	moves, err := selfPlay(form.Get("game"), form.Get("agent"), seed, plies)
	if err != nil {
		return "error: " + err.Error()
	}
	return strings.Join(moves, " ")
}

// selfPlay lets an agent play both sides for some plies, like "spar play --seed", and returns its moves.
func selfPlay(name, agent string, seed int64, plies int) ([]string, error) {
	g, err := Held(name)
	if err != nil {
		return nil, err
	}
	var seats [2]agents.Agent
	var rng [2]*rand.Rand
	var budget agents.Budget
	for side := range seats {
		if seats[side], budget, err = load(agent, g); err != nil {
			return nil, err
		}
		s := agents.SeatSeed(seed, side, 0)
		rng[side] = s.Stream()
		seats[side].NewGame(s)
	}
	var moves []string
	for pos := g.NewPosition(); !pos.Over() && len(moves) < plies; {
		d, err := seats[pos.Side()].Choose(context.Background(), pos, budget, rng[pos.Side()])
		if err != nil {
			return nil, err
		}
		moves = append(moves, g.MoveText(d.Move))
		pos.Play(d.Move)
	}
	return moves, nil
}

// drawing returns the position as the person sees it.
func (p *Page) drawing(pos *engines.Position, frames []board.Frame, from string) playing.Drawing {
	return playing.Drawing{
		Pos:    pos,
		Frame:  &frames[len(frames)-1],
		Play:   !pos.Over() && p.persons(pos.Side()),
		From:   from,
		Rated:  p.rated,
		Region: p.hint == 1,
		Best:   p.hint >= 2,
		Values: p.hint >= 3,
	}
}
