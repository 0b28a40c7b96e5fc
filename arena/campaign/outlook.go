package campaign

// Outlook is what studies would play. Its JSON is public.
type Outlook struct {
	Parts []PartOutlook `json:"parts"`
	Games int64         `json:"games"`
	About float64       `json:"expected_s"` // seconds of playing
}

// PartOutlook is a part of a study that would be played.
type PartOutlook struct {
	Name   string   `json:"name"`
	Rules  string   `json:"rules"`
	Agents []string `json:"agents"`
	Pairs  int      `json:"pairs"`
	Games  int64    `json:"games"`
	About  float64  `json:"expected_s"` // the share of the study's time that its share of the work takes
}

// LookAhead lists the parts of studies that take so many seconds each, as Fill says.
func LookAhead(cs []*Campaign, seconds []float64) Outlook {
	var o Outlook
	for i, k := range cs {
		o.About += seconds[i]
		work := k.Work()
		for _, p := range k.Parts() {
			x := PartOutlook{p.Name, k.Rules.Label, nil, p.Pairs, PartGames(p), seconds[i] * PartWork(p) / work}
			for _, a := range p.Players {
				x.Agents = append(x.Agents, a.Name)
			}
			o.Parts = append(o.Parts, x)
			o.Games += x.Games
		}
	}
	return o
}
