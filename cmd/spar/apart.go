package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The functions here refuse what does not go together, before a command runs.

// needs returns an error if one of some flags is given and none of the flags that it needs.
func needs(c *cobra.Command, flags []string, others ...string) {
	beforehand(c, func(c *cobra.Command) error {
		if slices.ContainsFunc(others, func(name string) bool { return given(c, name) }) {
			return nil
		}
		for _, name := range flags {
			if given(c, name) {
				return usagef("--%s needs --%s", name, strings.Join(others, " or --"))
			}
		}
		return nil
	})
}

// given reports whether a flag is given, with a value other than false.
func given(c *cobra.Command, name string) bool {
	f := c.Flags().Lookup(name)
	return f.Changed && f.Value.String() != "false"
}

// apartFrom returns an error if the user overrides a key and also gives the flag for that key. The map flags has
// flags by key path.
func apartFrom(c *cobra.Command, overrides string, flags map[string]string) {
	beforehand(c, func(c *cobra.Command) error {
		set, _ := c.Flags().Lookup(overrides).Value.(pflag.SliceValue)
		for _, text := range set.GetSlice() {
			key, value, _ := strings.Cut(text, "=")
			for _, path := range slices.Sorted(maps.Keys(flags)) {
				whole := strings.HasPrefix(path, key+".") && strings.HasPrefix(value, "{")
				if given(c, flags[path]) && (path == key || whole) {
					return usagef("--%s %s and %s: give one of them", overrides, text, flagText(c, flags[path], -1))
				}
			}
		}
		return nil
	})
}

// together matches cobra's error about mutually exclusive flags.
var together = regexp.MustCompile(`\[([^]]+)\] were all set$`)

// refuseTogether returns an error for flags that exclude each other.
func refuseTogether(c *cobra.Command) error {
	err := c.ValidateFlagGroups()
	if err == nil {
		return nil
	}
	if names := together.FindStringSubmatch(err.Error()); names != nil {
		return usagef("--%s: give one of them", strings.ReplaceAll(names[1], " ", " and --"))
	}
	return usageError{err}
}

// oneForm makes the flags that choose the form of standard output mutually exclusive, for a command and its
// subcommands.
func oneForm(c *cobra.Command) {
	var names []string
	for _, name := range []string{"text", "markdown", "csv", "lines", "json"} {
		if c.Flags().Lookup(name) != nil {
			names = append(names, name)
		}
	}
	if len(names) > 1 {
		c.MarkFlagsMutuallyExclusive(names...)
	}
	for _, sub := range c.Commands() {
		oneForm(sub)
	}
}
