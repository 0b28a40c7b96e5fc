package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"spar/configs/strict"
	"spar/reports/serve"
)

func serveCommand() *cobra.Command {
	var o serve.Options
	at := struct {
		Listen address `flag:"listen" help:"address and port; port 0 = any free port"`
	}{serve.DefaultListen}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve web pages: play, watch studies, review games, change rules",
		Long: `Serves pages to a browser on this machine: play any game against an agent or a person, watch studies
grow, review games, change the knobs of rules. It shows the studies named with --db, or all in out/.

Games played by people are stored in out/people.db, by one server at a time, and do not count for standings. The pages
load nothing from other sites. Only browsers with the token in the printed address get an answer, even if --listen names an
address that other computers can reach. Spar keeps the token in out/serve.token, so links work after a restart. Ctrl-C
ends the server.`,
		Example: `  spar serve
  spar serve --db out/quickstart.db --rules my.yaml --listen 127.0.0.1:8080`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			o.Log, o.Listen = c.ErrOrStderr(), string(at.Listen)
			l, err := serve.Listen(o.Listen)
			if err != nil {
				return err
			}
			defer l.Close() // Serve has closed it already
			s, err := serve.New(c.Context(), o)
			if err != nil {
				return strict.Bad(err)
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
	declare(c, &at, &o)
	return c
}
