package main

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"spar/configs/strict"
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

// oneOf returns an error if the value of a flag is none of some words. The default is always valid.
func oneOf(c *cobra.Command, name string, words ...string) {
	beforehand(c, func(c *cobra.Command) error {
		f, last := c.Flags().Lookup(name), len(words)-1
		if f.Changed && !slices.Contains(words, f.Value.String()) {
			return usagef("--%s %s: expected %s or %s", name, f.Value, strings.Join(words[:last], ", "), words[last])
		}
		return nil
	})
}

// knownWord returns an error, with a suggestion, if the value of a flag is none of some words. The default is always
// valid.
func knownWord(c *cobra.Command, name, what string, words ...string) {
	beforehand(c, func(c *cobra.Command) error {
		f := c.Flags().Lookup(name)
		if text := f.Value.String(); text != f.DefValue && !slices.Contains(words, text) {
			return usagef("--%s: unknown %s %q%s", name, what, text, strict.Suggest(text, words))
		}
		return nil
	})
}

// positive returns an error if the number of one of some flags is not above 0, or not finite.
func positive(c *cobra.Command, names ...string) {
	beforehand(c, func(c *cobra.Command) error {
		for _, name := range names {
			v := c.Flags().Lookup(name).Value
			switch x, err := strconv.ParseFloat(v.String(), 64); {
			case err == nil && x > 0 && !math.IsInf(x, 0):
			case v.Type() == "float64":
				return usagef("--%s must be above 0", name)
			default:
				return usagef("--%s %s: expected 1 or more", name, v)
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
