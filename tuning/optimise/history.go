package optimise

// Point is one entry of a History.
type Point struct {
	Games   int
	Score   float64 // mean score of Plus over the games since the previous point
	Current []float64
	Mean    []float64
}

// history collects points. It merges neighbours when there are too many.
type history struct {
	points []Point
	stride int     // number of steps between two points
	steps  int     // number of steps since the last point
	won    float64 // points that Plus has scored since the last point
	games  int     // number of games since the last point
}

const historyCap = 100

// add records a finished step with its number of games and the points scored in them. Done games have been played so
// far.
func (h *history) add(points float64, games, done int, last bool, at func() (current, mean []float64)) {
	h.stride = max(1, h.stride)
	h.steps++
	h.won += points
	h.games += games
	if h.steps < h.stride && !last {
		return
	}
	current, mean := at()
	h.points = append(h.points, Point{
		Games:   done,
		Score:   h.won / float64(h.games),
		Current: current,
		Mean:    mean,
	})
	h.steps, h.won, h.games = 0, 0, 0
	if len(h.points) < historyCap {
		return
	}
	from := 0
	for i := 1; i < len(h.points); i += 2 {
		a, b := h.points[i-1], h.points[i]
		ga, gb := float64(a.Games-from), float64(b.Games-a.Games)
		b.Score = (a.Score*ga + b.Score*gb) / (ga + gb)
		from = b.Games
		h.points[i/2] = b
	}
	h.points = h.points[:len(h.points)/2]
	h.stride *= 2
}
