package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"spar/arena"
	"spar/arena/live"
	"spar/arena/remote"
	"spar/arena/store"
	"spar/arena/study"
	"spar/reports/screen"
)

// machineFlags are the flags for games on other machines.
type machineFlags struct {
	Address string `flag:"coordinate" help:"let other machines play: the address to listen on, like :4222, or the URL of a NATS server"`
	File    string `flag:"machines" needs:"coordinate" help:"YAML file with the token, certificates and limits of other machines (spar help yaml machines)"`

	machines remote.Machines
	lost     []string // names of the workers that were lost; set when the pool is closed
}

func (o *machineFlags) attach(c *cobra.Command) { beforehand(c, o.refuse) } // before a study is made

// on reports whether other machines may play.
func (o *machineFlags) on() bool { return o.Address != "" }

// refuse returns an error for flags with which no machine could join.
func (o *machineFlags) refuse(*cobra.Command) (err error) {
	if o.machines, err = remote.LoadMachines(o.File); err != nil {
		return err
	}
	if !o.on() {
		return nil
	}
	options, err := o.machines.Options(o.Address, false)
	switch {
	case err != nil:
		return usagef("--machines %s: %w", o.File, err)
	case options.Server != "":
		return o.usage(remote.Reach(options))
	}
	return o.usage(remote.Listenable(o.Address))
}

// usage makes an error of a pool a usage error that names the flag for other machines.
func (o *machineFlags) usage(err error) error {
	if err != nil {
		return usagef("--coordinate %w", err)
	}
	return nil
}

// open starts to listen for other machines and locks the study. Without the flags there is no pool: this process
// plays. The caller must close the result.
func (o *machineFlags) open(c *cobra.Command, db *store.DB, workers int, feed *live.Feed) (assets *arena.Assets,
	pool arena.Pool, closing func() error, err error,
) {
	closing = func() error { return nil }
	if !o.on() {
		return nil, nil, closing, nil
	}
	unlock, err := db.Lock() // a run that may not write would send away every worker
	if err != nil {
		return nil, nil, closing, err
	}
	defer func() {
		if err != nil {
			unlock()
		}
	}()
	ctx := calm(c)
	options, err := o.machines.Options(o.Address, true)
	if err != nil {
		return nil, nil, closing, usagef("--machines %s: %w", o.File, err)
	}
	if !o.machines.CoordinateOnly {
		options.Workers = workers
	}
	options.Feed = feed
	options.Log = func(s string) { fmt.Fprintln(c.ErrOrStderr(), s) }
	options.Record = func(ws []study.Worker) error { return db.RecordWorkers(ctx, ws) }
	if options.Known, err = db.Workers(ctx); err != nil {
		return nil, nil, closing, err
	}
	assets = arena.NewAssets()
	options.Assets = assets
	coordinator, err := remote.New(ctx, options)
	if err != nil {
		return nil, nil, closing, o.usage(err)
	}
	note(c, "other machines join with: %s\n", o.machines.Join(coordinator.Address(), coordinator.Fingerprint()))
	return assets, coordinator, func() error {
		if o.lost = coordinator.Lost(); len(o.lost) > 0 {
			note(c, "warning: lost %s: %s\n", screen.Plural(len(o.lost), "worker"), strings.Join(o.lost, ", "))
		}
		err := coordinator.Close()
		unlock()
		return err
	}, nil
}
