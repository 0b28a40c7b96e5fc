package remote

import (
	"crypto/x509"
	"net/url"
	"testing"

	"spar/configs/must"
)

// What leaves the machine is encrypted, and what a certificate is named for.
func TestWhatIsEncrypted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		address string
		t       TLS
		want    bool
	}{
		{"nats://127.0.0.1:1", TLS{}, false},
		{"nats://localhost:1", TLS{}, false},
		{"tls://127.0.0.1:1", TLS{}, true},
		{"nats://example.org:1", TLS{}, true},
		{"nats://127.0.0.1:1", TLS{Pin: "ab"}, true},
		{"nats://127.0.0.1:1", TLS{Roots: x509.NewCertPool()}, true},
	} {
		u := must.Get(url.Parse(c.address))(t)
		if got := c.t.asked(u); got != c.want {
			t.Errorf("%s, %+v: %t", c.address, c.t, got)
		}
	}
}
