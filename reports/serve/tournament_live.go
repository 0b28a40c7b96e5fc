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
	Stage       string // stage of the tournament format
}

type wallBoard struct {
	ID      string
	Title   string
	Picture template.HTML
}

// progress returns the progress of this process's run.
func (s *Server) progress() (p *progress, stopped bool) {
	s.live.Lock()
	defer s.live.Unlock()
	v := s.live.view
	if v.Total == 0 {
		return nil, v.ended
	}
	p = &progress{Done: v.Done, Total: v.Total, Exact: v.Exact, Stage: v.stage}
	at := live.Progress{
		Done: float64(v.Done), Before: float64(v.before), Total: float64(v.Total),
		Elapsed: v.at.Sub(v.began),
	}
	if left, known := at.Left(); known && at.Elapsed > time.Second/2 {
		p.Rate = fmt.Sprintf("%.0f games per second", at.Rate())
		if !v.ended && left >= time.Second {
			p.Left = "about " + left.Round(time.Second).String() + " left"
		}
	}
	return p, v.ended
}

// boardsOf draws the boards of the games in progress, ordered by player.
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

// hear receives the events of this process's run. The function beat updates the pages.
func (s *Server) hear(e live.Event) {
	s.live.Lock()
	defer s.live.Unlock()
	v := &s.live.view
	switch e.Kind {
	case live.Begin:
		v.Done, v.Total, v.Exact, v.before, v.began, v.ended = e.Done, e.Total, e.Exact, e.Done, e.At, false
		v.stage, v.said = "", nil
	case live.GameEnd, live.Fault:
		v.Done++
	case live.Stage:
		v.stage = e.Text
	case live.Withdrawn:
		v.said = append(v.said, e.Text)
	case live.Barred:
		v.Done, v.said = e.Done, append(v.said, e.Text)
	case live.Machines:
		v.machines = e.Machines
	case live.End:
		v.ended = true
		v.Total = e.Total
		v.Done = e.Done
	}
	v.at = e.At
	v.news = true
}

// beatEvery is the minimum time between two updates of pages during a run.
const beatEvery = time.Second

// beat updates the pages about this process's run until the server stops.
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
			s.hub.bump("wall") // there may be new moves
		}
	}
}

// runs reports whether this process's run is in progress.
func (s *Server) runs() bool {
	s.live.Lock()
	defer s.live.Unlock()
	return s.o.Run != nil && s.live.view.Total > 0 && !s.live.view.ended
}

// players returns the machines that play, and messages about lost ones.
func (s *Server) players() (machines []live.Machine, said []string) {
	s.live.Lock()
	defer s.live.Unlock()
	return s.live.view.machines, slices.Clone(s.live.view.said)
}

// liveView is the state of this process's run.
type liveView struct {
	Done, Total, before int64
	Exact, ended        bool
	began, at           time.Time
	stage               string
	said                []string // messages about agents and machines that have stopped
	machines            []live.Machine
	news                bool // something has changed since the last update of pages
}
