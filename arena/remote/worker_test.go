package remote

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
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
		u, err := url.Parse(c.address)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.t.asked(u); got != c.want {
			t.Errorf("%s, %+v: %t", c.address, c.t, got)
		}
	}
}

// A fingerprint has 64 hexadecimal digits, as programs print them: in capitals, too, with colons, after the name of the
// sum.
func TestParsePin(t *testing.T) {
	t.Parallel()
	pin := strings.Repeat("0a", 32)
	for _, good := range []string{pin, strings.ToUpper(pin), "sha256:" + pin, strings.TrimSuffix(strings.Repeat("0A:", 32), ":")} {
		if got, err := ParsePin(good); err != nil || got != pin {
			t.Errorf("%s: %s, %v", good, got, err)
		}
	}
	for _, bad := range []string{"", pin[1:], pin[2:], pin + "0a", "x" + pin[1:], "sha1:" + pin} {
		if got, err := ParsePin(bad); err == nil || got != "" || !strings.Contains(err.Error(), "expected 64 hexadecimal digits") {
			t.Errorf("%s: %s, %v", bad, got, err)
		}
	}
}

// A machine's name may stand in a subject: letters, digits and low lines, 24 at most, and never nothing. Texts are cut
// between letters.
func TestNamesOfMachines(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"lab-7.example.org": "lab_7_example_org", "__a b__": "a_b", "*>": "worker", "Zürich": "Z_rich", "abcdefghijklmnopqrstuvwxyz": "abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwx": "abcdefghijklmnopqrstuvwx",
	} {
		if got := workerName(name); got != want || !workerForm.MatchString(got) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := workerName(""); !workerForm.MatchString(got) || len(got) > 24 {
		t.Errorf("of the host: %q", got)
	}
	for most, want := range []string{"", "a", "a", "aé", "aéb", "aéb"} {
		if got := clip("aéb", most); got != want {
			t.Errorf("%d bytes: %q, want %q", most, got, want)
		}
	}
	if a, b := signature("a"), signature("b"); a == b || len(a) != 12 || a != signature("a") || !equalText("a", "a") || equalText("a", "ab") || equalText("", "a") {
		t.Errorf("%s, %s", a, b)
	}
	for err, want := range map[error]bool{errors.New("other"): false, nats.ErrConnectionClosed: true, nats.ErrTimeout: false, &net.OpError{Op: "dial", Err: errors.New("refused")}: true, io.EOF: false} {
		if isNet(err) != want || isNet(fmt.Errorf("there: %w", err)) != want {
			t.Errorf("%v may pass: %t", err, !want)
		}
	}
}
