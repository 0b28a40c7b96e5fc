//go:build !js

package review

import (
	"fmt"
	"io"
	"strings"

	"spar/agents"
	"spar/agents/eval"
	"spar/agents/patterns"
	"spar/engines"
	"spar/reports/screen"
	"spar/reports/table"
)

// Explained explains the evaluation of a position.
type Explained interface {
	Text(out io.Writer, p *engines.Position) error
}

// Explain returns the parts of an agent's evaluation of a position, as an *Evaluation, or as a *LearnedEvaluation if a
// net evaluates.
func Explain(spec agents.Spec, p *engines.Position) (Explained, error) {
	side := "XO"[p.Side() : p.Side()+1]
	if spec.Evaluation.Net == nil {
		e := eval.New(p.Game(), agents.Evaluation(spec, p.Game()))
		terms, sum := e.Explain(&p.State, p.Side())
		return &Evaluation{p.Text(), side, terms, sum, e.Score(sum)}, nil
	}
	net, err := spec.Evaluation.For(p.Game())
	if err != nil {
		return nil, err
	}
	terms, sum := net.Explain(&p.State, p.Side())
	return &LearnedEvaluation{p.Text(), side, spec.Evaluation.File, terms, sum, net.Score(sum)}, nil
}

// Evaluation is the linear evaluation of a position by features.
type Evaluation struct {
	Position string      `json:"position" help:"the position as text"`
	Side     string      `json:"side" help:"X or O: the side to move"`
	Terms    []eval.Term `json:"terms"`
	Value    float64     `json:"value" help:"sum of the contributions"`
	Score    float64     `json:"score" help:"expected score for the sum"`
}

// LearnedEvaluation is the evaluation of a position by the patterns of a net.
type LearnedEvaluation struct {
	Position string          `json:"position" help:"text of the position"`
	Side     string          `json:"side" help:"X or O: to move"`
	Net      string          `json:"net" help:"name or file of the net"`
	Terms    []patterns.Term `json:"terms"`
	Value    float64         `json:"value" help:"sum of the worths"`
	Score    float64         `json:"score" help:"expected score of the side to move, 0 to 1"`
}

// Text prints the position and its features.
func (e *Evaluation) Text(out io.Writer, p *engines.Position) error {
	fmt.Fprintf(out, "%s\n%s\n", e.Position, p.Picture(screen.Coloured(out)))
	t := table.To(out, strings.Fields("feature value weight contribution meaning"), 2, 3, 4)
	for _, term := range e.Terms {
		t.Add(term.Feature, fmt.Sprintf("%.4g", term.Value), fmt.Sprintf("%.4g", term.Weight),
			fmt.Sprintf("%+.4g", term.Contribution), eval.Describe(term.Feature))
	}
	t.Write()
	if p.Over() {
		fmt.Fprintf(out, "the game is over (result: %s, reason: %s)\n", p.Result(), p.Reason())
	}
	return printExpected(out, e.Side, e.Value, e.Score)
}

// printExpected prints the expected score that an evaluation gives.
func printExpected(out io.Writer, side string, value, score float64) error {
	_, err := fmt.Fprintf(out, "%s player to move (%s): value %+.4g, expected score %.3f\n",
		map[string]string{"X": "first", "O": "second"}[side], side, value, score)
	return err
}

// patternsShown is the number of patterns of a learned evaluation that are printed.
const patternsShown = 20

// Text prints the position and its patterns.
func (l *LearnedEvaluation) Text(out io.Writer, p *engines.Position) error {
	fmt.Fprintf(out, "%s\n%s\n", l.Position, p.Picture(screen.Coloured(out)))
	t := table.To(out, strings.Fields("pattern cells content contribution score"), 4, 5)
	for _, term := range l.Terms[:min(patternsShown, len(l.Terms))] {
		t.Add(term.Table, term.Cells, term.Holds, screen.Signed(term.Worth), screen.Signed(term.Percent)+" %")
	}
	t.Write()
	if more := len(l.Terms) - patternsShown; more > 0 {
		fmt.Fprintf(out, "%d smaller contributions are not shown (--json lists all)\n", more)
	}
	return printExpected(out, l.Side, l.Value, l.Score)
}

// Text prints the best moves.
func (h *Hint) Text(out io.Writer, _ *engines.Position) error {
	_, err := fmt.Fprintf(out, "%s: %s   (%s)\n", h.Side, strings.Join(h.Best, " "), h.Worth())
	return err
}
