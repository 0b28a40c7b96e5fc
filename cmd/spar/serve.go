package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"spar/reports/serve"
)

func serveCommand() *cobra.Command {
	o := serve.Options{Listen: serve.DefaultListen}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve web pages: play, watch studies, review games, change rules",
		Long: `Serves pages to a browser on this machine: play any game against an agent or a person, watch studies
grow, review games, change the knobs of rules. It shows the studies named by --db, or all in out/.

Games of people are stored in out/people.db, by one server at a time, and do not count for standings. The pages load
nothing from other sites.
Only browsers with the token in the printed address get an answer, also if --listen names an address that other
computers can reach. Spar keeps the token in out/serve.token, so links work after a restart. Ctrl-C ends it.`,
		Example: `  spar serve
  spar serve --db out/quickstart.db --rules my.yaml --listen 127.0.0.1:8080`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			o.Log = c.ErrOrStderr()
			l, err := serve.Listen(o.Listen)
			if err != nil {
				return usageError{err}
			}
			defer l.Close() // Serve has closed it already
			s, err := serve.New(c.Context(), o)
			if err != nil {
				return usageError{err}
			}
			defer func() { err = errors.Join(err, s.Close()) }()
			addresses, err := s.Addresses(l.Addr())
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintln(c.OutOrStdout(), strings.Join(addresses, "\n")); err != nil {
				return err
			}
			return s.Serve(c.Context(), l)
		},
	}
	addressFlag(c, &o.Listen, "listen", "address and port; port 0 = any free port")
	f := c.Flags()
	f.StringArrayVar(&o.Studies, "db", nil, "a study to show, instead of all in the folder (repeatable)")
	f.StringVar(&o.Folder, "folder", "out", "folder of the studies and of the games of people")
	f.StringArrayVarP(&o.Rules, "rules", "r", nil, "add a rules file to the shipped games, for play and for "+
		"sweeps and tunings that name it (repeatable)")
	completes(c, "rules", gameNames)
	f.StringArrayVarP(&o.Agents, "agent", "a", nil, "add an agent's file to the shipped agents, for play and "+
		"for tunings that name it (repeatable)")
	completes(c, "agent", agentNames)
	f.StringArrayVar(&o.Hosts, "allow-host", nil, "another host name that the server answers to (repeatable)")
	f.IntVar(&o.Searches, "searches", 0, "maximum number of searches at a time; 0 = one per core")
	f.DurationVar(&o.MoveTime, "move-time", 20*time.Second, "most time for an agent's move")
	return c
}
