package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/configs"
	"spar/configs/files"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/coverage"
	"spar/engines/rules"
	"spar/reports/page"
	"spar/reports/screen"
	"spar/reports/table"
	"spar/reports/watch"
	"spar/tuning"
)

// ownOverrides splits a name of rules with overrides, like vanishing[pieces.cap=4], and puts these before the others.
func ownOverrides(name string, set []string) (string, []string) {
	base, own := rules.SplitLabel(name)
	return base, append(rules.Overrides(own), set...)
}

// loadGame compiles rules by name or path, with overrides.
func loadGame(name string, set []string) (*engines.Game, error) {
	name, set = ownOverrides(name, set)
	g, err := engines.Named(name, set...)
	names := configs.Names(configs.Games)
	if err != nil && strict.Distance(name, strict.Nearest(name, names)) > 2 {
		for _, e := range coverage.Find(name) { // by the usual name of a game
			if e.Rules != "" && !files.IsPath(name) {
				return nil, usagef("no shipped game called %q; did you mean %s (%s)?", name, e.Rules, e.Game)
			}
		}
	}
	return g, strict.Bad(err)
}

// printJSON prints one object as one line, with kind and version first. The value must be a struct or a map that
// has no keys with these names.
func printJSON(w io.Writer, kind string, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	body, isObject := bytes.CutPrefix(b.Bytes(), []byte("{"))
	if !isObject {
		return fmt.Errorf("%s: %T is not a JSON object", kind, v)
	}
	comma := ","
	if body[0] == '}' {
		comma = ""
	}
	_, err := fmt.Fprintf(w, "{\"kind\":%q,\"version\":%d%s%s", kind, jsonVersion, comma, body)
	return err
}

// wantsJSON reports whether --json is given.
func wantsJSON(c *cobra.Command) bool {
	on, err := c.Flags().GetBool("json")
	return err == nil && on
}

// sayJSON prints an object of a kind to standard output.
func sayJSON(c *cobra.Command, kind string, v any) error { return printJSON(c.OutOrStdout(), kind, v) }

// reply prints the result of a command: with --json as an object of a kind, else as text.
func reply(c *cobra.Command, kind string, v any, text func(io.Writer) error) error {
	if wantsJSON(c) {
		return sayJSON(c, kind, v)
	}
	return text(c.OutOrStdout())
}

// replyf is reply with a formatted text.
func replyf(c *cobra.Command, kind string, v any, format string, args ...any) error {
	return reply(c, kind, v, func(w io.Writer) error { return printTo(w, format, args...) })
}

// replyAll is reply for several results, with one object for each and one text for all.
func replyAll[T any](c *cobra.Command, kind string, all []T, text func(io.Writer) error) error {
	if !wantsJSON(c) {
		return text(c.OutOrStdout())
	}
	for _, v := range all {
		if err := sayJSON(c, kind, v); err != nil {
			return err
		}
	}
	return nil
}

// listing prints results as they come: with --json as objects of a kind, else as rows of a table at the end.
type listing struct {
	*table.List
	c    *cobra.Command
	kind string
}

// newListing returns an empty listing. See table.To for the columns.
func newListing(c *cobra.Command, kind string, heads []string, right ...int) listing {
	return listing{table.To(c.OutOrStdout(), heads, right...), c, kind}
}

// add prints a result as an object, or keeps the cells of its row.
func (l listing) add(v any, cells ...any) error {
	if wantsJSON(l.c) {
		return printJSON(l.c.OutOrStdout(), l.kind, v)
	}
	l.Add(cells...)
	return nil
}

// end writes the table, if there is one, and then a line below it.
func (l listing) end(format string, args ...any) error {
	if wantsJSON(l.c) {
		return nil
	}
	l.Write()
	return say(l.c, format, args...)
}

// writeAgent writes an agent to a file, below a comment, unless the path is empty.
func writeAgent(path string, spec agents.Spec, comment string) error {
	if path == "" {
		return nil
	}
	text, err := tuning.AgentYAML(spec, comment)
	if err != nil {
		return err
	}
	return files.WriteBytes(path, text)
}

func printTo(w io.Writer, format string, args ...any) error {
	_, err := fmt.Fprintf(w, format, args...)
	return err
}

// say prints to standard output.
func say(c *cobra.Command, format string, args ...any) error {
	return printTo(c.OutOrStdout(), format, args...)
}

