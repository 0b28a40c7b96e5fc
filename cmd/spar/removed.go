package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// gone has the names of commands and flags that Spar no longer has, and what does their work.
const gone = `
agents recommend: spar match A B --plan-set budget.seconds=0.05 compares agents at equal budgets
accuracy --by: spar export --positions --exact writes each position with its exact value
analyze --out: the Review page of spar serve draws the values of a game as a chart and saves it
balance search: spar sweep RULES --knob KNOB=VALUES --target TARGET searches for rules that meet targets
bench all: spar bench playouts and spar bench search measure the speeds of one game
bench late: spar bench search prints the milliseconds per search
calibrate: reports/research/calibration.md has the figures
cite: spar study prints versions, machines, seeds, plans and games; --json has every field
diagram --animate: spar show prints a game ply by ply; the page of spar report steps through games
diagram --arrow: write an SVG file, and add arrows in an editor
diagram --board: spar diagram RULES --style print --out board.html makes a page to print
diagram --mark: write an SVG file, and add rings in an editor
diagram --paper: write --out board.html, and choose the paper in the browser's print dialog
diagram --seconds: spar show prints a game ply by ply; the page of spar report steps through games
diagram --size: write --out board.html, and choose the scale in the browser's print dialog
sweep --csv: spar sweep NAME --out FOLDER --tables writes every table as CSV
eval: spar analyze RULES --parts explains the evaluation of a position
hint: spar analyze RULES --best prints the best moves of a position
import --rules: spar analyze RULES --moves reads the moves of a game that was copied from a page
export --opinions: any SQLite tool can read the opinions table of STUDY.db
learn --gate-budgets: spar match minimax-4 mcts-1k --plan-set budget.seconds=0.05 compares searches at equal budgets
learn --league: self-play uses the current net on both sides
learn --curve-pairs: the gate compares the search with and without the net; --json reports the training run
learn report: spar learn --json prints the match of the gate and the training run; spar analyze RULES --parts explains how a net evaluates a position
learn validate: spar match A B --plan-set budget.seconds=0.05 compares agents with and without a net (evaluation.file)
bench depth: spar bench search prints the nodes per second of a search
play --resume: spar serve keeps unfinished games and continues them
tune fit: spar tune with method: regression fits weights to results of games that it plays
plot --predicted: spar standings --crosstable prints the points that the ratings predict
puzzles: spar match compares agents; spar accuracy compares them with exact values
games --swing: spar analyze --db STUDY.db --game N shows where the value of a game changed
study --write-plan: spar study --json has plans, rules and agents; spar verify --replay plays the games again
predict --refit: reports/research/people.md describes how the agent type "person" was fitted; set its knobs in an agent file
tune person: reports/research/people.md describes how the agent type "person" was fitted; set its knobs in an agent file
tune --history: spar tune --json has the progress of the search
solve --certificates: spar solve RULES --prove MOVES --each-move prints the winner after each move, and a reply
tune plan: spar tune plays thousands of games of a cheap agent in a minute; try --set games=2000
tune report --slices: spar ablate plays an agent with other values of its knobs
tune report --together: spar ablate plays an agent with other values of two knobs
worker --cache: tables of solved games stay on the coordinator, which plays the games that need them
worker --cache-size: tables of solved games stay on the coordinator, which plays the games that need them
workers: spar study lists the machines and how many of their games other machines replayed
verify --salvage: spar verify prints the command that saves the readable part of a damaged study
yaml --out: spar yaml > keys.txt writes the list to a file
`

// removed returns what does the work of commands and flags that Spar no longer has, by their name on the command line.
func removed() map[string]string {
	out := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(gone), "\n") {
		name, instead, _ := strings.Cut(line, ": ")
		out[name] = instead
	}
	return out
}

// refuseRemoved adds commands that are gone: they name what to use instead, and no help lists them.
func refuseRemoved(root *cobra.Command) {
	for name, instead := range removed() {
		words := strings.Fields(name)
		parent, _, err := root.Find(words[:len(words)-1])
		if last := words[len(words)-1]; err == nil && !strings.HasPrefix(last, "--") {
			parent.AddCommand(&cobra.Command{
				Use: last, Hidden: true, DisableFlagParsing: true,
				RunE: func(*cobra.Command, []string) error { return usagef("spar %s is gone: %s", name, instead) },
			})
		}
	}
}

// removedFlag returns what replaces a flag that is gone; empty for other names.
func removedFlag(c *cobra.Command, flag string) string {
	inFile := strings.Fields("coordinate-only token-file credentials tls-cert tls-key tls-fingerprint tls-ca prefix " +
		"check patience scale-time")
	switch {
	case c.Flags().Lookup("machines") == nil:
	case flag == "nats":
		return "give the URL to --coordinate"
	case slices.Contains(inFile, flag):
		return fmt.Sprintf("write %s into the --machines file (see \"spar help yaml machines\")",
			strings.ReplaceAll(flag, "-", "_"))
	}
	return removed()[strings.TrimPrefix(c.CommandPath(), "spar ")+" --"+flag]
}
