package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents/ugi"
	"spar/arena/remote"
	"spar/configs/strict"
	"spar/reports/screen"
)

func workerCommand() *cobra.Command {
	var w remote.WorkerOptions
	var o struct {
		Engines []string  `flag:"engine" help:"program of an external agent: NAME=COMMAND with arguments (repeatable)"`
		Memory  byteCount `flag:"memory" help:"memory for agents (default: all), with a unit, like 4GB"`
		Token   string    `flag:"token-file" help:"file with the coordinator's token"`
		Pin     string    `flag:"tls-fingerprint" help:"SHA-256 of the certificate that the server must show; the coordinator prints it"`
		Roots   string    `flag:"tls-ca" help:"file of root certificates for the server (default: those of the system)"`
	}
	c := &cobra.Command{
		Use:   "worker URL",
		Short: "Play games for a run on another machine",
		Long: `Plays games for a coordinator: a run with --coordinate on another machine, which prints the command
to type here. Workers may come and go at any time; they do not change the games.

The coordinator sends rules and agents, but no programs: a worker plays an agent of type ugi only if --engine names
its program. A worker must be the same build as the coordinator. If it loses the coordinator, it waits. Ctrl-C
returns the games that have not started, and finishes those in play if that takes only a few seconds.`,
		Example: `  spar worker nats://127.0.0.1:4222
  spar worker tls://host:4222 --token-file token --tls-fingerprint 4f1c... --workers 8
  spar worker tls://host:4222 --token-file token --tls-fingerprint 4f1c... --engine "stock=/opt/stock/engine --quiet"`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if err = remote.CheckPrefix(w.Prefix); err != nil {
				return usagef("--prefix %w", err)
			}
			if o.Pin != "" {
				if w.TLS.Pin, err = remote.ParsePin(o.Pin); err != nil {
					return usagef("--tls-fingerprint: %w", err)
				}
			}
			if o.Roots != "" {
				if w.TLS.Roots, err = remote.ReadRoots(o.Roots); err != nil {
					return usagef("--tls-ca: %w", err)
				}
			}
			if o.Token != "" {
				if w.Token, err = remote.ReadToken(o.Token, false); err != nil {
					return usagef("--token-file: %w", err)
				}
			}
			if w.Engines, err = engineCommands(o.Engines); err != nil {
				return err
			}
			w.Server, w.Memory = args[0], int64(o.Memory)
			w.Log = func(s string) { fmt.Fprintln(c.ErrOrStderr(), s) }
			h := ugi.HostOf(c.Context())
			h.Allow = nil // all programs that this command line names
			games, err := remote.Work(ugi.WithHost(c.Context(), h), w)
			if !strict.IsBadInput(err) || games > 0 {
				note(c, "%s submitted\n", screen.Plural(games, "game"))
			}
			if errors.Is(err, context.Canceled) {
				return nil
			}
			return err
		},
	}
	declare(c, &w, &o)
	return c
}

// engineCommands parses values of the form NAME=COMMAND.
func engineCommands(texts []string) (map[string]remote.Command, error) {
	out := map[string]remote.Command{}
	for _, text := range texts {
		name, command, ok := strings.Cut(text, "=")
		words := strings.Fields(command)
		if !ok || name == "" || len(words) == 0 {
			return nil, usagef("--engine %s: expected NAME=COMMAND", text)
		}
		if _, twice := out[name]; twice {
			return nil, usagef("--engine %s: %s is a duplicate", text, name)
		}
		out[name] = remote.Command{Path: words[0], Args: words[1:]}
	}
	return out, nil
}
