package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"spar/arena/store"
	"spar/engines"
	"spar/engines/rules"
	"spar/reports/board"
	"spar/reports/review"
	"spar/reports/serve/session"
)

// reviewed is a game that is being reviewed.
type reviewed struct {
	game  *engines.Game
	rules string
	set   []string
	moves []string
	names [2]string
	ended string // how the game ended, in words
	notes string
	row   *store.Row
	study string
	query url.Values // query of the address; names the game unless it is stored
	page  string     // path of the address
}

type pasteForm struct {
	Rules            []string
	Rule, Set, Moves string
}

// pasted reads a game from the address: rules, overrides and moves; nil if there is none. The rules may be in front of
// the moves.
func (s *Server) pasted(q url.Values) (*reviewed, error) {
	if strings.TrimSpace(q.Get("moves")) == "" {
		return nil, nil
	}
	name, set, moves := named(q.Get("moves"))
	if name == "" {
		name, set = q.Get("rules"), session.Overrides(q["set"])
	}
	r := &reviewed{
		rules: name,
		set:   set,
		names: [2]string{q.Get("first"), q.Get("second")},
		page:  "/review",
		query: url.Values{"rules": {name}, "set": set},
	}
	for _, k := range []string{"first", "second", "ended"} {
		if q.Has(k) {
			r.query[k] = q[k]
		}
	}
	var err error
	if r.moves, err = review.Moves(moves); err != nil {
		return nil, err
	}
	r.query.Set("moves", strings.Join(r.moves, " "))
	if name == "" {
		return nil, errors.New("choose the game that these moves belong to")
	}
	if r.game, err = s.library.Game(r.rules, r.set); err != nil {
		return nil, err
	}
	p := r.game.NewPosition()
	err = p.PlayText(r.moves)
	r.ended = cmp.Or(q.Get("ended"), board.Result(p))
	return r, err
}

// address returns the address of the review; if ply is at least 0, of a position in it.
func (g *reviewed) address(ply int) string {
	q, to := maps.Clone(g.query), g.page
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

// reviewedOf returns the game of a request, stored or pasted.
func (s *Server) reviewedOf(r *http.Request) (*reviewed, error) {
	q := r.URL.Query()
	if stored := q.Get("game"); stored != "" {
		return s.stored(r.Context(), stored)
	}
	g, err := s.pasted(q)
	switch {
	case err != nil:
		return nil, unfit(err)
	case g == nil:
		return nil, failf(http.StatusBadRequest, "There are no moves.")
	}
	return g, nil
}

// stored reads a game of a study.
func (s *Server) stored(ctx context.Context, name string) (*reviewed, error) {
	o, rest, err := s.studies.split(ctx, name)
	if err != nil {
		return nil, err
	}
	id, err := strconv.ParseInt(rest, 10, 64)
	if err != nil {
		return nil, notFound("%q is not the number of a game.", rest)
	}
	for row, err := range o.db.Games(ctx, store.Filter{ID: id}) {
		if err != nil {
			return nil, err
		}
		g := &reviewed{
			study: o.key,
			row:   &row,
			names: [2]string{row.FirstName, row.SecondName},
			page:  "/g/" + name,
			query: url.Values{},
			moves: strings.Fields(row.Moves),
		}
		if g.game, err = s.library.Stored(row.RulesJSON); err != nil {
			return nil, err
		}
		var set map[string]any
		g.rules, set = rules.SplitLabel(row.RulesName)
		g.rules, g.set = s.library.Reference(g.rules, rules.Overrides(set), g.game)
		p := g.game.NewPosition()
		if err := p.PlayText(g.moves); err != nil {
			return nil, unfit(err)
		}
		result, _ := engines.ParseResult(row.Result)
		g.ended = board.Ended(p, result, row.Reason)
		g.notes = row.Detail
		return g, nil
	}
	return nil, notFound("%s has no game %d.", o.key, id)
}

// topic returns the hub topic of a review page.
func (g *reviewed) topic() string {
	h := fnv.New64a()
	fmt.Fprint(h, g.game.RulesHash(), g.moves) // a hash never fails
	return fmt.Sprintf("review:%x", h.Sum64())
}

// named splits a copied text like "vanishing[pieces.cap=4]: b2 a1" into rules and moves.
func named(text string) (game string, set []string, moves string) {
	at := strings.LastIndex(text, ":")
	if at < 0 {
		return "", nil, text
	}
	name, knobs := rules.SplitLabel(strings.TrimSpace(text[:at]))
	return name, rules.Overrides(knobs), text[at+1:]
}
