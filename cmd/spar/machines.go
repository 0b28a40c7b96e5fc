package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"spar/arena"
	"spar/arena/live"
	"spar/arena/remote"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/files"
	"spar/reports/screen"
)

// defaultPrefix is the first word of the subjects.
const defaultPrefix = "spar"

// wireFlags are the flags of both ends of the wire.
type wireFlags struct {
	tokenFile, credentials, pin, roots, prefix string
}

func (o *wireFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&o.tokenFile, "token-file", "", "file with the token that workers show")
	c.Flags().StringVar(&o.credentials, "credentials", "", "file of NATS credentials, for a server that asks for them")
	c.Flags().StringVar(&o.pin, "tls-fingerprint", "", "SHA-256 of the certificate that the server must show, as the coordinator prints it")
	c.Flags().StringVar(&o.roots, "tls-ca", "", "file of certificates that may sign the server's, in place of the system's")
	c.Flags().StringVar(&o.prefix, "prefix", defaultPrefix, "first word of the subjects, where several coordinators share a server")
}

// security reads what the flags name.
func (o *wireFlags) security() (t remote.TLS, err error) {
	if o.prefix == "" || strings.ContainsAny(o.prefix, " .*>\t\r\n") {
		return t, usagef("--prefix %q: expected one word", o.prefix)
	}
	if o.pin != "" {
		if t.Pin, err = remote.ParsePin(o.pin); err != nil {
			return t, usagef("--tls-fingerprint: %w", err)
		}
	}
	if o.roots != "" {
		data, err := os.ReadFile(o.roots)
		if err != nil {
			return t, usagef("--tls-ca: %w", err)
		}
		if t.Roots = x509.NewCertPool(); !t.Roots.AppendCertsFromPEM(data) {
			return t, usagef("--tls-ca %s: no certificate in it", o.roots)
		}
	}
	return t, nil
}

// machineFlags let other machines play.
type machineFlags struct {
	wireFlags
	address  string
	only     bool
	server   string
	cert     string
	key      string
	check    float64
	patience time.Duration
	scale    bool
	lost     []string // workers, once the pool is closed
}

func (o *machineFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&o.address, "coordinate", "", "let other machines play, which run \"spar worker\": the address to listen at, like :4222 or 127.0.0.1:4222")
	c.Flags().BoolVar(&o.only, "coordinate-only", false, "leave the playing to other machines")
	c.Flags().StringVar(&o.server, "nats", "", "let other machines play through this NATS server, like tls://cluster:4222, in place of one of our own")
	c.Flags().StringVar(&o.cert, "tls-cert", "", "certificate of the server; with --coordinate and neither this nor --tls-key one is made beside the token")
	c.Flags().StringVar(&o.key, "tls-key", "", "its key")
	c.Flags().Float64Var(&o.check, "check", 0.01, "share of pairs of another machine that a third one plays again; 0 = none")
	c.Flags().DurationVar(&o.patience, "patience", time.Minute, "how long another machine may think about one move before the game is given to others")
	c.Flags().BoolVar(&o.scale, "scale-time", false, "let machines of other speeds play on budgets of time, scaled by their measured speed")
	o.wireFlags.flags(c)
	apart(c, "coordinate", "nats")
	needs(c, []string{"coordinate-only", "token-file", "credentials", "tls-fingerprint", "tls-ca", "prefix", "tls-cert", "tls-key", "check", "patience", "scale-time"}, "coordinate", "nats")
	needs(c, []string{"tls-cert"}, "tls-key")
	needs(c, []string{"tls-key"}, "tls-cert")
	beforehand(c, o.refuse) // before a study is made
}

// on tells whether other machines are to play.
func (o *machineFlags) on() bool { return o.address != "" || o.server != "" }

// refuse refuses flags with which no machine could join, or any could.
func (o *machineFlags) refuse(*cobra.Command) error {
	if !(o.check >= 0 && o.check <= 1) {
		return usagef("--check %v: expected a share, from 0 to 1", o.check)
	}
	if o.patience < time.Second {
		return usagef("--patience %v: expected a second at least", o.patience)
	}
	if !o.on() {
		return nil
	}
	if host, _, err := net.SplitHostPort(o.address); err == nil && o.tokenFile == "" && !remote.Loopback(host) {
		return usagef("--coordinate %s: other machines can reach it: it needs --token-file FILE, which is made when it is missing (or --coordinate 127.0.0.1:4222, for this machine alone)", o.address)
	}
	options, err := o.entry(false)
	if err != nil {
		return err
	}
	if o.server != "" {
		return o.usage(remote.Reach(options))
	}
	return o.usage(remote.Listenable(o.address))
}

