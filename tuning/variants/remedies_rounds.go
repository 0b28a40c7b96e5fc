package variants

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"spar/agents"
	"spar/arena"
	"spar/arena/campaign"
	"spar/arena/study"
	"spar/tuning/predict"
)

// round plays some more games of each candidate, on seeds of the round; after the first, half of them by agents that err.
func (s *search) round(number int, xs []*Remedy, games int, err bool) error {
	stop := &arena.EarlyStop{
		Score: []float64{max(0.01, s.band.Lo-0.1), s.band.Lo, s.band.Hi, min(0.99, s.band.Hi+0.1)}, Least: 10,
		Level: 1 - 0.05/float64(max(1, 8*len(xs))),
	}
	var parts []*arena.Tournament
	add := func(name string, a agents.Spec) {
		for _, x := range xs {
			parts = append(parts,
				s.part(x, fmt.Sprintf("round-%d", number)+name, campaign.PurposeRound, games, roundPart+number, a, stop))
		}
	}
	if add("", s.strong()); err {
		add("-slips", s.slips())
	}
	counts, e := s.count(fmt.Sprintf("round %d: %d candidates", number, len(xs)), parts)
	if e != nil {
		return e
	}
	for i, x := range xs {
		var slip counted
		if err {
			slip = counts[len(xs)+i]
		}
		s.tally(x, counts[i], slip, stop.Level)
	}
	return nil
}

// choose plays candidates in rounds that the better half survives, confirms the last, then the best of the others for
// which there is work, and returns the remedies.
func (s *search) choose(all []*Remedy, prefix string) (good []*Remedy, err error) {
	left := slices.DeleteFunc(slices.Clone(all), func(x *Remedy) bool { return x.Verdict != "unplayed" })
	first := 1
	if prefix != "" {
		first = 11
	}
	order := func(a, b *Remedy) int { return cmp.Compare(s.promise(a), s.promise(b)) }
	var others []*Remedy
	for number, games := first, 0; len(left) > 0; number++ {
		if games = 10; number > first { // the first games show which candidates never end
			games = min(100, max(16, int(0.03*s.Work/(float64(len(left))*s.cost))))
		}
		if err := s.round(number, left, games, s.near || number > first); err != nil {
			return nil, err
		}
		left = slices.DeleteFunc(left, func(x *Remedy) bool {
			_, hi := x.Completion.Ends()
			least, _ := surelyOff(x.Score)
			_, most := surelyOff(s.out.Base.Score)
			err, _ := surelyOff(x.Slips)
			switch {
			case hi < leastEnd:
				x.Verdict, x.Why = "endless", "fewer than 90 % of the games end before the ply limit"
			case s.longer(x) > tooLong:
				x.Verdict, x.Why = "endless", fmt.Sprintf("a game takes %.0f times as long", s.longer(x))
			case least > 0.1 && least >= most-0.02 || least > 0.25, s.near && off(x.Score) == 0.5:
				x.Verdict, x.Why = "unfair", "the first player scores "+x.Score.String()
			case err > 0.1 && least > 0.02:
				x.Verdict, x.Why = "unfair", "with 10 % random moves, the first player scores "+x.Slips.String()
			default:
				return false
			}
			return true
		})
		slices.SortStableFunc(left, order)
		least := max(s.final, leastFinal)
		if number == first {
			continue
		} else if len(left) <= least {
			break
		}
		keep := max(least, (len(left)+1)/2)
		left, others = left[:keep], append(others, left[keep:]...)
	}
	slices.SortStableFunc(others, order)
	for _, x := range others {
		x.Verdict, x.Why = "left", "others looked more promising"
	}
	left = append(left, slices.DeleteFunc(others, func(x *Remedy) bool {
		return s.promise(x) > hopeful
	})...)
	drawish := func(x *Remedy) int {
		return one(x.SlipDraws.Value > math.Max(mostDrawn, s.out.Base.SlipDraws.Value+0.2))
	}
	slices.SortStableFunc(left, func(a, b *Remedy) int {
		return drawish(a) - drawish(b)
	}) // these are no remedies, and dear
	for _, x := range left {
		x.Verdict, x.Why = "left", tooLittle
	}
	for xs := range slices.Chunk(left, s.final) {
		some, err := s.confirm(xs, prefix)
		if good = append(good, some...); err != nil || s.spent > enough*s.Work {
			return good, err
		}
	}
	return good, nil
}

