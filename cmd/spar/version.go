package main

import (
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents/ugi"
	"spar/arena/store"
	"spar/arena/study"
)

func versionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version of Spar and the commit of its sources",
		Long: `Prints the version, the commit that it was built from (with +changes if files had been changed), and the
version of Go.

Programs from "go run", and builds with -buildvcs=false, contain no commit: a hash of the program identifies them.`,
		Example: "  spar version",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			b := study.ThisBuild()
			if wantsJSON(c) {
				return sayJSON(c, "build", programBuild{
					b.Version, b.Commit, b.Stamped(), runtime.Version(),
					runtime.GOOS, runtime.GOARCH, b.CPU, store.DriverModule, lacks(),
				})
			}
			commit := "commit " + b.Commit
			if strings.HasPrefix(b.Commit, "program ") {
				commit = b.Commit + "\nno commit recorded: go build in a clone records it"
			}
			err := say(c, "spar %s, %s\n%s, %s/%s, SQLite by %s\n", b.Version, commit, runtime.Version(),
				runtime.GOOS, runtime.GOARCH, store.DriverModule)
			for _, part := range lacks() {
				err = say(c, "This build lacks %s.\n", part)
			}
			return err
		},
	}
	printsJSON(c, "build", programBuild{})
	return c
}

// lacks lists the features that this build does not have.
func lacks() []string {
	var out []string
	if !ugi.Supported {
		out = append(out, "external engines")
	}
	return out
}

// programBuild is the output of kind build.
type programBuild struct {
	Release string `json:"release" help:"version of the program"`
	Commit  string `json:"commit" help:"its commit, with +changes if there were uncommitted changes; \"program HASH\" without a stamp"`
	Stamped bool   `json:"stamped" help:"the commit identifies the program exactly"`
	Go      string `json:"go" help:"version of Go"`
	OS      string `json:"os" help:"operating system"`
	Arch    string `json:"arch" help:"processor family"`
	CPU     string `json:"cpu" help:"processor"`
	SQLite  string `json:"sqlite" help:"module of the SQLite driver: modernc.org/sqlite in builds without cgo"`

	Lacks []string `json:"lacks,omitempty" help:"parts that this build lacks"`
}
