package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The functions here refuse what does not go together, before a command runs. Names are those of flags; "kind strength" is a flag with
// one of its values, and a name in capitals the argument.

// needs refuses flags without any of the others.
func needs(c *cobra.Command, flags []string, others ...string) {
	beforehand(c, func(c *cobra.Command) error {
		var wanted []string
		for _, other := range others {
			text, ok := given(c, other)
			if ok {
				return nil
			}
			wanted = append(wanted, text)
		}
		for _, name := range flags {
			if _, ok := given(c, name); ok {
				return usagef("--%s needs %s", name, strings.Join(wanted, " or "))
			}
		}
		return nil
	})
}

// apart refuses more than one of some flags.
func apart(c *cobra.Command, flags ...string) {
	beforehand(c, func(c *cobra.Command) error {
		first := ""
		for _, name := range flags {
			text, ok := given(c, name)
			if ok && first != "" {
				return usagef("%s and %s: give one of them", first, text)
			}
			if ok {
				first = text
			}
		}
		return nil
	})
}

// apartFrom refuses keys of a file that a flag overrides where a flag of their own is given, too: flags by key paths.
func apartFrom(c *cobra.Command, overrides string, flags map[string]string) {
	beforehand(c, func(c *cobra.Command) error {
		set, _ := c.Flags().Lookup(overrides).Value.(pflag.SliceValue)
		for _, text := range set.GetSlice() {
			key, value, _ := strings.Cut(text, "=")
			for _, path := range slices.Sorted(maps.Keys(flags)) {
				_, ok := given(c, flags[path])
				if whole := strings.HasPrefix(path, key+".") && strings.HasPrefix(value, "{"); ok && (path == key || whole) {
					return usagef("--%s %s and %s: give one of them", overrides, text, flagText(c, flags[path], -1))
				}
			}
		}
		return nil
	})
}

// given tells whether a flag, with a value, or the argument is given, and how to name it.
func given(c *cobra.Command, name string) (text string, ok bool) {
	if name == strings.ToUpper(name) {
		return name, c.Flags().NArg() > 0
	}
	flag, value, valued := strings.Cut(name, " ")
	f := c.Flags().Lookup(flag)
	if valued {
		return "--" + name, f.Value.String() == value
	}
	return "--" + name, f.Changed && f.Value.String() != "false"
}