// promise orders candidates, the best first: an exact draw is as good as two points of the score.
func (s *search) promise(x *Remedy) float64 {
	switch s.Problem {
	case Endless:
		return 1 - x.Finished.Value + off(x.Score)/4
	case Drawish:
		return x.Draws.Value + off(x.Score)/4
	}
	v := off(x.Score) + math.Max(0, leastEnd-x.Completion.Value) + 0.05*(1-x.Kept)
	if x.Slips.Known() {
		v = v/2 + off(x.Slips)
	}
	if x.Winner == "draw" {
		v -= 0.02
	}
	if x.Length > 2*s.out.Base.Length { // its games are dear, and few want it
		v += 0.1
	}
	if x.Opening != "" { // a pie rule is what people try first
		v -= 0.05
	}
	return v
}

// confirm measures finalists again on fresh seeds, judges them and returns the remedies. What refuses a finalist for the
// fewest games comes first: the forecast for people, then weak agents.
func (s *search) confirm(left []*Remedy, prefix string) (good []*Remedy, err error) {
	base, all := &s.out.Base, slices.Clone(left)
	if !base.Weak.Known() {
		all = slices.Insert(all, 0, base)
	}
	refuse := func(why func(x *Remedy) string) {
		all = slices.DeleteFunc(all, func(x *Remedy) bool {
			if x == base || why(x) == "" {
				return false
			}
			x.Verdict, x.Why = "worse", why(x)
			return true
		})
	}
	for _, x := range all {
		if err := s.predict(x); err != nil {
			return nil, err
		}
	}
	refuse(s.harder)
	level := s.level(s.group + 1) // an interval that only refuses costs no confidence
	fresh := func(x *Remedy, name string, games, number int, a agents.Spec, width float64) *arena.Tournament {
		return s.part(x, prefix+"fresh"+name, campaign.PurposeFresh, games, freshPart+number, a,
			&arena.EarlyStop{Score: []float64{s.band.Lo - width, s.band.Hi + width}, Least: 30, Level: level})
	}
	most := func(x *Remedy) int {
		// the games of the base are known to be longer than random ones now
		n := max(60, int(1.6*math.Max(0.4*s.Work, s.Work-s.spent)/(2.25*float64(len(left))*s.cost)))
		if !s.near { // there the games of each candidate get dearer or cheaper by what they showed
			n = min(s.most, n)
		}
		if x == base {
			n = min(n, 200)
		}
		return n
	}
	var parts []*arena.Tournament
	for _, x := range all {
		parts = append(parts, fresh(x, "-weak", min(most(x), 200), 2, s.weak(), trendBand-0.05))
	}
	counts, err := s.count("confirming with weak agents", parts)
	if err != nil {
		return nil, err
	}
	for i, x := range all {
		x.Weak = counts[i].score(level)
	}
	if refuse(s.reverses); len(all) == 0 {
		return nil, nil
	}
	s.group += one(all[len(all)-1] != base)
	parts = nil
	for _, x := range all {
		parts = append(parts, fresh(x, "", most(x), 0, s.strong(), 0), fresh(x, "-slips", most(x), 1, s.slips(), slipBand-0.05),
			s.ladder(x.variant, x.event(prefix+"fresh-depth"), campaign.PurposeFreshLadder,
				max(3, int(20/s.longer(x))), []agents.Spec{s.weak(), s.strong()}, freshPart+3))
	}
	if counts, err = s.count("confirming on fresh seeds", parts); err != nil {
		return nil, err
	}
	for i, x := range all {
		x.strong, x.slip, x.Why = counted{}, counted{}, ""
		s.tally(x, counts[3*i], counts[3*i+1], level)
		// agents that play almost perfectly wait in drawn games
		if err := s.besides(x, parts[3*i+one(s.near)], parts[3*i+2].Name); err != nil {
			return nil, err
		} else if x == base { // it is the first
			continue
		} else if err := s.judge(x); err != nil {
			return nil, err
		}
		if slices.Contains([]string{"fair", "nearer", "better"}, x.Verdict) {
			good = append(good, x)
		}
	}
	return good, nil
}

// besides measures the mechanics that an agent uses in its fresh games, and depth.
func (s *search) besides(x *Remedy, fresh *arena.Tournament, depth string) error {
	m, err := s.o.Measure(s.ctx, s.db, x.Rules, func(e study.Event) bool {
		return e.Name == fresh.Name || e.Name == depth
	}, s.o.Workers)
	if err != nil {
		return fmt.Errorf("measuring %s: %w", x.Rules, err)
	}
	x.Alive, x.Depth = m.ByAgent[fresh.Players[0].Name]["alive"], m.Depth
	return nil
}

// predict predicts games played by people.
func (s *search) predict(x *Remedy) error {
	spec, err := agents.LoadSpec("person-practised")
	if err != nil {
		return err
	}
	f, err := predict.Game(s.ctx, x.variant.Game, spec, max(20, int(200/s.longer(x))), s.Seed)
	x.People, x.PeopleDraw = (f.Payoff+1)/2, f.Draw
	return err
}
