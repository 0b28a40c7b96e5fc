package serve

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// right says who may use a route. The zero value allows nobody, so a route without a right is closed.
type right int

const (
	nobody       right = iota
	everybody          // everybody may use it: assets, and links to a seat, which contain a token
	seeGame            // look at the game in the path; allowed to its seats and the owner
	playSeat           // act for a seat of the game in the path; allowed to its seats and the owner
	hearTopics         // listen to topics; decided for each topic
	seeStudies         // look at studies, games and rules; allowed to the owner
	changeThings       // change rules, stop runs, start studies and games; allowed to the owner
)

// route is a page or an action, with the right that it needs.
type route struct {
	pattern string
	right   right
	linked  bool // a page of another site may link to it, but not embed it: opening it is cheap and changes nothing
	people  bool // it needs the games played by people, which one server of a folder has
	do      func(http.ResponseWriter, *http.Request) error
}

// routes lists all routes.
func (s *Server) routes() []route {
	return []route{
		{"GET /{$}", seeStudies, true, false, s.home},
		{"GET /assets/{hash}/{name}", everybody, false, false, s.assets.serve},
		{"GET /events", hearTopics, false, false, s.events},
		{"GET /play", seeStudies, true, true, s.playForm},
		{"POST /play", changeThings, false, true, s.playNew},
		{"GET /play/{id}", seeGame, true, true, s.playPage},
		{"POST /play/{id}/{what}", playSeat, false, true, s.playDo},
		{"GET /join/{id}/{token}", everybody, true, true, s.join},
		{"GET /review", seeStudies, false, false, s.reviewPage},
		{"GET /review/file", seeStudies, false, false, s.reviewFile},
		{"GET /review/try", seeStudies, false, false, s.reviewTry},
		{"GET /g/{id}", seeStudies, false, false, s.gamePage},
		{"GET /study/{key}", seeStudies, false, false, s.studyPage},
		{"GET /games/{key}", seeStudies, false, false, s.gamesPage},
		{"GET /t/{id}", seeStudies, false, false, s.runPage},
		{"POST /t/{id}/{what}", changeThings, false, false, s.runDo},
		{"GET /b/{id}", seeStudies, false, false, s.balancePage},
		{"GET /play/page", seeStudies, false, false, s.playFile},
		{"GET /design", seeStudies, false, false, s.designPage},
		{"GET /design/file", seeStudies, false, false, s.designFile},
		{"POST /design/{what}", changeThings, false, false, s.designDo},
	}
}

// refused is the error for a missing right. A browser sends no cookie when it follows a link from another site, so
// the error page has a link to the page itself.
const refused = "You do not have permission to see this page. Open the link that the terminal printed, or the link to your seat."

// permit wraps a route: a request without its right gets an error.
func (s *Server) permit(to route) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if !mayOpen(r) || !to.linked && fromElsewhere(r) {
			return failf(http.StatusForbidden, "A page of another site sent this request. Spar did nothing.")
		}
		if !s.may(r, to.right) {
			return failf(http.StatusForbidden, refused)
		}
		if why := s.closed.Load(); to.people && why != nil {
			if !s.owner(r) {
				return failf(http.StatusServiceUnavailable, "People cannot play at this address now.")
			}
			return failf(http.StatusServiceUnavailable, "%s", *why)
		}
		if err := r.ParseForm(); err != nil && !errors.As(err, new(*http.MaxBytesError)) {
			return failf(http.StatusBadRequest, "Spar cannot read the form of this request: %v.", err)
		} else if err != nil {
			return err
		}
		return to.do(w, r)
	}
}

// may decides whether a request has a right. The game comes from the path only, never from the query.
func (s *Server) may(r *http.Request, to right) bool {
	switch to {
	case everybody:
		return true
	case seeGame, playSeat:
		return s.seated(r, r.PathValue("id")) || s.owner(r)
	case hearTopics:
		for topic := range strings.SplitSeq(r.URL.Query().Get("topics"), ",") {
			if !s.mayHear(r, topic) {
				return false
			}
		}
		return true
	case seeStudies, changeThings:
		return s.owner(r)
	}
	return false
}

// mayHear decides whether a request may listen to a topic. A guest may listen to the topic of the game.
func (s *Server) mayHear(r *http.Request, topic string) bool {
	if s.owner(r) {
		return true
	}
	id, ok := strings.CutPrefix(topic, "play:")
	return ok && s.seated(r, id)
}

// seated reports whether a request has a seat in a game.
func (s *Server) seated(r *http.Request, id string) bool {
	t, found, err := s.sessions.Session(id)
	if err != nil || !found {
		return false
	}
	_, token, ok := s.seat(r, t)
	if token != "" {
		s.quotas.claim(r, token, false)
	}
	return ok
}

// mayOpen reports whether a request comes from a page of this server or from a program, or opens a page in its own
// tab. Another site may not load pages as frames, images or by scripts.
func mayOpen(r *http.Request) bool {
	return !fromElsewhere(r) || r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
		r.Header.Get("Sec-Fetch-Dest") == "document"
}

// fromElsewhere reports whether a page of another site caused the request. Programs send neither of the headers
// that it checks.
func fromElsewhere(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site != "same-origin" && site != "none"
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || u.Host != r.Host
}
