package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"spar/arena/remote"
	"spar/reports/screen"
)

func workerCommand() *cobra.Command {
	var (
		token   string
		pin     string
		roots   string
		w       remote.WorkerOptions
		engines []string
		memory  int64
		cache   int64 = 4 << 30
	)
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
			if w.Slots > remote.MostSlots {
				return usagef("--workers %d: expected %d at most", w.Slots, remote.MostSlots)
			}
			var err error
			if err = remote.CheckPrefix(w.Prefix); err != nil {
				return usagef("--prefix %w", err)
			}
			if pin != "" {
				if w.TLS.Pin, err = remote.ParsePin(pin); err != nil {
					return usagef("--tls-fingerprint: %w", err)
				}
			}
			if roots != "" {
				if w.TLS.Roots, err = remote.ReadRoots(roots); err != nil {
					return usagef("--tls-ca: %w", err)
				}
			}
			if token != "" {
				if w.Token, err = remote.ReadToken(token, false); err != nil {
					return usagef("--token-file: %w", err)
				}
			}
			if w.Engines, err = engineCommands(engines); err != nil {
				return err
			}
			if w.Cache == "" {
				folder, err := os.UserCacheDir()
				if err != nil {
					return usagef("--cache: %w", err)
				}
				w.Cache = filepath.Join(folder, "spar", "objects")
			}
			w.Server, w.Memory, w.Files = args[0], memory, cache
			w.Log = func(s string) { fmt.Fprintln(c.ErrOrStderr(), s) }
			games, err := remote.Work(allPrograms(c.Context()), w)
			refused := errors.Is(err, remote.ErrOpen) || errors.Is(err, remote.ErrAddress) || errors.Is(err, remote.ErrEntry)
			if !refused || games > 0 {
				note(c, "%s submitted\n", screen.Plural(games, "game"))
			}
			if refused {
				return usageError{err}
			}
			if errors.Is(err, context.Canceled) {
				return nil
			}
			return err
		},
	}
	f := c.Flags()
	workersFlag(c, &w.Slots)
	f.StringVar(&w.Name, "name", "", "name of this machine in the study (default: its host name)")
	f.StringArrayVar(&engines, "engine", nil, "program of an external agent: NAME=COMMAND with arguments "+
		"(repeatable)")
	memoryFlag(c, &memory, "memory for agents (default: all)")
	f.Var((*byteCount)(&cache), "cache-size", "maximum disk space for tables of solved games, with a unit, like 4GB")
	f.StringVar(&w.Cache, "cache", "", "folder for tables of solved games (default: in the user's cache)")
	f.StringVar(&token, "token-file", "", "file with the coordinator's token")
	f.StringVar(&w.Credentials, "credentials", "", "file of NATS credentials, if the server requires them")
	f.StringVar(&pin, "tls-fingerprint", "", "SHA-256 of the certificate that the server must show; the "+
		"coordinator prints it")
	f.StringVar(&roots, "tls-ca", "", "file of root certificates for the server (default: those of the system)")
	f.StringVar(&w.Prefix, "prefix", "spar", "first word of the NATS subjects, if several coordinators "+
		"share a server")
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
