package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"spar/arena/study"
)

func versionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version and the commit that it was built from",
		Long: `Prints the version, the commit that was stamped in when the program was built (with +changes where
files had been changed), and the version of Go.

Programs from "go run", and builds with -buildvcs=false, have no stamp: a hash of the program identifies them.`,
		Example: "  spar version",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			b := study.ThisBuild()
			if asJSON {
				return printJSON(c.OutOrStdout(), "build", map[string]any{
					"release": b.Version, "commit": b.Commit, "stamped": b.Stamped(), "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH, "cpu": b.CPU,
				})
			}
			commit := "commit " + b.Commit
			if strings.HasPrefix(b.Commit, "program ") {
				commit = b.Commit + ", no commit stamped in: go build in a clone does it"
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "spar %s (%s; %s, %s/%s)\n", b.Version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
	jsonFlag(c, &asJSON)
	return c
}
