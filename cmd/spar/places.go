package main

import (
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"spar/arena/store"
	"spar/configs/files"
	"spar/reports/page"
	"spar/reports/serve"
)

// What stands in the way of what a command is to write is told before it begins its work, which may take hours.

// Annotations of flags that name output. The value for a file is the list of allowed suffixes of its name; empty =
// any.
const (
	writesFile = "spar_writes_file"
	writesPage = "spar_writes_page"
)

// fileFlag adds a flag that names a file to write, with the allowed suffixes of its name.
func fileFlag(c *cobra.Command, path *string, name, short, usage string, endings ...string) {
	c.Flags().StringVarP(path, name, short, *path, usage)
	annotate(c, name, writesFile, endings)
}

// outFlag adds --out, the file to write; see fileFlag.
func outFlag(c *cobra.Command, path *string, usage string, endings ...string) {
	fileFlag(c, path, "out", "o", usage, endings...)
}

// yamlEndings are the suffixes for files that other commands can read: rules and agents.
func yamlEndings() []string { return []string{".yaml", ".yml"} }

// addressFlag adds a flag for the address at which pages are served. The present value is the default.
func addressFlag(c *cobra.Command, at *string, name, usage string) {
	c.Flags().Var((*address)(at), name, usage)
}

// address is the value of a flag: address and port.
type address string

func (a *address) Set(text string) error {
	if _, _, err := net.SplitHostPort(text); err != nil {
		return fmt.Errorf("expected an address and a port, like %s", serve.DefaultListen)
	}
	*a = address(text)
	return nil
}

func (a *address) String() string { return string(*a) }

// Type returns the word for the value in help texts.
func (a *address) Type() string { return "address" }

func annotate(c *cobra.Command, flag, kind string, endings []string) {
	if err := c.Flags().SetAnnotation(flag, kind, endings); err != nil {
		panic(err) // the flag was added in the line before
	}
}

// refuseUnwritable returns an error if a flag names a place to which nothing can be written.
func refuseUnwritable(c *cobra.Command) error {
	var err error
	c.Flags().Visit(func(f *pflag.Flag) {
		path := f.Value.String()
		if err != nil || path == "" {
			return
		}
		if endings, ok := f.Annotations[writesFile]; ok {
			if err = checkFile(path, endings); err == nil {
				err = store.CheckOutput(c.Context(), path)
			}
		} else if _, ok := f.Annotations[writesPage]; ok {
			err = checkPage(path)
		}
		if err != nil {
			err = usagef("--%s: %w", f.Name, err)
		}
	})
	return err
}

// checkFile returns an error for a name without an allowed suffix, and for a place where no file can be written.
func checkFile(path string, endings []string) error {
	if err := files.CheckFile(path); err != nil {
		return err
	}
	if len(endings) > 0 && !slices.Contains(endings, strings.ToLower(filepath.Ext(path))) {
		return fmt.Errorf("%s: expected a name ending in %s", path, strings.Join(endings, " or "))
	}
	return nil
}

// checkPage returns an error for a place where no document can be written.
func checkPage(path string) error {
	if page.IsFile(path) {
		return files.CheckFile(path)
	}
	return files.CheckFolder(path)
}
