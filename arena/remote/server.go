package remote

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"spar/configs/plain"
	"spar/configs/strict"
)

// ErrAddress is returned for an address that is not a NATS URL.
const ErrAddress = strict.Mistake("expected nats://HOST:PORT or tls://HOST:PORT")

// ErrOpen is returned if other machines can reach an address that is not protected.
const ErrOpen = strict.Mistake("other machines can connect to it")

// ErrEntry is returned if a server refuses the connection because it requires another token or TLS.
const ErrEntry = strict.Mistake("the server refuses the connection")

// mostConnections is the maximum number of open connections; each costs about 40 kB even without a valid token.
const mostConnections = 1000

// startWait is the maximum time for a server to start.
const startWait = 10 * time.Second

// Loopback reports whether a host name means this machine only.
func Loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// Listenable returns an error if this process cannot listen on an address like :4222.
func Listenable(address string) error {
	_, _, err := listenable(address)
	return err
}

// listenable checks an address before a server listens on it, because a failing server only reports that it is not
// ready.
func listenable(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, fmt.Errorf("%s: expected HOST:PORT or :PORT", address)
	}
	if port, err = strconv.Atoi(text); err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%s: expected a port from 0 to 65535", address)
	}
	at, err := net.Listen("tcp", net.JoinHostPort(cmp.Or(host, everyHost), text))
	if err == nil {
		return host, port, at.Close()
	}
	advice := "choose another port"
	unknown := (*net.DNSError)(nil)
	if errors.As(err, &unknown) || errors.Is(err, syscall.EADDRNOTAVAIL) {
		advice = "give an address of this machine"
	}
	if op := (*net.OpError)(nil); errors.As(err, &op) {
		err = op.Err
	}
	if call := (*os.SyscallError)(nil); errors.As(err, &call) {
		err = call.Err
	}
	return "", 0, fmt.Errorf("%s: %w; %s", address, err, advice)
}

// everyHost is the address to listen on if only a port is given: all interfaces.
const everyHost = "0.0.0.0"

// embed starts a server in this process. Hints are kept in memory; JetStream uses the folder for its own data.
func (l *link) embed() error {
	o := l.c.o
	host, port, err := listenable(o.Listen)
	if err != nil {
		return err
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	if !Loopback(host) {
		if err := CheckToken(o.Token); err != nil {
			return fmt.Errorf("%s: %w: %w", o.Listen, ErrOpen, err)
		}
		if o.TLS.Certificate == nil {
			return fmt.Errorf("%s: %w: it needs a certificate", o.Listen, ErrOpen)
		}
	}
	if l.folder, l.held, err = makeFolder(os.TempDir()); err != nil {
		return err
	}
	inside := fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64())
	options := &server.Options{
		ServerName:                 "spar-" + l.c.run,
		Host:                       cmp.Or(host, everyHost),
		Port:                       port,
		NoSigs:                     true,
		NoLog:                      true,
		MaxPayload:                 1 << 20,
		MaxConn:                    mostConnections,
		MaxSubs:                    64,
		MaxControlLine:             4096,
		MaxPending:                 4 << 20,
		WriteDeadline:              10 * time.Second,
		AuthTimeout:                10,
		PingInterval:               2 * time.Second,
		MaxPingsOut:                3,
		JetStream:                  true,
		JetStreamMaxMemory:         mostStream + 1<<20,
		JetStreamMaxStore:          1 << 20,
		StoreDir:                   l.folder,
		NoSystemAccount:            true,
		CustomClientAuthentication: &gatekeeper{token: o.Token, inside: inside, worker: permissions(o.Prefix, l.stream)},
	}
	if o.TLS.Certificate != nil {
		options.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*o.TLS.Certificate}, MinVersion: tls.VersionTLS13}
		options.TLSTimeout = 10
		l.fingerprint = plain.Hash(o.TLS.Certificate.Certificate[0])
	}
	if l.server, err = server.NewServer(options); err != nil {
		return fmt.Errorf("server at %s: %w", o.Listen, err)
	}
	l.server.Start()
	if !l.server.ReadyForConnections(startWait) {
		return fmt.Errorf("the server at %s did not start within %v", o.Listen, startWait)
	}
	shown := host
	if host == "" {
		if shown, err = os.Hostname(); err != nil {
			shown = "HOST"
		}
	}
	addr, ok := l.server.Addr().(*net.TCPAddr)
	if !ok {
		return fmt.Errorf("the server at %s has no address", o.Listen)
	}
	scheme := plain.If(o.TLS.Certificate != nil, "tls", "nats")
	l.url = fmt.Sprintf("%s://%s", scheme, net.JoinHostPort(shown, strconv.Itoa(addr.Port)))
	l.nc, err = nats.Connect("", nats.InProcessServer(l.server), nats.UserInfo(insider, inside), nats.MaxReconnects(-1),
		nats.CustomInboxPrefix("_INBOX.coordinator"),
		nats.ReconnectWait(100*time.Millisecond), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	return err
}

// unembed stops the server and removes its folder, if they exist.
func (l *link) unembed() error {
	if l.server != nil {
		l.server.Shutdown()
		l.server.WaitForShutdown()
	}
	if l.folder == "" {
		return nil
	}
	return errors.Join(os.RemoveAll(l.folder), l.held.Close())
}