// usage names the flag with which other machines cannot play.
func (o *machineFlags) usage(err error) error {
	switch {
	case err == nil:
		return nil
	case o.server != "":
		return usagef("--nats %w", err)
	}
	return usagef("--coordinate %w", err)
}

// entry is what the flags say of how to enter. A token, or a certificate, that is missing may be made.
func (o *machineFlags) entry(may bool) (remote.Options, error) {
	r := remote.Options{Listen: o.address, Server: o.server, Prefix: o.prefix, Credentials: o.credentials}
	var err error
	if r.TLS, err = o.security(); err != nil {
		return r, err
	}
	if o.tokenFile != "" {
		r.Token, err = remote.ReadToken(o.tokenFile, may && o.address != "")
		if !may && o.address != "" && errors.Is(err, fs.ErrNotExist) {
			err = files.CheckFile(o.tokenFile)
		}
		if err != nil {
			return r, usagef("--token-file: %w", err)
		}
	}
	switch host, _, err := net.SplitHostPort(o.address); {
	case o.cert != "":
		pair, err := tls.LoadX509KeyPair(o.cert, o.key)
		if err != nil {
			return r, usagef("--tls-cert: %w", err)
		}
		r.TLS.Certificate = &pair
	case may && err == nil && !remote.Loopback(host): // one that only this machine reaches needs none
		if r.TLS.Certificate, err = remote.OwnCertificate(o.tokenFile+".crt", o.tokenFile+".key"); err != nil {
			return r, err
		}
	}
	return r, nil
}

// open begins to listen, with the study's lock. Without the flags there is no pool: this process plays. Closing ends it.
func (o *machineFlags) open(c *cobra.Command, db *store.DB, workers int, feed *live.Feed) (kit *arena.Kit, pool arena.Pool, closing func() error, err error) {
	closing = func() error { return nil }
	if !o.on() {
		return nil, nil, closing, nil
	}
	unlock, err := db.Lock() // whoever joins a run that may not write would be sent away
	if err != nil {
		return nil, nil, closing, err
	}
	defer func() {
		if err != nil {
			unlock()
		}
	}()
	ctx := context.WithoutCancel(c.Context())
	options, err := o.entry(true)
	if err != nil {
		return nil, nil, closing, err
	}
	options.Workers, options.Feed, options.Patience, options.Scale, options.Check = workers, feed, o.patience, o.scale, o.check
	options.Log = func(s string) { fmt.Fprintln(c.ErrOrStderr(), s) }
	options.Record = func(ws []study.Worker) error { return db.RecordWorkers(ctx, ws) }
	if o.check == 0 {
		options.Check = -1
	}
	if o.only {
		options.Workers = -1
	}
	if options.Known, err = db.Workers(ctx); err != nil {
		return nil, nil, closing, err
	}
	kit = arena.NewKit()
	options.Kit = kit
	coordinator, err := remote.New(ctx, options)
	if err != nil {
		kit.Close()
		return nil, nil, closing, o.usage(err)
	}
	fmt.Fprintf(c.ErrOrStderr(), "other machines join with: %s\n", o.join(coordinator.Address(), coordinator.Fingerprint()))
	return kit, coordinator, func() error {
		if o.lost = coordinator.Lost(); len(o.lost) > 0 {
			fmt.Fprintf(c.ErrOrStderr(), "warning: lost %s: %s\n", screen.Plural(int64(len(o.lost)), "worker"), strings.Join(o.lost, ", "))
		}
		err := coordinator.Close()
		kit.Close()
		unlock()
		return err
	}, nil
}

// join is the command of a worker: what this end was given to enter, and the fingerprint of the certificate of a server of our own.
func (o *machineFlags) join(address, fingerprint string) string {
	fingerprint = cmp.Or(fingerprint, o.pin)
	prefix := o.prefix
	if prefix == defaultPrefix {
		prefix = ""
	}
	line := "spar worker " + address
	for _, f := range []struct{ name, value string }{
		{"token-file", o.tokenFile}, {"credentials", o.credentials}, {"tls-ca", o.roots}, {"tls-fingerprint", fingerprint}, {"prefix", prefix},
	} {
		if f.value != "" {
			line += " --" + f.name + " " + f.value
		}
	}
	return line
}
