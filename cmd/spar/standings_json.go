package main

import (
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"

	"spar/ratings"
)

// standing is one agent's row.
type standing struct {
	Agent    string   `json:"agent"`
	Elo      float64  `json:"elo"`
	SE       float64  `json:"se"`
	Lo       *float64 `json:"lo"` // null where the interval is open
	Hi       *float64 `json:"hi"`
	Status   string   `json:"status"`
	Games    int64    `json:"games"`
	Score    float64  `json:"score"`
	AsFirst  count    `json:"as_first"`
	AsSecond count    `json:"as_second"`
	Faults   int64    `json:"faults,omitempty"`
	// Accuracy is the share of decisions that kept the exact value, in a solved game.
	Accuracy *shareJSON `json:"accuracy,omitempty"`
}

// count is how one seat's games ended, seen from the agent.
type count struct {
	Wins   int64 `json:"wins"`
	Draws  int64 `json:"draws"`
	Losses int64 `json:"losses"`
}

type advantage struct {
	Rules  string   `json:"rules,omitempty"`
	Elo    float64  `json:"elo"`
	Lo     *float64 `json:"lo"`
	Hi     *float64 `json:"hi"`
	Status string   `json:"status"`
	First  int64    `json:"first"`
	Draws  int64    `json:"draws"`
	Second int64    `json:"second"`
	SE     float64  `json:"se"`
	// DrawRateEqual is the probability of a draw between equals.
	DrawRateEqual float64    `json:"draw_rate_equal"`
	Decisive      *shareJSON `json:"decisive,omitempty"` // games won by the first player of those that somebody won
	Score         *shareJSON `json:"score,omitempty"`    // the first player's mean score
}

