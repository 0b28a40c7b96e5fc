package serve

import (
	"fmt"
	"html/template"
	"maps"
	"slices"
	"time"

	"spar/arena/live"
	"spar/reports/board"
)

type progress struct {
	Done, Total int64
	Exact       bool
	Rate, Left  string
}

type wallBoard struct {
	ID      string
	Title   string
	Picture template.HTML
}

// progress is how far the run of this process is.
func (s *Server) progress() (p *progress, stopped bool) {
	s.live.Lock()
	defer s.live.Unlock()
	v := s.live.view
	if v.Total == 0 {
		return nil, v.ended
	}
	p = &progress{Done: v.Done, Total: v.Total, Exact: v.Exact}
	if since := v.at.Sub(v.began).Seconds(); v.Done > v.before && since > 0.5 {
		rate := float64(v.Done-v.before) / since
		p.Rate = fmt.Sprintf("%.0f games a second", rate)
		if left := float64(v.Total-v.Done) / rate; !v.ended && left >= 1 {
			p.Left = "about " + time.Duration(left*float64(time.Second)).Round(time.Second).String() + " left"
		}
	}
	return p, v.ended
}

// boardsOf draws the games that are being played, by player.
func boardsOf(shown map[int]live.Board) []wallBoard {
	var out []wallBoard
	for _, player := range slices.Sorted(maps.Keys(shown)) {
		x := shown[player]
		title := fmt.Sprintf("Game %d, ply %d: %s – %s", x.Number+1, x.Position.Ply(), x.First, x.Second)
		if x.Machine != "" {
			title += ", on " + x.Machine
		}
		out = append(out, wallBoard{Title: title, Picture: board.Picture(&x.Position.State)})
	}
	return out
}

// hear follows the run of this process. It is called for every game: pages are told by beat.
func (s *Server) hear(e live.Event) {
	s.live.Lock()
	defer s.live.Unlock()
	v := &s.live.view
	switch e.Kind {
	case live.Begin:
		v.Done, v.Total, v.Exact, v.before, v.began, v.ended = e.Done, e.Total, e.Exact, e.Done, e.At, false
	case live.GameEnd, live.Fault:
		v.Done++
	case live.Machines:
		v.machines = e.Machines
	case live.End:
		v.ended, v.Total, v.Done = true, e.Total, e.Done
	}
	v.at = e.At
	v.news = true
}

// beatEvery is how often pages hear of a run that plays.
const beatEvery = time.Second

// beat tells pages of the run of this process, until the server ends.
func (s *Server) beat() {
	keys, byKey := s.studies.paths()
	at := slices.IndexFunc(keys, func(key string) bool { return sameFile(byKey[key], s.o.Run.Study) })
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-s.base.Done():
			return
		}
		s.live.Lock()
		news, playing := s.live.view.news, !s.live.view.ended
		s.live.view.news = false
		s.live.Unlock()
		switch {
		case news && at >= 0:
			s.hub.bump("study:" + keys[at])
		case playing:
			s.hub.bump("wall") // moves, if no game has ended
		}
	}
}

// runs tells whether the run of this process goes on.
func (s *Server) runs() bool {
	s.live.Lock()
	defer s.live.Unlock()
	return s.o.Run != nil && s.live.view.Total > 0 && !s.live.view.ended
}

func (s *Server) machines() []live.Machine {
	s.live.Lock()
	defer s.live.Unlock()
	return s.live.view.machines
}

// liveView is how far the run of this process is.
type liveView struct {
	Done, Total, before int64
	Exact, ended        bool
	began, at           time.Time
	machines            []live.Machine
	news                bool // that pages have not been told of
}
