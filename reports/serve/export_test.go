package serve

// Patterns are those of all routes.
func (s *Server) Patterns() []string {
	var out []string
	for _, r := range s.routes() {
		out = append(out, r.pattern)
	}
	return out
}

// HoldQueries takes all places for queries.
func (s *Server) HoldQueries() {
	for range mostQueries {
		s.queries <- struct{}{}
	}
}
