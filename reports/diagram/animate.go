package diagram

import (
	"fmt"
	"io"
	"strings"

	"spar/configs/plain"
	"spar/configs/strict"
	"spar/engines"
	"spar/reports/board"
	"spar/reports/chart"
)

// Animate writes a game as an animated SVG, from a position on. It shows each move for a number of seconds. The
// last picture stays.
func Animate(w io.Writer, start *engines.Position, moves []string, seconds float64, print bool) error {
	var pictures []string
	var alt string
	for n := range len(moves) + 1 {
		d, err := Of(start.Clone(), moves[:n])
		if err != nil {
			return err
		}
		d.Print = print
		picture, err := chart.SVG(d, d.Alt())
		if err != nil {
			return err
		}
		pictures, alt = append(pictures, string(picture)), d.Alt()
		if n == 0 {
			width, height := d.Size()
			fmt.Fprintf(
				w,
				`<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" aria-label="%s" viewBox="0 0 %[2]g %[3]g" width="%[2]g" height="%[3]g">`+
					"\n<style>%[4]s</style>\n"+`<path class="f-paper" d="M0 0H%[2]gV%[3]gH0Z"/>`+"\n",
				plain.XML(board.Title(start.Game())+": "+strings.Join(moves, " ")),
				width,
				height,
				chart.CSS(),
			)
		}
	}
	for n, picture := range pictures {
		stays := fmt.Sprintf(`dur="%gs"`, seconds)
		if n == len(pictures)-1 {
			stays = `fill="freeze"`
		}
		if _, err := fmt.Fprintf(w, `<g visibility="hidden"><set attributeName="visibility" to="visible" begin="%gs" %s/>%s</g>`+"\n", float64(n)*seconds, stays, picture); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "<desc>%s</desc>\n</svg>\n", plain.XML(alt))
	return err
}

// ErrForm is wrapped by errors about input that cannot be drawn.
var ErrForm = strict.Mistake("cannot be drawn")
