package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"spar/configs"
	"spar/configs/must"
)

// eachCommand calls do for every command that spar has of its own.
func eachCommand(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, sub := range c.Commands() {
		if !sub.Hidden { // as those that are gone
			eachCommand(sub, do)
		}
	}
}

// Every command says what it is for, every flag what it does, and every command shows an example.
func TestEveryCommandIsExplained(t *testing.T) {
	t.Parallel()
	eachCommand(newRoot(), func(c *cobra.Command) {
		if c.Short == "" {
			t.Errorf("%s has no short description", c.CommandPath())
		}
		if !strings.Contains(c.Example, c.CommandPath()) && !strings.HasPrefix(c.CommandPath(), "spar completion") {
			t.Errorf("%s has no example of its own: %q", c.CommandPath(), c.Example)
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s --%s has no description", c.CommandPath(), f.Name)
			}
		})
	})
}

// COMMAND --help --all prints what help COMMAND --all does.
func TestFullHelp(t *testing.T) {
	t.Parallel()
	eachCommand(newRoot(), func(c *cobra.Command) {
		path := strings.Fields(c.CommandPath())[1:]
		var full [2]bytes.Buffer
		for i, args := range [][]string{slices.Concat(path, []string{"--help", "--all"}), slices.Concat([]string{"help"}, path,
			[]string{"--all"})} {
			if code := run(t.Context(), args, strings.NewReader(""), &full[i], &full[i]); code != exitOK {
				t.Errorf("%v: exit code %d", args, code)
			}
		}
		if full[0].String() != full[1].String() {
			t.Errorf("%v: %s", path, &full[0])
		}
	})
}

// The help of a command fits on a screen: 40 lines of 100 characters, examples apart.
func TestHelpFitsOnAScreen(t *testing.T) {
	t.Parallel()
	root := newRoot()
	eachCommand(root, func(c *cobra.Command) {
		var out bytes.Buffer
		writeHelp(&out, c, false)
		text, _, _ := strings.Cut(out.String(), "\nExamples:\n")
		_, after, _ := strings.Cut(out.String(), "\nMore: ")
		for line := range strings.Lines(text + after) {
			if utf8.RuneCountInString(line) > 101 {
				t.Errorf("%s: %q is longer than 100 characters", c.CommandPath(), line)
			}
		}
		if n := strings.Count(out.String(), "\n"); n > 40 {
			t.Errorf("%s: %d lines", c.CommandPath(), n)
		}
	})
}

// Every example of a --help is a command line that spar understands: the command exists, its flags have right values,
// and the number of arguments fits.
func TestExamplesParse(t *testing.T) {
	t.Parallel()
	eachCommand(newRoot(), func(c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			calls, err := sparCalls(line)
			if err != nil || len(calls) == 0 {
				t.Errorf("%s: example %q: %v", c.CommandPath(), strings.TrimSpace(line), err)
			}
			for _, args := range calls {
				if err := parses(args); err != nil {
					t.Errorf("%s: example %q: %v", c.CommandPath(), strings.TrimSpace(line), err)
				}
			}
		}
	})
}

// The examples of match can be typed one after the other: each plan has a study of its own. Those of sprt then find the
// study of the one with a sequential test, whose hypotheses they take.
func TestExamplesOfAMatchAndItsTest(t *testing.T) {
	t.Parallel()
	find := func(name string) (out [][]string) {
		c, _ := must.Get2(newRoot().Find([]string{name}))(t)
		for line := range strings.Lines(c.Example) {
			out = append(out, strings.Fields(line))
		}
		return out
	}
	study := func(words []string) string {
		if at := slices.Index(words, "--db"); at >= 0 {
			return words[at+1]
		}
		return ""
	}
	tested := map[string]bool{}
	for _, words := range find("match") {
		path := cmp.Or(study(words), "out/match.db")
		if _, twice := tested[path]; twice {
			t.Errorf("%s is the study of two examples", path)
		}
		tested[path] = slices.Contains(words, "--sprt")
	}
	for _, words := range find("sprt") {
		if path := study(words); path != "" && !tested[path] {
			t.Errorf("%q: no example of match plays a sequential test into %s", strings.Join(words, " "), path)
		}
	}
}

// parses tells what is wrong with a command line, without running it.
func parses(args []string) error {
	root := newRoot()
	root.InitDefaultHelpCmd()
	c, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	if err := c.ParseFlags(rest); err != nil {
		return err
	}
	if !c.Runnable() {
		return fmt.Errorf("%s cannot be run", c.CommandPath())
	}
	for name, kind := range map[string]configs.Kind{"agent": configs.Agents, "rules": configs.Games} {
		f := c.Flags().Lookup(name)
		if f == nil {
			continue
		}
		if _, many := f.Value.(pflag.SliceValue); !many && f.Value.String() != "" {
			for v := range strings.SplitSeq(f.Value.String(), ",") { // the flag's value, or its default
				if _, _, err := configs.Read(kind, v); err != nil {
					return fmt.Errorf("--%s: %w", name, err)
				}
			}
		}
	}
	return c.ValidateArgs(c.Flags().Args())
}

// sparCalls reads a line as a shell does, as far as examples need it: words, quotes, pipes, redirections and comments.
// It returns the arguments of each call of spar.
func sparCalls(line string) ([][]string, error) {
	var words []string
	word, open, quote := "", false, rune(0)
	end := func() {
		if open {
			words = append(words, word)
		}
		word, open = "", false
	}
	for _, r := range strings.TrimSpace(line) {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == ' ':
			end()
		default:
			word, open = word+string(r), true
		}
	}
	end()
	if quote != 0 {
		return nil, fmt.Errorf("open quote %c", quote)
	}
	var calls [][]string
	var call []string
	take := func() {
		if len(call) > 0 && call[0] == "spar" {
			calls = append(calls, call[1:])
		}
		call = nil
	}
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case strings.HasPrefix(w, "#"):
			i = len(words)
		case w == "|":
			take()
		case w == ">":
			i++
		default:
			call = append(call, w)
		}
	}
	take()
	return calls, nil
}
