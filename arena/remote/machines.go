package remote

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"path/filepath"
	"strings"

	"spar/agents/pace"
	"spar/configs/files"
	"spar/configs/strict"
)

// Machines is the file of --machines. It describes how other machines join a run and what they need. The games do
// not depend on it.
type Machines struct {
	// Play no games in this process, only on other machines.
	CoordinateOnly bool `yaml:"coordinate_only"`
	// File with the token that workers show. Spar creates the file if it is missing. Default: out/machines.token; no
	// token if only this machine can connect.
	TokenFile string `yaml:"token_file"`
	// File of NATS credentials, if an existing NATS server requires them.
	Credentials string `yaml:"credentials"`
	// Certificate of the coordinator. Default: Spar makes one next to the token.
	TLSCert string `yaml:"tls_cert"`
	// Key of tls_cert.
	TLSKey string `yaml:"tls_key"`
	// SHA-256 of the certificate that an existing NATS server must show.
	TLSFingerprint string `yaml:"tls_fingerprint"`
	// File of root certificates for an existing NATS server. Default: those of the system.
	TLSCA string `yaml:"tls_ca"`
	// First word of the NATS subjects. Coordinators that share a server need different ones. Default: spar.
	Prefix string `yaml:"prefix"`
	// Fraction of each worker's pairs that another worker replays as a check. 0 = none. Default: 0.01.
	Check float64 `yaml:"check" jsonschema:"minimum=0,maximum=1"`
	// Seconds that a worker may think about one move before another worker gets the game. Default: 60.
	Patience float64 `yaml:"patience" jsonschema:"minimum=1,maximum=1000000"`
	// Give games with time limits to machines of other speeds, and scale the limits by measured speed.
	ScaleTime bool `yaml:"scale_time"`
}

// defaultToken is the name of the token file in the current folder, for a coordinator that other machines can
// reach.
const defaultToken = "out/machines.token"

// LoadMachines reads the file of --machines; without a path it returns the defaults. Paths in the file are relative
// to its folder.
func LoadMachines(path string) (Machines, error) {
	m := Machines{Prefix: defaultPrefix, Check: defaultCheck, Patience: defaultPatience.Seconds()}
	if path == "" {
		return m, nil
	}
	data, err := files.ReadText(path, strict.SmallBytes)
	if err != nil {
		return m, strict.Bad(err)
	}
	doc, err := strict.Parse(path, data)
	if err != nil {
		return m, err
	}
	_ = doc.Decode(&m) // its mistakes come back with those below, from Err
	if err := CheckPrefix(m.Prefix); err != nil {
		doc.Errorf("prefix", "prefix: %v", err)
	}
	if (m.TLSCert == "") != (m.TLSKey == "") {
		doc.Errorf("tls_cert", "tls_cert and tls_key: give both or neither")
	}
	for _, name := range []*string{&m.TokenFile, &m.Credentials, &m.TLSCert, &m.TLSKey, &m.TLSCA} {
		if *name != "" && !filepath.IsAbs(*name) {
			*name = filepath.Join(filepath.Dir(path), *name)
		}
	}
	return m, doc.Err()
}

// CheckPrefix returns an error for a prefix that is not one word of a NATS subject.
func CheckPrefix(prefix string) error {
	if prefix == "" || strings.ContainsAny(prefix, " .*>\t\r\n") {
		return fmt.Errorf("%q: expected one word", prefix)
	}
	return nil
}

// Options returns the options of a coordinator. The address is one to listen on, like :4222, or the URL of an
// existing NATS server. With create, it makes a missing token or certificate; otherwise it writes nothing.
func (m *Machines) Options(address string, create bool) (Options, error) {
	o := Options{
		Prefix: m.Prefix, Credentials: m.Credentials, Check: m.Check,
		Patience: pace.Seconds(m.Patience), Scale: m.ScaleTime,
	}
	if m.Check == 0 {
		o.Check = -1
	}
	if m.CoordinateOnly {
		o.Workers = -1
	}
	open := false // other machines can reach a server of our own
	if strings.Contains(address, "://") {
		o.Server = address
	} else {
		o.Listen = address
		host, _, err := net.SplitHostPort(address)
		open = err == nil && !Loopback(host)
	}
	if open && m.TokenFile == "" {
		m.TokenFile = defaultToken
	}
	var err error
	if m.TLSFingerprint != "" {
		if o.TLS.Pin, err = ParsePin(m.TLSFingerprint); err != nil {
			return o, fmt.Errorf("tls_fingerprint: %w", err)
		}
	}
	if m.TLSCA != "" {
		if o.TLS.Roots, err = ReadRoots(m.TLSCA); err != nil {
			return o, fmt.Errorf("tls_ca: %w", err)
		}
	}
	if m.TokenFile != "" {
		o.Token, err = ReadToken(m.TokenFile, create && o.Listen != "")
		if !create && o.Listen != "" && errors.Is(err, fs.ErrNotExist) {
			err = files.CheckFile(m.TokenFile)
		}
		if err != nil {
			return o, fmt.Errorf("token_file: %w", err)
		}
	}
	switch {
	case m.TLSCert != "":
		pair, err := tls.LoadX509KeyPair(m.TLSCert, m.TLSKey)
		if err != nil {
			return o, fmt.Errorf("tls_cert: %w", err)
		}
		o.TLS.Certificate = &pair
	case open && create: // only this machine reaches another address: it needs no certificate
		o.TLS.Certificate, err = OwnCertificate(m.TokenFile+".crt", m.TokenFile+".key")
	}
	return o, err
}

// Join returns the command that starts a worker. Fingerprint is the fingerprint of the coordinator's own
// certificate; empty if it has none.
func (m *Machines) Join(address, fingerprint string) string {
	if fingerprint == "" {
		fingerprint = m.TLSFingerprint
	}
	prefix := m.Prefix
	if prefix == defaultPrefix {
		prefix = ""
	}
	line := "spar worker " + address
	for _, f := range []struct{ name, value string }{
		{"token-file", m.TokenFile},
		{"credentials", m.Credentials},
		{"tls-ca", m.TLSCA},
		{"tls-fingerprint", fingerprint},
		{"prefix", prefix},
	} {
		if f.value != "" {
			line += " --" + f.name + " " + f.value
		}
	}
	return line
}