// insider is the user name of the coordinator's own connection.
const insider = "coordinator"

// gatekeeper authenticates workers. Each may publish only under its own name.
type gatekeeper struct {
	token, inside string
	worker        func(id string) *server.Permissions
}

// Check authenticates a connection and reports whether it is allowed. A worker's name ends in a hash of its password,
// so no worker can use another's name.
func (g *gatekeeper) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	if o.Username == insider {
		if !equalText(o.Password, g.inside) {
			return false
		}
		c.RegisterUser(&server.User{Username: insider})
		return true
	}
	if !equalText(o.Token, g.token) || !workerForm.MatchString(o.Username) ||
		!strings.HasSuffix(o.Username, "-"+signature(o.Password)) {
		return false
	}
	c.RegisterUser(&server.User{Username: o.Username, Permissions: g.worker(o.Username)})
	return true
}

func equalText(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// signature returns the last part of the name of the worker that has this secret.
func signature(secret string) string {
	return plain.Hash(secret)[:12]
}

// permissions returns the subjects on which a worker may publish and receive: its own requests and their answers.
func permissions(prefix, stream string) func(id string) *server.Permissions {
	return func(id string) *server.Permissions {
		allow := []string{"$JS.API.CONSUMER.MSG.NEXT." + stream + ".*"}
		for _, verb := range []string{verbHello, verbBeat, verbClaim, verbResult, verbObject, verbBye} {
			allow = append(allow, prefix+"."+verb+"."+id)
		}
		return &server.Permissions{
			Publish:   &server.SubjectPermission{Allow: allow},
			Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX." + id + ".>"}},
		}
	}
}

// Reach returns an error if a coordinator cannot use an existing server.
func Reach(o Options) error {
	nc, err := connectOut(o)
	if err == nil {
		nc.Close()
	}
	return err
}

// connectOut connects the coordinator to an existing server.
func connectOut(o Options) (*nats.Conn, error) {
	nc, err := connect(o.Server, o.Token, o.Credentials, o.TLS, nats.CustomInboxPrefix("_INBOX.coordinator"),
		nats.Name("spar coordinator"))
	if errors.Is(err, nats.ErrNoServers) {
		return nil, fmt.Errorf("%s: no server answers there", o.Server)
	}
	if err != nil {
		return nil, err
	}
	// Two coordinators would give their workers each other's games.
	if m, err := nc.Request(o.Prefix+".coordinator", nil, time.Second); err == nil {
		nc.Close()
		return nil, fmt.Errorf("%s has a coordinator already (%s); choose another prefix", o.Server, m.Data)
	}
	return nc, nil
}

// connect connects to a server. A server on another machine requires TLS with a trusted certificate.
func connect(address, token, credentials string, t TLS, more ...nats.Option) (*nats.Conn, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls" {
		return nil, fmt.Errorf("%s: %w", address, ErrAddress)
	}
	options := append([]nats.Option{
		nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond),
		nats.ReconnectJitter(200*time.Millisecond, 500*time.Millisecond), nats.Timeout(5 * time.Second),
		nats.PingInterval(2 * time.Second), nats.MaxPingsOutstanding(3),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), nats.IgnoreAuthErrorAbort(),
		nats.ReconnectBufSize(1 << 20), nats.DrainTimeout(2 * time.Second), nats.IgnoreDiscoveredServers(),
	}, more...)
	switch {
	case credentials != "":
		options = append(options, nats.UserCredentials(credentials))
	case token != "":
		options = append(options, nats.Token(token))
	case u.User == nil && !Loopback(u.Hostname()):
		return nil, fmt.Errorf("address %s: %w; give a token or credentials", address, ErrOpen)
	}
	if t.asked(u) {
		options = append(options, nats.Secure(t.client(u.Hostname())))
	}
	nc, err := nats.Connect(address, options...)
	if advice := entry(err, token, credentials); advice != "" {
		return nil, fmt.Errorf("%s: %w: %s (%w)", address, ErrEntry, advice, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	return nc, nil
}

// entry returns advice if the error means that a server refused the connection; otherwise an empty text.
func entry(err error, token, credentials string) string {
	unknown := (*tls.CertificateVerificationError)(nil)
	plain := tls.RecordHeaderError{}
	switch {
	case errors.Is(err, nats.ErrAuthorization) && credentials != "":
		return "the server rejects these credentials; give others with --credentials"
	case errors.Is(err, nats.ErrAuthorization) && token != "":
		return "the server rejects this token; give the coordinator's token with --token-file"
	case errors.Is(err, nats.ErrAuthorization):
		return "the server requires a token; give the coordinator's token with --token-file"
	case errors.Is(err, nats.ErrSecureConnWanted), errors.As(err, &plain):
		return "the server uses no TLS; give a nats:// address on this machine, without --tls-fingerprint and --tls-ca"
	case errors.Is(err, nats.ErrSecureConnRequired):
		return "the server uses TLS; give its address as tls://"
	case errors.As(err, &unknown):
		return "its certificate is not trusted; give the fingerprint that the coordinator prints, with --tls-fingerprint"
	case errors.Is(err, errPin):
		return "give the fingerprint that the coordinator prints, with --tls-fingerprint"
	}
	return ""
}
