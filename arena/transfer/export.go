package transfer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/plain"
)

// JSONL calls print with everything in a study, line by line: the header, the games in order, unfinished games of
// people, and the values of positions.
func JSONL(ctx context.Context, db *store.DB, print func(kind string, line any) error) error {
	h, err := readHeader(ctx, db)
	if err != nil {
		return err
	}
	if err := print(KindStudy, h); err != nil {
		return err
	}
	tables, opinions, err := ofPeople(ctx, db)
	if err != nil {
		return err
	}
	places := map[int64]place{} // of games by id, where other lines refer to them
	referred := len(h.Oracles)+len(tables)+len(opinions) > 0
	for row, err := range thoughtful(ctx, db) {
		if err != nil {
			return err
		}
		if referred {
			places[row.ID] = place{row.EventName, row.Number}
		}
		if err := print(KindGame, gameOf(row)); err != nil {
			return err
		}
	}
	for _, t := range tables {
		at := places[t.Game]
		if err := print(KindTable, seat{t, at.event, at.number}); err != nil {
			return err
		}
	}
	for _, o := range opinions {
		at := places[o.Game]
		if err := print(KindOpinion, opinion{at.event, at.number, o}); err != nil {
			return err
		}
	}
	kept, err := db.Lines(ctx)
	if err != nil {
		return err
	}
	for _, l := range kept {
		if err := print(KindLines, l); err != nil {
			return err
		}
	}
	for i, o := range h.Oracles {
		byGame, err := db.Values(ctx, o)
		if err != nil {
			return err
		}
		for _, id := range slices.Sorted(maps.Keys(byGame)) {
			if err := print(KindValues, values{i, places[id].event, places[id].number, byGame[id]}); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofPeople lists the games played by people in a study, and their opinions about them.
func ofPeople(ctx context.Context, db *store.DB) (tables []store.Table, opinions []store.Opinion, err error) {
	for t, err := range db.LatestTables(ctx, -1) {
		if err != nil {
			return nil, nil, err
		}
		tables = append(tables, t)
	}
	opinions, err = db.Opinions(ctx)
	return tables, opinions, err
}

// thoughtful yields games with the agents' information about each ply, in the order of plies.
func thoughtful(ctx context.Context, db *store.DB) iter.Seq2[store.Row, error] {
	return func(yield func(store.Row, error) bool) {
		recorded, err := db.HasThoughts(ctx)
		if err != nil {
			yield(store.Row{}, err)
			return
		}
		for row, err := range db.Games(ctx, store.Filter{}) {
			if err == nil && recorded {
				var byPly map[int]study.Ply
				byPly, err = db.Thoughts(ctx, row.ID)
				for _, ply := range slices.Sorted(maps.Keys(byPly)) {
					row.Thoughts = append(row.Thoughts, byPly[ply])
				}
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

func readHeader(ctx context.Context, db *store.DB) (h header, err error) {
	h = header{
		Events:    []event{},
		Rules:     []store.StoredRules{},
		Agents:    []agent{},
		Effective: []study.Effective{},
	}
	size, err := db.Sizes(ctx)
	if err != nil {
		return h, err
	}
	h.Games = size.Games
	events, err := db.Events(ctx)
	if err != nil {
		return h, err
	}
	stretches, err := db.Builds(ctx)
	if err != nil {
		return h, err
	}
	builds := map[int64][]store.Stretch{}
	for _, s := range stretches {
		builds[s.Event] = append(builds[s.Event], s)
	}
	for _, e := range events {
		h.Events = append(h.Events, event{e, builds[e.ID]})
	}
	if h.Workers, err = db.Workers(ctx); err != nil {
		return h, err
	}
	rules, err := db.Rules(ctx)
	if err != nil {
		return h, err
	}
	h.Rules = append(h.Rules, rules...)
	slices.SortFunc(h.Rules, func(a, b store.StoredRules) int { return cmp.Compare(a.Name, b.Name) })
	for _, r := range h.Rules {
		of, err := db.Oracles(ctx, r.Name)
		if err != nil {
			return h, err
		}
		h.Oracles = append(h.Oracles, of...)
	}
	specs, err := db.AgentSpecs(ctx)
	if err != nil {
		return h, err
	}
	for _, name := range slices.Sorted(maps.Keys(specs)) {
		h.Agents = append(h.Agents, agent{name, specs[name]})
	}
	all, err := db.Effective(ctx)
	h.Effective = append(h.Effective, all...)
	return h, err
}

// CSV writes one line for each game, in a form that "spar rate" can read. Whether a game counts for strength is decided
// as in the study's view results.
func CSV(ctx context.Context, db *store.DB, w io.Writer) error {
	out := plain.NewCSV(w)
	err := out.Write(
		strings.Split(
			"id,event,number,rules,player_first,player_second,pair_id,opening,result,reason,plies,seed,"+
				"first_ms,second_ms,first_nodes,second_nodes,moves,marks,counts_for_strength,counts_for_balance,worker",
			",",
		),
	)
	score := map[string]string{"first": "1", "second": "0", "draw": "0.5"}
	for r, rowErr := range db.Games(ctx, store.Filter{}) {
		if err = errors.Join(err, rowErr); err != nil {
			return err
		}
		err = out.Write([]string{
			fmt.Sprint(r.ID), r.EventName, fmt.Sprint(r.Number), r.RulesName, r.FirstName, r.SecondName,
			fmt.Sprintf("%s %d", r.EventName, r.Pair),
			evidence.OpeningMoves(r.Moves, r.OpeningPlies),
			score[r.Result], r.Reason, fmt.Sprint(r.Plies),
			fmt.Sprint(r.Seed), fmt.Sprint(r.FirstMS), fmt.Sprint(r.SecondMS), fmt.Sprint(r.FirstNodes),
			fmt.Sprint(r.SecondNodes), r.Moves, r.Marks.String(),
			plain.If(r.Marks.Counts(evidence.Strength), "1", "0"), plain.If(r.Marks.Counts(evidence.Balance), "1", "0"), r.Worker,
		})
	}
	out.Flush()
	return errors.Join(err, out.Error())
}
