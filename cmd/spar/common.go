package main

import (
	"cmp"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"spar/configs"
	"spar/engines"
)

// loadGame compiles the rules of that name or path with overrides.
func loadGame(name string, set []string) (*engines.Game, error) {
	file, data, err := configs.Read(configs.Games, name)
	if err != nil {
		return nil, usageError{err}
	}
	return engines.Load(file, data, set...)
}

// setFlag adds --set, the overrides of knobs.
func setFlag(c *cobra.Command, set *[]string) {
	c.Flags().StringArrayVar(set, "set", nil, "override a knob of the rules, like pieces.cap=5 (repeatable)")
}

func jsonFlag(c *cobra.Command, on *bool) {
	c.Flags().BoolVar(on, "json", false, "print JSON, one object a line")
}

// printJSON writes one object as one line.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// isTerminal tells whether a person is looking at w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// useColour tells whether output to w may be coloured.
func useColour(w io.Writer) bool { return isTerminal(w) && os.Getenv("NO_COLOR") == "" }

// newTable returns an empty table in the one style of the program. Columns from the second on that hold numbers are named in
// right, from 1.
func newTable(w io.Writer, header table.Row, right ...int) table.Writer {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	s := t.Style()
	s.Options = table.OptionsNoBordersAndSeparators
	s.Format.Header = text.FormatDefault
	s.Format.Footer = text.FormatDefault
	s.Box.PaddingLeft, s.Box.PaddingRight = "", "  "
	t.AppendHeader(header)
	var cfg []table.ColumnConfig
	for _, n := range right {
		cfg = append(cfg, table.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(cfg)
	return t
}

// gameNames completes names of games.
func gameNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return configs.Names(configs.Games), cobra.ShellCompDirectiveDefault
}

func agentNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return configs.Names(configs.Agents), cobra.ShellCompDirectiveDefault
}

func tournamentNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return configs.Names(configs.Tournaments), cobra.ShellCompDirectiveDefault
}

// openInput opens a file, or standard input for "-" or nothing.
func openInput(c *cobra.Command, args []string) (io.ReadCloser, string, error) {
	if len(args) == 0 || args[0] == "-" {
		return io.NopCloser(c.InOrStdin()), "standard input", nil
	}
	f, err := os.Open(filepath.Clean(args[0]))
	if err != nil {
		return nil, "", usageError{err}
	}
	return f, args[0], nil
}

// sortCells sorts names of moves by row, then column, as boards are read.
func sortCells(names []string) {
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a[1:], b[1:]), cmp.Compare(a, b))
	})
}
