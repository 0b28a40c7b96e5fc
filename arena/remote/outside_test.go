package remote_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"

	"spar/arena"
	"spar/arena/remote"
	"spar/arena/store/storetest"
	"spar/configs/must"
	"spar/configs/plain"
)

// cluster starts three servers of others that know each other, with JetStream, TLS and a token, and returns where they
// listen and the fingerprint of their certificate.
func cluster(t *testing.T, token string) (addresses []string, pin string) {
	t.Helper()
	folder := t.TempDir()
	cert := must.Get(remote.OwnCertificate(filepath.Join(folder, "t.crt"), filepath.Join(folder, "t.key")))(t)
	const members = 3
	var ports []int
	var routes []*url.URL
	for range members {
		l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
		routes = append(routes, &url.URL{Scheme: "nats", Host: l.Addr().String()})
		if err := l.Close(); err != nil { // it is the server's now
			t.Fatal(err)
		}
	}
	var all []*server.Server
	for i, port := range ports {
		s, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprintf("outside-%d", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true,
			Authorization: token,
			TLSConfig:     &tls.Config{Certificates: []tls.Certificate{*cert}, MinVersion: tls.VersionTLS13}, TLSTimeout: 20,
			JetStream: true, StoreDir: filepath.Join(folder, fmt.Sprint(i)), JetStreamMaxMemory: 128 << 20,
			JetStreamMaxStore: 16 << 20,
			Cluster:           server.ClusterOpts{Name: "others", Host: "127.0.0.1", Port: port}, Routes: routes,
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		all = append(all, s)
	}
	for _, s := range all {
		if !s.ReadyForConnections(20 * time.Second) {
			t.Fatal("a server does not come up")
		}
		addresses = append(addresses, "tls://"+s.Addr().String())
	}
	led := func() bool {
		for _, s := range all {
			if s.JetStreamIsLeader() {
				return true
			}
		}
		return false
	}
	for end := time.Now().Add(30 * time.Second); !led(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the servers choose no leader")
		}
	}
	return addresses, plain.Hash(cert.Certificate[0])
}

// A worker that nobody answers says so, once, and under which prefix.
func TestNobodyAnswers(t *testing.T) {
	t.Parallel()
	s := must.Get(server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true}))(t)
	s.Start()
	defer s.WaitForShutdown()
	defer s.Shutdown()
	if !s.ReadyForConnections(20 * time.Second) {
		t.Fatal("the server does not come up")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var said []string
	o := remote.WorkerOptions{
		Server: "nats://" + s.Addr().String(), Prefix: "foo", Slots: 1, Build: build(), Speed: 1,
		Log: func(text string) {
			said = append(said, text)
			time.AfterFunc(1200*time.Millisecond, cancel) // two greetings more
		},
	}
	if _, err := remote.Work(ctx, o); err != nil {
		t.Error(err)
	}
	if len(said) != 1 || !strings.HasPrefix(said[0], "connected to "+o.Server+", but no coordinator answers under "+
		"the prefix foo") {
		t.Errorf("%q", said)
	}
}

// A cluster of others does what the embedded server does: the coordinator is at one of its servers and the workers at
// the others. A second coordinator with the same subjects is refused, one with subjects of its own is not.
func TestClusterOutside(t *testing.T) {
	t.Parallel()
	token := strings.Repeat("outside!", 5)
	at, pin := cluster(t, token)
	assets := arena.NewAssets()
	o := remote.Options{Assets: assets, Workers: -1, Server: at[0], Token: token, TLS: remote.TLS{Pin: pin}}
	c := coordinator(t, o)
	defer c.Close()
	o.Build, o.Log = build(), nil
	must.Refuse(remote.New(context.Background(), o))(t, "has a coordinator already")
	o.Prefix = "other"
	other := must.Get(remote.New(context.Background(), o))(t)
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	for _, address := range at[1:] {
		defer workers(t, address, 1, remote.WorkerOptions{Token: token, TLS: remote.TLS{Pin: pin}})()
	}
	db, ctx := storetest.New(t), context.Background()
	if sum, err := arena.Run(ctx, ctx, plan(t, swiss), db, arena.Options{Assets: assets, Pool: c}); err != nil ||
		!sum.Finished {
		t.Fatalf("%+v: %v", sum, err)
	}
	if d := cmp.Diff(alone(t, swiss), counted(t, db)); d != "" {
		t.Errorf("other games than those of one process:\n%s", d)
	}
	if _, err := remote.New(ctx, remote.Options{
		Assets: assets, Workers: -1, Server: at[1], Token: token + "x",
		TLS: remote.TLS{Pin: pin}, Build: build(),
	}); err == nil {
		t.Error("who does not know the servers' token is let in")
	}
}
