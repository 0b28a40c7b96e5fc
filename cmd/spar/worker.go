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
		o       wireFlags
		w       remote.WorkerOptions
		engines []string
		memory  int64
		cache   int64 = 4 << 30
	)
	c := &cobra.Command{
		Use:   "worker URL",
		Short: "Play games for a run on another machine",
		Long: `Plays games for a coordinator: a run that was started with --coordinate or --nats on another machine, which prints the line to
type here. Any number of workers may come and go at any time; the games are the same. Rules and agents come from the coordinator,
programs do not: an agent of type ugi is played only by workers that name its program with --engine.

A worker must be the same build as the coordinator. One that loses its coordinator waits for it. Ctrl-C gives back what has not begun
and finishes what is in play, if that takes no more than a few seconds.`,
		Example: `  spar worker nats://127.0.0.1:4222
  spar worker tls://host:4222 --token-file token --tls-fingerprint 4f1c... --workers 8
  spar worker tls://host:4222 --token-file token --tls-fingerprint 4f1c... --engine "stock=/opt/stock/engine --quiet"`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if w.Slots > remote.MostSlots {
				return usagef("--workers %d: expected %d at most", w.Slots, remote.MostSlots)
			}
			var err error
			if w.TLS, err = o.security(); err != nil {
				return err
			}
			if o.tokenFile != "" {
				if w.Token, err = remote.ReadToken(o.tokenFile, false); err != nil {
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
			w.Server, w.Prefix, w.Credentials, w.Memory, w.Files = args[0], o.prefix, o.credentials, memory, cache
			w.Log = func(s string) { fmt.Fprintln(c.ErrOrStderr(), s) }
			games, err := remote.Work(allPrograms(c.Context()), w)
			refused := errors.Is(err, remote.ErrOpen) || errors.Is(err, remote.ErrAddress) || errors.Is(err, remote.ErrEntry)
			if !refused || games > 0 {
				fmt.Fprintf(c.ErrOrStderr(), "%s handed in\n", screen.Plural(games, "game"))
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
	c.Flags().IntVar(&w.Slots, "workers", 0, "games at a time; 0 = one a core")
	c.Flags().StringVar(&w.Name, "name", "", "name of this machine in the study; its host name when left out")
	c.Flags().StringArrayVar(&engines, "engine", nil, "program that plays the agent of this name, like NAME=COMMAND with arguments (repeatable)")
	memoryFlag(c, &memory, "memory for agents; all there is when left out")
	c.Flags().Var((*byteCount)(&cache), "cache-size", "most that tables of solved games may take on disk, with a unit, like 4GB")
	c.Flags().StringVar(&w.Cache, "cache", "", "folder for tables of solved games; one of the user's when left out")
	o.flags(c)
	return c
}

// engineCommands reads what was given as NAME=COMMAND.
func engineCommands(texts []string) (map[string]remote.Command, error) {
	out := map[string]remote.Command{}
	for _, text := range texts {
		name, command, ok := strings.Cut(text, "=")
		words := strings.Fields(command)
		if !ok || name == "" || len(words) == 0 {
			return nil, usagef("--engine %s: expected NAME=COMMAND", text)
		}
		if _, twice := out[name]; twice {
			return nil, usagef("--engine %s: %s stands twice", text, name)
		}
		out[name] = remote.Command{Path: words[0], Args: words[1:]}
	}
	return out, nil
}