// shareJSON is a share with its interval.
type shareJSON struct {
	Value  float64 `json:"value"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
	N      int64   `json:"n"`
	Unit   string  `json:"unit"`
	Method string  `json:"method,omitempty"`
}

// rankJSON is an agent's place in its group and the range of its true rank.
type rankJSON struct {
	Agent string `json:"agent"`
	Group int    `json:"group"`
	Rank  int    `json:"rank"`
	Lo    int    `json:"lo"`
	Hi    int    `json:"hi"`
}

type standings struct {
	Rules          string              `json:"rules"` // "all" for every game together
	Games          int64               `json:"games"`
	Distinct       int64               `json:"distinct"` // of them not equal to an earlier one
	Errors         string              `json:"errors"`
	Level          float64             `json:"level"`
	Agents         []standing          `json:"agents"`
	Advantages     []advantage         `json:"advantages"`
	Warnings       []string            `json:"warnings,omitempty"`
	Model          string              `json:"model"`
	Units          int64               `json:"units"` // independent units behind the errors
	Ranks          []rankJSON          `json:"ranks"`
	Groups         [][]string          `json:"groups"`
	LackOfFit      *lackJSON           `json:"lack_of_fit,omitempty"`
	Intransitivity *intransitivityJSON `json:"intransitivity,omitempty"`
	Crosstable     []matchJSON         `json:"crosstable,omitempty"`
	LOS            *losJSON            `json:"los,omitempty"`
}

// lackJSON is the test that one rating per agent explains the results.
type lackJSON struct {
	ChiSquare float64 `json:"chi_square"`
	DF        int     `json:"df"`
	P         float64 `json:"p"`
}

// matchJSON is one match-up: a's points in games against b with the interval of the mean score, and those expected from the
// ratings where they can be compared (not where one side took every point).
type matchJSON struct {
	A        string   `json:"a"`
	B        string   `json:"b"`
	Games    int64    `json:"games"`
	Points   float64  `json:"points"`
	Lo       float64  `json:"score_lo"`
	Hi       float64  `json:"score_hi"`
	Expected *float64 `json:"expected"`
	Z        *float64 `json:"z"` // (points - expected) in standard deviations
	P        *float64 `json:"p"` // two-sided, by Holm within the table
}

// losJSON is the matrix of likelihoods of superiority of row over column.
type losJSON struct {
	Agents []string    `json:"agents"`
	Matrix [][]float64 `json:"matrix"`
}

// intransitivityJSON is what one rating per agent leaves.
type intransitivityJSON struct {
	Worst        []matchJSON `json:"worst"`
	CyclicShare  *float64    `json:"cyclic_share"` // null with very many agents, as what follows from it
	NoiseShare   *float64    `json:"noise_share"`
	Corrected    *float64    `json:"corrected"`
	CyclicTriads int         `json:"cyclic_triads"`
	Triads       int         `json:"triads"`
	Agents       []cyclicRow `json:"agents"` // on request, and when the share is more than noise
}

type cyclicRow struct {
	Agent      string   `json:"agent"`
	Transitive float64  `json:"transitive"` // least squares rating
	Nash       float64  `json:"nash"`
	NashLo     *float64 `json:"nash_lo"` // null with many agents
	NashHi     *float64 `json:"nash_hi"`
	Skill      float64  `json:"skill"`
	AlphaRank  float64  `json:"alpharank"`
	Copeland   int      `json:"copeland"`
}

// farAway is a bound in Elo that no number of games can give: it is one left by the prior that keeps a fit finite, and means
// that there is none.
const farAway = 1e4

func bound(x float64, open bool) *float64 {
	if open || !(math.Abs(x) <= farAway) {
		return nil
	}
	return &x
}

// ends returns the bounds of an interval, nil where there is none.
func ends(v ratings.Interval) (lo, hi *float64) { return bound(v.Lo, v.LoOpen), bound(v.Hi, v.HiOpen) }

// score is the mean score of a count, 0 without games.
func score(c ratings.Count) float64 { return c.Points() / max(float64(c.Games()), 1) }

// units returns the number of independent units behind the errors.
func (p *pool) units() int64 {
	if p.fit.Errors == ratings.ErrorPair {
		return p.fit.Clusters
	}
	return p.table.Games()
}

// shareOf returns the share that belongs to an advantage: all games when one serves all.
func (p *pool) shareOf(stratum string) (ratings.FirstShare, bool) {
	for _, s := range p.shares {
		if s.Stratum == stratum {
			return s, true
		}
	}
	if len(p.shares) == 1 {
		return p.shares[0], true
	}
	return ratings.FirstShare{}, false
}

// scoreShare is the first player's score, over pairs where most games are in one.
func scoreShare(s ratings.FirstShare) ratings.Share {
	if s.PairScore.N > 1 && 4*s.PairScore.N >= s.Games.Games() {
		return s.PairScore
	}
	return s.Score
}

func (p *pool) json(o ratingOptions) (*standings, error) {
	f := p.fit
	s := &standings{
		Rules: p.rules, Games: p.played, Distinct: p.distinct, Errors: f.Errors.String(), Level: f.Level, Warnings: p.warnings(),
		Model: f.Model.String(), Units: p.units(), Groups: f.Groups, Agents: []standing{}, Advantages: p.advantages(), Ranks: []rankJSON{},
	}
	if p.rules == "" {
		s.Rules = "all"
	}
	if s.Groups == nil {
		s.Groups = [][]string{}
	}
	for _, r := range p.ranked() {
		a := p.row(r.Name)
		total := a.Total()
		s.Agents = append(s.Agents, standing{
			Agent: a.Name, Elo: a.Elo + 0, SE: a.SE, Lo: bound(a.Interval.Lo, a.Interval.LoOpen), Hi: bound(a.Interval.Hi, a.Interval.HiOpen),
			Status: string(a.Status), Games: total.Games(), Score: score(total), AsFirst: count(a.AsFirst), AsSecond: count(a.AsSecond), Faults: p.faults[a.Name],
			Accuracy: p.exactShare(a.Name),
		})
		s.Ranks = append(s.Ranks, rankJSON{r.Name, r.Group, r.Place, r.Lo, r.Hi})
	}
	return s, p.extras(o, &s.LackOfFit, &s.Intransitivity, &s.Crosstable, &s.LOS)
}

// exactShare is the accuracy of an agent, nil where the game is not solved.
func (p *pool) exactShare(name string) *shareJSON {
	r, ok := p.accuracy[name]
	if !ok {
		return nil
	}
	return &shareJSON{Value: r.Share, Lo: r.Lo, Hi: r.Hi, N: r.Decisions, Unit: "decisions", Method: "wilson, clustered by game"}
}

// extras fills what is there on request, or when it matters.
func (p *pool) extras(o ratingOptions, lack **lackJSON, cyclic **intransitivityJSON, cross *[]matchJSON, los **losJSON) (err error) {
	if p.lack.DF > 0 {
		*lack = &lackJSON{p.lack.ChiSquare, p.lack.DF, p.lack.P}
	}
	if o.intransitivity || p.misfit {
		if *cyclic, err = p.intransitivity(o.intransitivity); err != nil {
			return err
		}
	}
	if o.crosstable {
		*cross = p.matches()
	}
	if o.los {
		*los = &losJSON{p.table.Players(), p.fit.LOS()}
	}
	return nil
}

func (p *pool) advantages() []advantage {
	out := []advantage{}
	for _, a := range p.fit.Advantages {
		row := advantage{
			Rules: a.Stratum, Elo: a.Elo + 0, Lo: bound(a.Interval.Lo, a.Interval.LoOpen), Hi: bound(a.Interval.Hi, a.Interval.HiOpen), Status: string(a.Status),
			First: a.Games.Wins, Draws: a.Games.Draws, Second: a.Games.Losses, SE: a.SE, DrawRateEqual: a.DrawRate,
		}
		if s, ok := p.shareOf(a.Stratum); ok && s.Games.Games() > 0 {
			if s.Decisive.N > 0 {
				row.Decisive = newShareJSON(s.Decisive)
			}
			row.Score = newShareJSON(scoreShare(s))
		}
		out = append(out, row)
	}
	return out
}

func newShareJSON(s ratings.Share) *shareJSON {
	return &shareJSON{s.Value, s.Interval.Lo, s.Interval.Hi, s.N, s.Unit, s.Method}
}

// warnings are the notes, each once.
func (p *pool) warnings() []string {
	seen := map[string]bool{}
	out := []string{}
	for _, n := range p.notes {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

// matches lists the match-ups that were played.
func (p *pool) matches() []matchJSON { return p.matchesOf(func(string, string) bool { return true }) }

// matchesOf lists the match-ups that were played and are wanted, a before b in the order of names.
func (p *pool) matchesOf(wanted func(a, b string) bool) []matchJSON {
	type key struct{ a, b string }
	tested := map[key]ratings.PairResidual{}
	for _, r := range p.lack.Pairs {
		tested[key{r.A, r.B}] = r
	}
	names := p.table.Players()
	at := map[key]int{}
	var counts []ratings.Count
	out := []matchJSON{}
	for _, x := range p.table.Pairings() {
		k, c := key{names[x.First], names[x.Second]}, ratings.Count{Wins: x.Wins, Draws: x.Draws, Losses: x.Losses}
		if x.First > x.Second {
			k, c.Wins, c.Losses = key{k.b, k.a}, c.Losses, c.Wins
		}
		if !wanted(k.a, k.b) {
			continue
		}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out, counts = append(out, matchJSON{A: k.a, B: k.b}), append(counts, ratings.Count{})
		}
		counts[i] = ratings.Count{Wins: counts[i].Wins + c.Wins, Draws: counts[i].Draws + c.Draws, Losses: counts[i].Losses + c.Losses}
	}
	for i := range out {
		m := &out[i]
		m.Games, m.Points = counts[i].Games(), counts[i].Points()
		m.Lo, m.Hi = p.scoreInterval(m.A, m.B, counts[i])
		if r, ok := tested[key{m.A, m.B}]; ok {
			m.Expected, m.Z, m.P = &r.Expected, &r.Z, &r.P
		}
	}
	return out
}

// scoreInterval is the interval of a's mean score against b: over pairs where all of their games are in pairs.
func (p *pool) scoreInterval(a, b string, c ratings.Count) (lo, hi float64) {
	counts := []float64{float64(c.Losses), float64(c.Draws), float64(c.Wins)}
	if five, _ := p.table.Pentanomial(a, b); c.Games() > 0 && 2*(five[0]+five[1]+five[2]+five[3]+five[4]) == c.Games() {
		counts = counts[:0]
		for _, n := range five {
			counts = append(counts, float64(n))
		}
	}
	lo, hi = 0, 1
	m, err := ratings.AnalyzeMatch(counts, p.fit.Level)
	if err != nil {
		return lo, hi
	}
	if !m.Interval.LoOpen {
		lo = ratings.ExpectedScore(m.Interval.Lo)
	}
	if !m.Interval.HiOpen {
		hi = ratings.ExpectedScore(m.Interval.Hi)
	}
	return lo, hi
}

// mostCyclic is the number of agents up to which cycles are looked for, which takes the cube of it.
const mostCyclic = 120

// intransitivity analyses what one rating per agent leaves: the worst match-ups and the cyclic share, and with detail what
// each agent is worth where cycles count.
func (p *pool) intransitivity(detail bool) (*intransitivityJSON, error) {
	const worst = 5
	out := &intransitivityJSON{Worst: []matchJSON{}, Agents: []cyclicRow{}}
	shown := map[[2]string]int{}
	for i, r := range p.lack.Pairs[:min(worst, len(p.lack.Pairs))] {
		shown[[2]string{r.A, r.B}] = i
	}
	out.Worst = p.matchesOf(func(a, b string) bool { _, ok := shown[[2]string{a, b}]; return ok })
	slices.SortFunc(out.Worst, func(x, y matchJSON) int { return shown[[2]string{x.A, x.B}] - shown[[2]string{y.A, y.B}] })
	if len(p.table.Players()) > mostCyclic {
		return out, nil
	}
	h := p.table.Hodge()
	noise := min(h.NoiseShare, 1)
	out.CyclicShare, out.NoiseShare, out.Corrected = &h.CyclicShare, &noise, &h.Corrected
	_, out.CyclicTriads, out.Triads = p.table.Copeland()
	if !detail && h.Corrected <= 0 {
		return out, nil
	}
	err := p.cyclicRows(h, out, detail)
	return out, err
}

// cyclicRows rates the agents by Nash averaging and by alpha-rank. Where nobody asked for it, only few agents get intervals:
// they take time.
func (p *pool) cyclicRows(h ratings.Hodge, out *intransitivityJSON, detail bool) error {
	const (
		resampled  = 40   // agents up to which Nash shares get intervals on request
		unasked    = 12   // and without
		draws      = 2000 // resampled tables times agents
		fewestDraw = 50
		mostDraws  = 200
		eps        = 1e-6 // of alpha-rank: the chance to move to a worse agent
	)
	n := len(p.table.Players())
	if n == 0 {
		return nil
	}
	nash := p.table.NashAverage()
	if n <= unasked || detail && n <= resampled {
		var err error
		if nash, err = p.table.NashBootstrap(min(max(draws/n, fewestDraw), mostDraws), resampleSeed, p.fit.Level); err != nil {
			return err
		}
	}
	alpha, err := p.table.AlphaRank(eps)
	if err != nil {
		return err
	}
	wins, _, _ := p.table.Copeland()
	for _, r := range p.ranked() {
		i, _ := p.fit.Index(r.Name)
		row := cyclicRow{Agent: r.Name, Transitive: h.Ratings[i], Nash: nash.Mass[i], Skill: nash.Skill[i] + 0, AlphaRank: alpha[i], Copeland: wins[i]}
		if len(nash.MassLo) > 0 {
			row.NashLo, row.NashHi = &nash.MassLo[i], &nash.MassHi[i]
		}
		out.Agents = append(out.Agents, row)
	}
	return nil
}

// printPoolsCSV writes one line an agent and pool. Open bounds are empty.
func printPoolsCSV(out io.Writer, pools []*pool) error {
	w := csv.NewWriter(out)
	_ = w.Write([]string{
		"rules", "group", "rank", "rank_lo", "rank_hi", "agent", "elo", "se", "lo", "hi", "status", "games", "score",
		"first_wins", "first_draws", "first_losses", "second_wins", "second_draws", "second_losses", "faults", "errors", "units", "level",
	})
	num := func(x float64) string { return strconv.FormatFloat(math.Round(x*1e4)/1e4+0, 'f', 4, 64) }
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	open := func(x *float64) string {
		if x == nil {
			return ""
		}
		return num(*x)
	}
	for _, p := range pools {
		rules := p.rules
		if rules == "" {
			rules = "all"
		}
		for _, r := range p.ranked() {
			a := p.row(r.Name)
			lo, hi := ends(a.Interval)
			_ = w.Write([]string{
				rules, strconv.Itoa(r.Group + 1), strconv.Itoa(r.Place), strconv.Itoa(r.Lo), strconv.Itoa(r.Hi), a.Name, num(a.Elo), num(a.SE),
				open(lo), open(hi), string(a.Status), whole(a.Total().Games()), num(score(a.Total())),
				whole(a.AsFirst.Wins), whole(a.AsFirst.Draws), whole(a.AsFirst.Losses), whole(a.AsSecond.Wins), whole(a.AsSecond.Draws), whole(a.AsSecond.Losses),
				whole(p.faults[a.Name]), p.fit.Errors.String(), whole(p.units()), num(p.fit.Level),
			})
		}
	}
	w.Flush()
	return w.Error()
}
