package watch

import (
	"context"
	"slices"

	"spar/arena/evidence"
	"spar/arena/live"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
)

// Pairs prints each pair of a run once both games are stored and it is known what they count for. Complete pairs
// in the study belong to earlier runs and are not printed again.
type Pairs struct {
	ctx   context.Context
	print func(kind string, v any) error
	db    *store.DB
	event string
	open  map[int64]*[2]half // games without a partner so far, by pair number
	keep  bool               // keep complete pairs, because what they count for may change
	err   error              // error of reading the study
}

// NewPairs returns a reader that calls print with the pairs of an event. It ignores errors of print: if the output
// is closed, a signal stops the program.
func NewPairs(ctx context.Context, db *store.DB, event string, print func(kind string, v any) error) *Pairs {
	return &Pairs{ctx: ctx, db: db, event: event, print: print}
}

// Err returns the error of reading the study.
func (p *Pairs) Err() error { return p.err }

// half is one of the two games of a pair.
type half struct {
	live.Game
	stored int64 // id of a stored game, if only its result and marks are in memory
}

// Hear receives the events of a run.
func (p *Pairs) Hear(e live.Event) {
	switch e.Kind {
	case live.Begin:
		p.recall()
	case live.Barred: // all decisions are made again, with what is left
		p.keep = true
		p.recall()
		_ = p.print("barred", Barred{e.Text, e.Done, e.Total, e.Exact})
	case live.GameEnd, live.Fault:
		p.put(half{Game: *e.Game})
		p.tell(e.Game.Pair)
	case live.Verdict:
		var pairs []int64
		for _, j := range e.Judged {
			pair := j.Number / 2
			games := p.open[pair]
			if games == nil {
				continue
			}
			g := &games[j.Number%2]
			if g.Marks, g.Words = j.Marks, j.Words; j.Marks&evidence.Superseded != 0 { // its place is free again
				*g = half{}
			}
			if !slices.Contains(pairs, pair) {
				pairs = append(pairs, pair)
			}
		}
		for _, pair := range pairs {
			p.tell(pair)
		}
	}
}

// recall reads the stored games of the study.
func (p *Pairs) recall() {
	p.open = map[int64]*[2]half{}
	events, err := p.db.Events(p.ctx)
	at := slices.IndexFunc(events, func(e study.Event) bool { return e.Name == p.event })
	if p.err = err; at < 0 {
		return
	}
	for g, err := range p.db.Outcomes(p.ctx, events[at].ID) {
		if err != nil {
			p.err = err
			return
		}
		pair := g.Number / 2
		p.put(half{live.Game{Number: g.Number, Pair: pair, Result: g.Result, Marks: g.Marks, Words: g.Marks.String()}, g.ID})
		if p.ready(pair) && !p.keep {
			delete(p.open, pair)
		}
	}
}

// complete loads the rest of a stored game.
func (p *Pairs) complete(h *half) {
	for row, err := range p.db.Games(p.ctx, store.Filter{ID: h.stored}) {
		if err != nil {
			p.err = err
			return
		}
		h.Rules, h.First, h.Second, h.Opening, h.Reason, h.Plies = row.RulesName, row.FirstName, row.SecondName, row.Opening,
			row.Reason, row.Plies
		if r, ok := engines.ParseResult(row.Result); ok {
			h.Points = r.Score(engines.First)
		}
	}
}

func (p *Pairs) put(h half) {
	if p.open[h.Pair] == nil {
		p.open[h.Pair] = &[2]half{}
	}
	p.open[h.Pair][h.Number%2] = h
}

// ready reports whether both games of a pair are present and it is known what they count for.
func (p *Pairs) ready(pair int64) bool {
	games := p.open[pair]
	return games[0].Result != "" && games[1].Result != "" && (games[0].Marks|games[1].Marks)&evidence.Pending == 0
}

// tell prints a pair that is ready.
func (p *Pairs) tell(pair int64) {
	if !p.ready(pair) {
		return
	}
	games := p.open[pair]
	for i := range games {
		if games[i].stored != 0 {
			p.complete(&games[i])
		}
	}
	a, b := &games[0], &games[1]
	if !p.keep {
		delete(p.open, pair)
	}
	_ = p.print("pair", Pair{
		pair, a.Rules, a.First, a.Second, a.Opening,
		[2]string{a.Result, b.Result},
		[2]string{a.Reason, b.Reason},
		[2]int{a.Plies, b.Plies},
		a.Points + 1 - b.Points,
		[2]string{a.Words, b.Words},
	})
}

// Barred is the JSON line of kind barred.
type Barred struct {
	Why   string `json:"why" help:"an unreliable machine, with the number of games that Spar plays again because of it; their pairs are printed again"`
	Done  int64  `json:"done" help:"games that are stored, without those of the barred worker"`
	Total int64  `json:"total" help:"games of the whole work, or their upper limit"`
	Exact bool   `json:"exact" help:"whether total is exact"`
}

// Pair is the JSON line of kind pair.
type Pair struct {
	Pair    int64     `json:"pair" help:"number of the pair"`
	Rules   string    `json:"rules" help:"label of the rules"`
	First   string    `json:"first" help:"first player of the first game, second of the other"`
	Second  string    `json:"second" help:"the other player"`
	Opening int64     `json:"opening" help:"index of the opening"`
	Results [2]string `json:"results" help:"results of both games: first, second or draw"`
	Reasons [2]string `json:"reasons" help:"reasons why the games ended"`
	Plies   [2]int    `json:"plies" help:"plies of both games"`
	Points  float64   `json:"points" help:"points of the agent in first, over both games"`
	Marks   [2]string `json:"marks" help:"marks of both games, see game. If a worker is barred, Spar prints a pair again once its games were replayed or judged anew"`
}
