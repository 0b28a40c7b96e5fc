package ugi

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Info is the content of the last info line that an engine sent before its move.
type Info struct {
	Depth int      // depth of the search, in plies
	Nodes int64    // number of positions searched
	Score float64  // expected score of the side to move, 0 to 1; NaN if the engine sent no wdl
	PV    []string // expected continuation
}

// known reports whether an info has any content.
func (i Info) known() bool {
	return i.Depth > 0 || i.Nodes > 0 || !math.IsNaN(i.Score) || len(i.PV) > 0
}

// line formats the info as a line of the protocol.
func (i Info) line() string {
	out := fmt.Sprintf("info depth %d nodes %d", i.Depth, i.Nodes)
	if !math.IsNaN(i.Score) {
		won := int(math.Round(1000 * i.Score))
		out += fmt.Sprintf(" wdl %d 0 %d", won, 1000-won)
	}
	if len(i.PV) > 0 {
		out += " pv " + strings.Join(i.PV, " ")
	}
	return out
}

// Info parses the last info line before the engine's last move. Missing or malformed numbers are 0; a missing Score
// is NaN.
func (e *Engine) Info() Info { return parseInfo(string(e.info)) }

// parseInfo reads "info depth 7 nodes 1200 wdl 310 400 290 pv b2 a1": keys in any order, pv last, others skipped.
// Wdl is the probabilities of win, draw and loss for the side to move in thousandths, as in chess engines.
func parseInfo(line string) Info {
	out := Info{Score: math.NaN()}
	words := strings.Fields(line)
	number := func(i int) int64 {
		if i >= len(words) {
			return 0
		}
		n, err := strconv.ParseInt(words[i], 10, 64)
		if err != nil || n < 0 {
			return 0
		}
		return n
	}
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "depth":
			out.Depth = int(min(number(i+1), 1000))
		case "nodes":
			out.Nodes = number(i + 1)
		case "wdl":
			w, d, l := number(i+1), number(i+2), number(i+3)
			sum := w + d + l
			if i+3 < len(words) && sum > 0 && w <= 1000 && d <= 1000 && l <= 1000 {
				out.Score = (float64(w) + float64(d)/2) / float64(sum)
			}
		case "pv":
			out.PV = words[i+1:]
			return out
		}
	}
	return out
}
