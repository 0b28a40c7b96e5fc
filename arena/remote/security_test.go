package remote_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"spar/arena"
	"spar/arena/remote"
	"spar/arena/store/storetest"
	"spar/configs/must"
)

// identity is a worker's secret with the name that belongs to it.
func identity(name string) (id, secret string) {
	secret = "secret of " + name
	sum := sha256.Sum256([]byte(secret))
	return name + "-" + hex.EncodeToString(sum[:6]), secret
}

func dial(t *testing.T, c *remote.Coordinator, id, secret string, more ...nats.Option) (*nats.Conn, error) {
	t.Helper()
	nc, err := nats.Connect(c.Address(), append([]nats.Option{
		nats.UserInfo(id, secret),
		nats.CustomInboxPrefix("_INBOX." + id), nats.NoReconnect(), nats.Timeout(5 * time.Second),
	}, more...)...)
	if err == nil {
		t.Cleanup(nc.Close)
	}
	return nc, err
}

// Whoever does not know the token, or takes another's name, is not let in; an address that others reach needs a token
// and TLS.
func TestWhoMayEnter(t *testing.T) {
	t.Parallel()
	token := strings.Repeat("0123456789", 4)
	c := coordinator(t, remote.Options{Workers: -1, Token: token})
	defer c.Close()
	id, secret := identity("good")
	for _, x := range []struct {
		name, id, secret, token string
		in                      bool
	}{
		{"as it should be", id, secret, token, true},
		{"without a token", id, secret, "", false},
		{"with another token", id, secret, strings.ToUpper("x" + token[1:]), false},
		{"with another's name", id, "another secret", token, false},
		{"as the coordinator", "coordinator", secret, token, false},
		{"with a name that is a pattern", "*", secret, token, false},
	} {
		nc, err := dial(t, c, x.id, x.secret, nats.Token(x.token))
		if (err == nil) != x.in {
			t.Errorf("%s: %v", x.name, err)
		}
		if err == nil {
			nc.Close()
		}
	}
	for _, o := range []remote.Options{
		{Listen: ":0"},
		{Listen: "0.0.0.0:0", Token: token},
		{Listen: "0.0.0.0:0", Token: "short", TLS: remote.TLS{}},
	} {
		o.Assets, o.Workers, o.Build = arena.NewAssets(), -1, build()
		if _, err := remote.New(context.Background(), o); !errors.Is(err, remote.ErrOpen) {
			t.Errorf("%+v: %v, want ErrOpen", o.Listen, err)
		}
	}
	for _, server := range []string{"nats://example.invalid:4222", "http://localhost", "localhost:4222"} {
		if _, err := remote.Work(context.Background(), remote.WorkerOptions{
			Server: server, Build: build(),
			Speed: 1,
		}); !errors.Is(err, remote.ErrOpen) && !errors.Is(err, remote.ErrAddress) {
			t.Errorf("%s: %v", server, err)
		}
	}
}

