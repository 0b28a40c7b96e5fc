package pages

import (
	"fmt"
	"math"
	"strings"

	"spar/reports/page"
)

// games is the section with typical and unusual games, each with its replay command.
func (b *builder) games() page.Section {
	s := page.Section{ID: "games", Title: "Example games", Aside: true}
	if len(b.r.Samples) == 0 {
		s.Lead = "No games to show."
		return s
	}
	s.Lead = "Typical and odd games to step through: with the buttons, or with the arrow keys once a board has the focus."
	for _, x := range b.r.Samples {
		v := page.GameView{
			ID: fmt.Sprintf("game-%s", x.Kind), Title: x.Title,
			Why:  fmt.Sprintf("Game %d: %s.", x.Game, strings.TrimSuffix(x.Why, ".")),
			Game: b.game, Moves: strings.Fields(x.Moves), Names: [2]string{x.First, x.Second}, Look: x.Ply,
			Command: fmt.Sprintf("spar show %d --db %s", x.Game, b.study),
		}
		if len(x.Values) > 0 {
			v.Values = make([]float64, len(v.Moves)+1)
			for i := range v.Values {
				v.Values[i] = math.NaN()
			}
			copy(v.Values[min(x.From, len(v.Values)):], x.Values)
			if o := b.r.Oracle; o != nil {
				v.Source, v.Noise = o.Name+", the same for both sides", o.Noise
				if o.Kind == "exact" {
					v.Source = "exact values"
				}
			}
		}
		s.Games = append(s.Games, v)
	}
	return s
}
