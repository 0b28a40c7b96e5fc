package serve

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"spar/configs/files"
	"spar/configs/plain"
	"spar/reports/serve/session"
)

// policy is the content security policy. It allows scripts, styles and images from this server only, and none
// inside a page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// setHosts sets the host names that the server answers to. Another site can make its own host name resolve to this
// server (DNS rebinding). A browser then treats that site as the same origin, and only the Host header differs.
func (s *Server) setHosts() error {
	host, _, err := net.SplitHostPort(s.o.Listen)
	if err != nil {
		return fmt.Errorf("%s: expected an address and a port, like %s: %w", s.o.Listen, DefaultListen, err)
	}
	s.hosts = map[string]bool{"127.0.0.1": true, "localhost": true, "::1": true}
	for _, h := range s.o.Hosts {
		s.hosts[strings.ToLower(h)] = true
	}
	ip, err := netip.ParseAddr(host)
	if host == "localhost" || err == nil && ip.IsLoopback() {
		return nil
	}
	s.ips = true // DNS rebinding needs a name, so IP addresses are safe
	fmt.Fprintf(s.o.Log, "warning: other computers can reach %s. Spar answers only browsers that have the token in "+
		"the addresses below. The connection is not encrypted.\n", s.o.Listen)
	return nil
}

// TokenFile is the name of the file with the owner's token, in the folder of the studies.
const TokenFile = "serve.token"

// setToken reads the owner's token, so that links and bookmarks work after a restart. A loopback address needs one, too:
// other users of this computer can reach it.
func (s *Server) setToken() {
	var err error
	if s.token, err = files.Secret(filepath.Join(s.o.Folder, TokenFile)); err != nil {
		fmt.Fprintf(s.o.Log,
			"warning: Spar cannot save the token in the addresses below, so they work only until Spar ends: %v\n", err)
	}
}

// known reports whether the server answers requests with this Host header.
func (s *Server) known(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	_, err := netip.ParseAddr(host)
	return s.hosts[host] || s.ips && err == nil
}

// loopback reports whether a Host header means this computer itself.
func loopback(hostport string) bool {
	u := url.URL{Host: hostport}
	ip, err := netip.ParseAddr(u.Hostname())
	return strings.EqualFold(u.Hostname(), "localhost") || err == nil && ip.IsLoopback()
}

// tokenCookie returns the name of the cookie with the owner's token. Browsers send cookies to all ports of a host, so
// each port has a name of its own.
func tokenCookie(r *http.Request) string {
	port := (&url.URL{Host: r.Host}).Port()
	if port == "" {
		port = "80"
	}
	return "spar-" + port
}

// guard checks the host name, accepts the token of the owner and limits the size of requests. Function permit
// checks rights.
func (s *Server) guard(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		for name, value := range map[string]string{
			"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
			"Cache-Control": "no-store",
		} {
			h.Set(name, value)
		}
		if !s.known(r.Host) {
			h.Set("Content-Type", "text/plain; charset=utf-8")
			w.WriteHeader(http.StatusMisdirectedRequest)
			// the reader may have left
			fmt.Fprintln(w,
				"This server does not answer to this name. Open the address that it printed, or start it with --allow-host.")
			return
		}
		if s.linked(r) {
			setCookie(w, tokenCookie(r), s.token)
			if r.Method == http.MethodGet && forPeople(r) {
				s.answer(func(w http.ResponseWriter, r *http.Request) error {
					return s.leadOn(w, r, address(r))
				})(w, r)
				return
			}
		}
		owner := s.owner(r)
		if owner {
			s.quotas.claim(r, "", true)
		}
		if _, pattern := mux.Handler(r); pattern == "" && !owner {
			s.fail(w, r, http.StatusForbidden, refused)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		mux.ServeHTTP(w, r)
	})
}

// linked reports whether the address of a request has the owner's token.
func (s *Server) linked(r *http.Request) bool {
	return mayOpen(r) && same(r.URL.Query().Get("token"), s.token)
}

// forPeople reports whether a request asks for a page, as browsers do and programs do not.
func forPeople(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// address returns the path and query of a request, without the owner's token.
func address(r *http.Request) string {
	q := r.URL.Query()
	q.Del("token")
	// two slashes would name another server
	u := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/"), RawQuery: q.Encode()}
	return u.String()
}

func setCookie(w http.ResponseWriter, name, value string) {
	http.SetCookie(w, &http.Cookie{
		Name:     name,
		Value:    value,
		Path:     "/",
		HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
		MaxAge:   30 * 24 * 3600, // so that bookmarks work for a month
	})
}

// leadOn sends a browser from a link with a token to another page. After a click in web mail, a browser does not
// send Strict cookies with the request or with a redirect. It does send them if a page of this server refers to
// the next page, so leadOn shows such a page. That page contains no token and sends no Referer. Programs get a
// redirect.
func (s *Server) leadOn(w http.ResponseWriter, r *http.Request, to string) error {
	if !forPeople(r) {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return nil
	}
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Refresh", "0; url="+to)
	return s.show(w, r, http.StatusOK, "leadon.tmpl", frame{Title: "Welcome", Body: to})
}

// owner reports whether the person who started the server sent the request.
func (s *Server) owner(r *http.Request) bool {
	// a server at another port can set a second cookie of that name
	return s.linked(r) || slices.ContainsFunc(r.CookiesNamed(tokenCookie(r)),
		func(c *http.Cookie) bool { return same(c.Value, s.token) })
}

func same(a, b string) bool {
	return a != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}

// seatCookie returns the name of the cookie with the token of a seat.
func seatCookie(id string) string { return "seat-" + id }

// seat returns the seat that a request has in a session, and the guest's token; empty for the owner. The result ok is
// false if it has none.
func (s *Server) seat(r *http.Request, t *session.Session) (seat session.Seat, token string, ok bool) {
	for _, c := range r.CookiesNamed(seatCookie(t.ID())) {
		if seat, ok := t.SeatOf(c.Value); ok {
			return seat, c.Value, true
		}
	}
	return session.Owner, "", s.owner(r)
}

// failure is an error with an HTTP status.
type failure struct {
	status int
	text   string
}

func (f *failure) Error() string { return f.text }

func failf(status int, format string, args ...any) error {
	return &failure{status, fmt.Sprintf(format, args...)}
}

// unfit returns the error for input that is well formed and wrong.
func unfit(err error) error { return failf(http.StatusUnprocessableEntity, "%s", sentence(err)) }

func notFound(what string, args ...any) error { return failf(http.StatusNotFound, what, args...) }

// attach makes an answer a file to download. A page in it has its own policy, which allows its script.
func attach(w http.ResponseWriter, kind, name string) {
	h := w.Header()
	h.Set("Content-Type", kind+"; charset=utf-8")
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
	if kind == "text/html" {
		h.Del("Content-Security-Policy")
	}
}

// answer wraps a handler. It shows errors as pages, or to programs as JSON.
func (s *Server) answer(do func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := do(w, r)
		var f *failure
		var large *http.MaxBytesError
		switch {
		case err == nil || r.Context().Err() != nil:
		case errors.As(err, &f):
			if f.status == http.StatusTooManyRequests {
				w.Header().Set("Retry-After", strconv.Itoa(int(nextGame.Seconds())))
			}
			s.fail(w, r, f.status, plain.Brief(f.text))
		case errors.As(err, &large):
			s.fail(w, r, http.StatusRequestEntityTooLarge,
				fmt.Sprintf("The request is larger than %d bytes.", large.Limit))
		default:
			s.fail(w, r, http.StatusInternalServerError, plain.Brief(err.Error()))
		}
	}
}