// A server of our own leaves nothing behind, also where it does not come up; one of others needs no folder.
func TestNoFolderIsLeft(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	c := coordinator(t, remote.Options{Workers: -1})
	if found, err := os.ReadDir(temp); err != nil || len(found) != 1 {
		t.Errorf("while it listens: %v, %v", found, err)
	}
	for _, o := range []remote.Options{
		{Listen: strings.TrimPrefix(c.Address(), "nats://")},
		{Server: c.Address()},
		{Server: "nats://127.0.0.1:1"},
		{Listen: "127.0.0.1:0", Prefix: "a prefix"}, // which no stream can have
	} {
		o.Assets, o.Workers, o.Build, o.Speed = arena.NewAssets(), -1, build(), 1
		if _, err := remote.New(context.Background(), o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if found, err := os.ReadDir(temp); err != nil || len(found) > 0 {
		t.Errorf("%v are left, %v", found, err)
	}
}

// A worker pins the certificate that the coordinator has made for itself; one that sees another certificate, or none,
// stays away.
func TestPinnedCertificate(t *testing.T) {
	t.Parallel()
	folder, token := t.TempDir(), strings.Repeat("abcdefgh", 5)
	cert := must.Get(remote.OwnCertificate(filepath.Join(folder, "t.crt"), filepath.Join(folder, "t.key")))(t)
	// It holds for machines whose clocks are behind ours, and for years.
	if at := time.Now(); at.Add(-50*time.Minute).Before(cert.Leaf.NotBefore) ||
		at.AddDate(9, 11, 0).After(cert.Leaf.NotAfter) {
		t.Errorf("the certificate holds from %v to %v", cert.Leaf.NotBefore, cert.Leaf.NotAfter)
	}
	assets := arena.NewAssets()
	c := coordinator(t, remote.Options{
		Assets: assets, Workers: -1, Listen: "0.0.0.0:0", Token: token,
		TLS: remote.TLS{Certificate: cert},
	})
	defer c.Close()
	address := "tls://127.0.0.1:" + c.Address()[strings.LastIndexByte(c.Address(), ':')+1:]
	for _, wrong := range []remote.TLS{{}, {Pin: strings.Repeat("0", 64)}} {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		_, err := remote.Work(ctx, remote.WorkerOptions{Server: address, Token: token, TLS: wrong, Build: build(), Speed: 1})
		cancel()
		if !errors.Is(err, remote.ErrEntry) || !strings.Contains(err.Error(), "--tls-fingerprint") {
			t.Errorf("%+v: %v, want a certificate that is not trusted", wrong, err)
		}
	}
	pin := must.Get(remote.ParsePin("sha256:" + strings.ToUpper(c.Fingerprint())))(t)
	leave := workers(t, address, 1, remote.WorkerOptions{Token: token, TLS: remote.TLS{Pin: pin}})
	defer leave()
	db, ctx := storetest.New(t), context.Background()
	if sum, err := arena.Run(ctx, ctx, plan(t, swiss), db, arena.Options{Assets: assets, Pool: c}); err != nil ||
		!sum.Finished {
		t.Fatalf("%+v: %v", sum, err)
	}
}

// A worker can publish nothing but what is its own, can hear nobody else, and cannot touch the streams.
func TestPermissions(t *testing.T) {
	t.Parallel()
	c := coordinator(t, remote.Options{Workers: -1})
	defer c.Close()
	id, secret := identity("curious")
	other, _ := identity("other")
	denied := make(chan error, 100)
	nc := must.Get(dial(t, c, id, secret, nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription,
		err error,
	) {
		denied <- err
	})))(t)
	refused := func(what string) {
		t.Helper()
		_ = nc.Flush()
		select {
		case err := <-denied:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(5 * time.Second):
			t.Errorf("%s: nobody minds", what)
		}
	}
	for _, subject := range []string{
		"spar.result." + other, "spar.hello." + other, "spar.bye." + other, "spar.ticket.x",
		"$JS.API.STREAM.DELETE.SPAR-HINTS", "$JS.API.STREAM.INFO.SPAR-HINTS",
		"$JS.API.STREAM.CREATE.MINE", "$JS.API.CONSUMER.CREATE.SPAR-HINTS", "$JS.ACK.SPAR-HINTS.c.1.1.1.1.1",
		"_INBOX.coordinator.x", "$SYS.REQ.SERVER.PING", "anything",
	} {
		must.Do(t, nc.Publish(subject, []byte("{}")))
		refused("publishing to " + subject)
	}
	for _, subject := range []string{">", "spar.>", "_INBOX.>", "_INBOX." + other + ".>", "spar.result.*"} {
		must.Get(nc.SubscribeSync(subject))(t)
		refused("listening to " + subject)
	}
}

