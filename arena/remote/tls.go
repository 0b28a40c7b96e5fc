package remote

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"spar/configs/files"
	"spar/configs/plain"
)

// TLS describes how a connection is encrypted.
type TLS struct {
	Certificate *tls.Certificate // certificate of a server
	// SHA-256 of the certificate that a server must show, in hexadecimal; empty = a root certificate must have signed
	// it
	Pin   string
	Roots *x509.CertPool // accepted root certificates; nil = those of the system
}

var errPin = errors.New("the server's certificate has another fingerprint")

// client returns the TLS configuration of the client side.
func (t TLS) client(host string) *tls.Config {
	c := &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12, RootCAs: t.Roots}
	if t.Pin != "" {
		c.InsecureSkipVerify = true // the pin takes the place of the roots
		c.VerifyConnection = func(s tls.ConnectionState) error {
			if len(s.PeerCertificates) == 0 || plain.Hash(s.PeerCertificates[0].Raw) != t.Pin {
				return errPin
			}
			return nil
		}
	}
	return c
}

// asked reports whether the connection to an address must be encrypted: always if it leaves the machine.
func (t TLS) asked(u *url.URL) bool {
	return u.Scheme == "tls" || !Loopback(u.Hostname()) || t.Pin != "" || t.Roots != nil
}

// ParsePin reads a fingerprint (64 hexadecimal digits, optionally with colons between them) and returns it without
// colons.
func ParsePin(text string) (string, error) {
	pin := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(text, "sha256:"), ":", ""))
	if raw, err := hex.DecodeString(pin); err != nil || len(raw) != sha256.Size {
		return "", fmt.Errorf("%q is not a fingerprint: expected 64 hexadecimal digits, as the coordinator prints them", text)
	}
	return pin, nil
}

// ReadRoots reads root certificates, which may sign the certificate of a server.
func ReadRoots(path string) (*x509.CertPool, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("%s contains no certificate", path)
	}
	return roots, nil
}

// OwnCertificate reads a self-signed certificate and its key, or makes them if neither exists. Later runs use the
// same certificate, so that the fingerprint on workers stays valid.
func OwnCertificate(certificate, key string) (*tls.Certificate, error) {
	_, missing := os.Stat(certificate)
	if _, err := os.Stat(key); errors.Is(missing, fs.ErrNotExist) && errors.Is(err, fs.ErrNotExist) {
		if err := makeCertificate(certificate, key); err != nil {
			return nil, err
		}
	}
	c, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("certificate %s with key %s: %w", certificate, key, err)
	}
	return &c, nil
}

func makeCertificate(certificate, key string) error {
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return err
	}
	now := time.Now()
	form := x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: "spar coordinator"},
		NotBefore:             now.Add(-time.Hour),
		NotAfter:              now.AddDate(10, 0, 0),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		DNSNames:              []string{"localhost"},
	}
	der, err := x509.CreateCertificate(rand.Reader, &form, &form, &secret.PublicKey, secret)
	if err != nil {
		return err
	}
	raw, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		return err
	}
	if err := writeSecret(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})); err != nil {
		return err
	}
	return os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644)
}

// writeSecret writes a new file that only its owner may read.
func writeSecret(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// leastToken is the minimum number of characters of a token; Spar's own tokens have 52, with 5 bits each.
const leastToken = 32

// CheckToken returns an error if a token is easy to guess.
func CheckToken(token string) error {
	if token == "" {
		return errors.New("it needs a token")
	}
	if len(token) < leastToken {
		return fmt.Errorf("the token has %d characters: expected at least %d", len(token), leastToken)
	}
	return nil
}

// ReadToken reads a token from a file. With create, it makes a token if the file does not exist.
func ReadToken(path string, create bool) (string, error) {
	if _, err := os.Stat(path); create && errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		token := rand.Text() + rand.Text()
		return token, writeSecret(path, []byte(token+"\n"))
	}
	data, err := files.Read(path, 4096)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(data))
	if err := CheckToken(token); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return token, nil
}