// note prints to standard error.
func note(c *cobra.Command, format string, args ...any) {
	fmt.Fprintf(screen.NewOutput(c.ErrOrStderr()), format, args...)
}

// newDisplay returns a progress display on standard error. Output of the command clears it first.
func newDisplay(c *cobra.Command) *watch.Display {
	d := watch.NewDisplay(c.ErrOrStderr())
	if out, ok := c.OutOrStdout().(*screen.Output); ok {
		out.Follow(d)
	}
	return d
}

// openInput opens a file, or standard input for "-" or an empty name. Reading ends with the command's context, even
// from a pipe that stays open.
func openInput(c *cobra.Command, args []string) (io.ReadCloser, string, error) {
	ctx := c.Context()
	if len(args) == 0 || args[0] == "-" {
		return readUntilDone(ctx, io.NopCloser(c.InOrStdin()), "standard input"), "standard input", nil
	}
	f, err := untilDone(ctx, func() (*os.File, error) { return os.Open(filepath.Clean(args[0])) })
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	if err != nil {
		return nil, "", usagef("cannot read %s: %w", args[0], files.Cause(err))
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, "", errors.Join(usagef("%s is a folder, expected a file", args[0]), f.Close())
	}
	return readUntilDone(ctx, f, args[0]), args[0], nil
}

// readUntilDone reads from in until ctx ends; Then reading returns ctx's error, even within an endless line.
// Errors call the input name.
func readUntilDone(ctx context.Context, in io.ReadCloser, name string) io.ReadCloser {
	r, w := io.Pipe()
	stop := context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(w, files.Lines(in, name))
		w.CloseWithError(errors.Join(err, in.Close()))
		stop()
	}()
	return r
}

// untilDone runs a function that cannot be cancelled. It returns when ctx ends, although the function continues
// until the process ends.
func untilDone[T any](ctx context.Context, work func() (T, error)) (T, error) {
	var result T
	var err error
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		result, err = work()
	}()
	select {
	case <-finished:
		return result, err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// pageFlags are the flags of commands that write documents to files.
type pageFlags struct {
	Out     string `flag:"out,o" page:"" help:"write the page to this .html file or folder"`
	Figures string `flag:"figures" one:"svg png pdf" help:"also write the figures to the folder of --out, as svg, png or pdf"`
	Tables  bool   `flag:"tables" help:"also write Markdown, JSON and every table (CSV and JSON) to the folder of --out"`
	quiet   bool   // do not print the names of the files written
}

func (o *pageFlags) attach(c *cobra.Command) { beforehand(c, o.check) }

func (o *pageFlags) check(*cobra.Command) error {
	folder := o.Out != "" && !page.IsFile(o.Out)
	switch {
	case folder && slices.Contains(strings.Fields(".pdf .svg .png .htm .md .json .csv"), filepath.Ext(o.Out)):
		return usagef("--out %s: expected a file ending in .html, or a folder", o.Out)
	case o.Figures != "" && !folder:
		return usagef("--figures needs a folder: --out FOLDER")
	case o.Tables && !folder:
		return usagef("--tables needs a folder: --out FOLDER")
	}
	return nil
}

// show prints a document in the requested form, and what is printed as JSON, and saves it if there is a place for it.
func (o *pageFlags) show(c *cobra.Command, d *page.Document, markdown bool, name, kind string,
	printed, data any,
) (err error) {
	switch {
	case markdown:
		err = d.Markdown(c.OutOrStdout(), nil)
	case wantsJSON(c):
		err = sayJSON(c, kind, printed)
	default:
		err = d.Text(c.OutOrStdout(), 0)
	}
	if err == nil && o.Out != "" {
		err = o.save(c, d, name, false, kind, data)
	}
	return err
}

// save writes a document. Files in a folder get the given name, and JSON data the given kind. Many means that
// there are several documents.
func (o *pageFlags) save(c *cobra.Command, d *page.Document, name string, many bool, kind string, data any) error {
	wrote, err := d.Save(page.Place{
		Out: o.Out, Figures: o.Figures, Tables: o.Tables, Name: name, Many: many,
		Data: func(w io.Writer) error { return printJSON(w, kind, data) },
	})
	if err == nil && !o.quiet {
		note(c, "wrote %s\n", wrote)
	}
	return err
}