// A hostile worker says whatever it can in its own name. The coordinator lives on, stores nothing of it, and the games
// are right.
func TestHostileWorker(t *testing.T) {
	t.Parallel()
	want := alone(t, match)
	assets := arena.NewAssets()
	c := coordinator(t, remote.Options{Assets: assets, Workers: -1})
	defer c.Close()
	id, secret := identity("hostile")
	nc := must.Get(dial(t, c, id, secret))(t)
	say := func(verb string, q, answer any) {
		t.Helper()
		data := must.Get(json.Marshal(q))(t)
		m, err := nc.Request("spar."+verb+"."+id, data, 5*time.Second)
		if err != nil {
			t.Fatalf("%s: %v", verb, err)
		}
		must.Do(t, json.Unmarshal(m.Data, answer))
	}
	for _, verb := range []string{"hello", "beat", "claim", "result", "object", "bye"} {
		for _, text := range []string{
			"", "{", "null", "[]", `"x"`, `{"id":1}`, strings.Repeat("[", 100_000), `{"id":"` + strings.Repeat("x", 900_000) +
				`"}`,
			`{"slots":-1}`, `{"free":-5}`, `{"free":99999999}`, `{"object":"../../etc/passwd","offset":-1}`, `{"results":[{}]}`,
			`{"playing":[{"number":-9}]}`, "\x00\xff",
		} {
			_, _ = nc.Request("spar."+verb+"."+id, []byte(text), time.Millisecond)
		}
	}
	var w remote.Welcome
	say("hello", remote.Hello{ID: id, Build: *build(), Slots: 4096, Speed: 1, System: "\x1b[31mred"}, &w)
	if w.Refused != "" {
		t.Fatal(w.Refused)
	}
	db, ctx := storetest.New(t), context.Background()
	ended := make(chan error, 1)
	go func() {
		sum, err := arena.Run(ctx, ctx, plan(t, match), db, arena.Options{Assets: assets, Pool: c})
		if err == nil && !sum.Finished {
			err = errors.New("not finished")
		}
		ended <- err
	}()
	var b remote.Batch
	for len(b.Games) == 0 { // until the run has begun
		say("claim", remote.Claim{Run: w.Run, Free: 1 << 30}, &b)
	}
	var receipt remote.Receipt
	one := arena.Result{Slot: arena.Slot{Event: 1, Number: 1 << 40}, Moves: "b2 a1", Reason: "line"}
	// nobody's
	say("result", remote.Results{
		Run: w.Run, Epoch: b.Epoch,
		Results: []arena.Result{one, {Slot: arena.Slot{Event: -1, Number: -1}}},
	}, &receipt)
	if receipt.Refused != "" {
		t.Errorf("slots that are not the worker's are ignored, not %q", receipt.Refused)
	}
	// It has games: what it says of them cannot be.
	g := b.Games[0]
	one.Slot = arena.Slot{Event: g.Event, Number: g.Number}
	one.Rules = b.Settings[g.Setting].Rules
	one.Specs = [2]string{b.Settings[g.Setting].Seats[0].Spec, b.Settings[g.Setting].Seats[1].Spec}
	say("result", remote.Results{Run: w.Run, Epoch: b.Epoch, Results: []arena.Result{one}}, &receipt)
	if receipt.Refused == "" {
		t.Error("an impossible game was taken")
	}
	say("hello", remote.Hello{ID: id, Build: *build(), Slots: 1, Speed: 1}, &w)
	if w.Refused == "" {
		t.Error("who hands in an impossible game may come back")
	}
	if err := nc.Publish("spar.result."+id, make([]byte, 1<<20+1)); !errors.Is(err, nats.ErrMaxPayload) {
		t.Errorf("a message of more than a megabyte: %v", err)
	}
	defer workers(t, c.Address(), 1, remote.WorkerOptions{})()
	must.Do(t, <-ended)
	if d := cmp.Diff(want, counted(t, db)); d != "" {
		t.Errorf("other games than those of one process:\n%s", d)
	}
}

// A worker of another build is told so and gets nothing.
func TestAnotherBuild(t *testing.T) {
	t.Parallel()
	c := coordinator(t, remote.Options{Workers: -1})
	defer c.Close()
	for _, b := range []remote.Build{
		{Program: "test", Arch: "other"},
		{Program: "older"},
		{Program: "test", Protocol: 7},
		{Program: "test", Go: "go1.1"},
	} {
		_, err := remote.Work(context.Background(), remote.WorkerOptions{Server: c.Address(), Build: &b, Speed: 1, Slots: 1})
		if !errors.Is(err, remote.ErrRefused) || !strings.Contains(err.Error(), "build differs") {
			t.Errorf("%+v: %v", b, err)
		}
	}
}

// A token is made once, long enough not to be guessed, in a file that nobody else reads; later it is the one of the
// file. Without leave to make one a missing file is an error.
func TestTokenFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "token")
	if _, err := remote.ReadToken(path, false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	made, err := remote.ReadToken(path, true)
	if err != nil || len(made) != 52 {
		t.Fatalf("%d characters, %v", len(made), err)
	}
	for _, create := range []bool{true, false} {
		if again, err := remote.ReadToken(path, create); err != nil || again != made {
			t.Errorf("another token: %v", err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	must.Do(t, os.WriteFile(path, []byte("short\n"), 0o600))
	must.Refuse(remote.ReadToken(path, true))(t, "5 characters")
}
