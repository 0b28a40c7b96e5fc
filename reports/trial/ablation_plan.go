package trial

import (
	"fmt"
	"io"
	"strings"

	"spar/arena"
	"spar/arena/study"
	"spar/reports/page"
	"spar/reports/table"
)

// Planned describes the games that the ablation would add to a study.
func (a *Ablation) Planned(db string) *AblationPlan {
	planned := &AblationPlan{
		Agent: a.Base.Name,
		DB:    db,
		Parts: []PlannedPart{},
		Idle:  append([]Idle{}, a.Idle...),
	}
	for _, p := range a.Parts {
		part := PlannedPart{Rules: p.Tournament.Labels[0]}
		for _, v := range p.Variants {
			part.Variants = append(part.Variants, v.String())
		}
		planned.Parts = append(planned.Parts, part)
		games, _ := arena.NewSchedule(p.Tournament).Total()
		planned.Games += games
	}
	return planned
}

// Page returns a page with the table, for the study at a path.
func (r *AblationResult) Page(path string) *page.Document {
	build := study.ThisBuild()
	return &page.Document{
		Title: "Ablation of " + r.Agent, Subtitle: r.Lead(),
		Sections: []page.Section{{
			ID: "effects", Title: "Effects", Tables: []table.Table{r.Table()},
			Figures: []page.Figure{{ID: "ablation", Title: "Elo by value", Caption: "With joint intervals.", Chart: r.Chart()}},
		}},
		Commands: []page.Command{{Text: build.Command, Note: "This command plays the missing games and writes this page:"}},
		Facts: []page.Fact{
			{Name: "spar", Value: build.Version + " " + build.Commit},
			{Name: "processor", Value: build.CPU},
			{Name: "study", Value: path},
		},
	}
}

// AblationPlan describes the games that an ablation would play.
type AblationPlan struct {
	Agent string        `json:"agent" help:"the unchanged agent"`
	Games int64         `json:"games" help:"games"`
	DB    string        `json:"db" help:"the study's file"`
	Parts []PlannedPart `json:"parts"`
	Idle  []Idle        `json:"idle"`
}

// PlannedPart describes the planned games under one set of rules.
type PlannedPart struct {
	Rules    string   `json:"rules" help:"name of the rules"`
	Variants []string `json:"variants" help:"values that are played"`
}

// Text prints the plan.
func (p *AblationPlan) Text(out io.Writer) error {
	fmt.Fprintf(out, "ablation of %s: %d games, stored in %s\n", p.Agent, p.Games, p.DB)
	for _, part := range p.Parts {
		fmt.Fprintf(out, "%s: %s\n", part.Rules, strings.Join(part.Variants, "; "))
	}
	for _, i := range p.Idle {
		fmt.Fprintf(out, "not played under %s: %s (%s)\n", i.Rules, i.Settings, i.Why)
	}
	return nil
}
