package balance

import (
	"spar/arena/evidence"
	"spar/ratings"
)

// What ends when it is clear has been examined again and again. An interval for a fixed number of games would then
// leave the truth out far more often than it says: such numbers have confidence sequences.

// sequence returns the mean of scores between 0 and 1, which are in equal steps, with an interval that is valid
// under repeated looks.
func (m measurer) sequence(counts []int64, of, unit string) ratings.Estimate {
	s := ratings.ConfidenceSequence(counts, m.level)
	if s.N == 0 {
		return ratings.Estimate{}
	}
	s.Unit, s.Scale = of, scaleOf(unit)
	return warnThin(s)
}

// paired analyses a duel whose matches may have stopped early.
func (m measurer) paired(d duel) (elos, score ratings.Estimate) {
	counts := make([]int64, len(d.pairs))
	for i, n := range d.pairs {
		counts[i] = int64(n)
	}
	score = stretch(m.sequence(counts, "pairs", "score"), d.effect, 0, 1)
	return elo(score), score
}

// endTally counts how the games of two searching agents ended: by a cap or by the rules.
type endTally struct{ all, fresh [2]int64 }

// ended counts how a game of a balance study ended. The parameter again says that the game equals an earlier one.
func (p *pass) ended(r *record, again bool) {
	random := func(agent int32) bool {
		a, ok := p.data.Agents[p.names[agent]]
		return ok && a.Spec != nil && a.Spec.Type == "random"
	}
	if !p.mirrored || !r.counts() || r.kind > endCap || random(r.first) || random(r.second) {
		return
	}
	key := [2]int32{min(r.first, r.second), max(r.first, r.second)}
	t := p.ends[key]
	if t == nil {
		t = &endTally{}
		p.ends[key] = t
	}
	by := 0
	if r.kind != endCap {
		by = 1
	}
	t.all[by]++
	if !again {
		t.fresh[by]++
	}
}

// completion returns the share of games that the rules end, among all games between searching agents including the
// inquiry's. It combines agents of all strengths, because a cap matters for each of them.
func (m measurer) completion(p *pass) ratings.Estimate {
	var n [2]int64
	for _, t := range p.ends {
		counted := t.all
		if evidence.Same(t.all[0]+t.all[1], t.fresh[0]+t.fresh[1]) {
			counted = t.fresh
		}
		n[0], n[1] = n[0]+counted[0], n[1]+counted[1]
	}
	for _, s := range p.data.Inquiry {
		for _, x := range s.Probes() {
			t := x.All()
			caps, rest := x.Independent(t.Caps), x.Independent(t.Games()-t.Caps)
			n[0], n[1] = n[0]+caps, n[1]+rest
		}
	}
	return m.sequence(n[:], "games", "share")
}

// widest judges whether games end by all games of the study. It does so only if the games of the headline group
// leave this undecided and all games do not contradict them.
func (r rule) widest(l Light, all ratings.Estimate) Light {
	if l.Colour != Undecided && l.Colour != NotGood || !all.Known() || all.N <= l.Number.N {
		return l
	}
	wide := r.judge(all)
	if wide.Colour == Undecided || wide.Colour == Good && !overlaps(l.Number, r.good) || wide.Colour == Middling &&
		!overlaps(l.Number, r.middling) {
		return l
	}
	return wide
}
