package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"spar/configs/strict"
	"spar/reports/screen"
)

// The help of a command fits on a screen: the first paragraph of its description, the flags that most people need,
// examples, and the names of the other flags by groups. "spar help COMMAND --all" has everything.

// groupOf returns the title of a flag's group; empty for a flag that most people need.
func groupOf(f *pflag.Flag) string {
	if title := tags(f).Get("in"); title != "" {
		return title
	}
	switch f.Name {
	case "json", "csv", "markdown", "text", "lines", "quiet", "figures", "tables":
		return "Output"
	case "workers", "limit", "coordinate", "machines", "engine-log", "allow-commands", "dry-run":
		return "Running"
	}
	return ""
}

// flagGroups returns the groups of a command's flags: first the common flags, with an empty title, then the groups
// by title.
func flagGroups(c *cobra.Command) (titles []string, groups map[string]*pflag.FlagSet) {
	groups = map[string]*pflag.FlagSet{"": {}}
	each := func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		title := groupOf(f)
		if groups[title] == nil {
			groups[title] = &pflag.FlagSet{}
			titles = append(titles, title)
		}
		groups[title].AddFlag(f)
	}
	c.LocalFlags().VisitAll(each)
	c.InheritedFlags().VisitAll(each)
	slices.Sort(titles)
	return append([]string{""}, titles...), groups
}

// paragraph wraps a paragraph of a description. It does not change indented lines.
func paragraph(w io.Writer, text string) string {
	if strings.HasPrefix(text, " ") {
		return text
	}
	return screen.Wrap(w, strings.ReplaceAll(text, "\n", " "), 0)
}

// writeHelp writes the help of a command: the short form on one screen, or the full form.
func writeHelp(w io.Writer, c *cobra.Command, all bool) {
	about := strings.Split(cmp.Or(c.Long, c.Short), "\n\n")
	if !all {
		about = about[:1]
	}
	for _, text := range about {
		fmt.Fprintf(w, "%s\n\n", paragraph(w, text))
	}
	fmt.Fprintln(w, "Usage:")
	if c.Runnable() {
		fmt.Fprintln(w, " ", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintln(w, " ", c.CommandPath(), "COMMAND")
		writeCommands(w, c, all)
	}
	titles, groups := flagGroups(c)
	for _, title := range titles {
		if set := groups[title]; set.HasFlags() && (all || title == "") {
			fmt.Fprintf(w, "\n%s:\n%s", cmp.Or(title, "Flags"),
				set.FlagUsagesWrapped(min(screen.Width, cmp.Or(screen.Fit(w), screen.Width))))
		}
	}
	if c.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n")
		for line := range strings.SplitSeq(c.Example, "\n") {
			fmt.Fprintln(w, folded(w, line))
		}
	}
	if all {
		return
	}
	fmt.Fprintf(w, "\nMore: spar help%s --all\n", strings.TrimPrefix(c.CommandPath(), "spar"))
	for _, title := range titles[1:] {
		var names []string
		groups[title].VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		writeNames(w, title, names)
	}
}

// folded breaks a command before its flags, as a shell reads it, where it does not fit the writer.
func folded(w io.Writer, command string) string {
	parts := strings.SplitAfter(command, " --")
	for i, at := 1, len(parts[0]); i < len(parts); i++ {
		if at += len(parts[i]); at > cmp.Or(screen.Fit(w), 1000) {
			parts[i-1] = strings.TrimSuffix(parts[i-1], "--") + "\\\n      --"
			at = 8 + len(parts[i])
		}
	}
	return strings.Join(parts, "")
}

// writeCommands lists the subcommands of a command. Those of the program are in groups, and in the short form most
// have no description.
func writeCommands(w io.Writer, c *cobra.Command, all bool) {
	width := 0
	for _, sub := range c.Commands() {
		width = max(width, len(sub.Name()))
	}
	line := func(sub *cobra.Command) { _ = screen.Entry(w, width, sub.Name(), sub.Short) }
	if len(c.Groups()) == 0 {
		fmt.Fprintln(w, "\nCommands:")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				line(sub)
			}
		}
		return
	}
	if !all {
		fmt.Fprintln(w, "\nCommands that most people need:")
		for _, sub := range c.Commands() {
			if slices.Contains(mainCommands(), sub.Name()) {
				line(sub)
			}
		}
		fmt.Fprintln(w, "\nMore commands:")
	}
	for _, g := range c.Groups() {
		if all {
			fmt.Fprintf(w, "\n%s\n", g.Title)
		}
		var names []string
		for _, sub := range c.Commands() {
			switch {
			case sub.GroupID != g.ID:
			case all:
				line(sub)
			case !slices.Contains(mainCommands(), sub.Name()):
				names = append(names, sub.Name())
			}
		}
		if !all {
			writeNames(w, strings.TrimSuffix(g.Title, ":"), names)
		}
	}
}

// writeNames writes names after a title, wrapped.
func writeNames(w io.Writer, title string, names []string) {
	const indent = "    "
	text := screen.Wrap(w, title+": "+strings.Join(names, ", "), len(indent))
	fmt.Fprintln(w, "  "+strings.ReplaceAll(text, "\n", "\n"+indent))
}

// isTopic is the annotation of a command that only prints a document as its help.
const isTopic = "spar_topic"

// helpCommand is "spar help".
func helpCommand(root *cobra.Command) *cobra.Command {
	var o struct {
		All bool `flag:"all" help:"show the full help of the command, with every flag"`
	}
	c := &cobra.Command{
		Use:   "help [COMMAND...]",
		Short: "Explain a command, the keys of a kind of YAML file, or what --json prints",
		Example: `  spar help match
  spar help match --all
  spar help yaml tournaments
  spar help json standings`,
		RunE: func(c *cobra.Command, args []string) error {
			at, rest, err := findTopic(root, args)
			switch {
			case err != nil:
				return err
			case at.Annotations[isTopic] != "":
				return at.RunE(at, rest)
			}
			writeHelp(c.OutOrStdout(), at, o.All)
			return nil
		},
	}
	declare(c, &o)
	return c
}

// fullHelp returns the arguments "help COMMAND --all" for "COMMAND --help --all", and otherwise the given ones.
func fullHelp(root *cobra.Command, args []string) []string {
	asks := func(word string) bool { return word == "--help" || word == "-h" }
	if !slices.ContainsFunc(args, asks) || !slices.Contains(args, "--all") {
		return args
	}
	words := slices.DeleteFunc(slices.Clone(args), func(s string) bool {
		return strings.HasPrefix(s, "-")
	})
	if len(words) > 1 && words[0] == "help" {
		return append(words, "--all")
	}
	c, _, err := root.Find(words)
	if err != nil || c == root && len(words) > 0 {
		return args
	}
	return append(append([]string{"help"}, strings.Fields(c.CommandPath())[1:]...), "--all")
}

// findTopic finds the command that a list of words names, or a topic and the words after it.
func findTopic(at *cobra.Command, path []string) (found *cobra.Command, rest []string, err error) {
	for i, word := range path {
		var names []string
		var next *cobra.Command
		for _, sub := range at.Commands() {
			names = append(names, sub.Name())
			if sub.Name() == word || sub.HasAlias(word) {
				next = sub
			}
		}
		if next == nil {
			return nil, nil, usagef("unknown command %q for %q%s", word, at.CommandPath(), strict.Suggest(word, names))
		}
		if at = next; at.Annotations[isTopic] != "" {
			return at, path[i+1:], nil
		}
	}
	return at, nil, nil
}
