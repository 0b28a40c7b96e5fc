// Package arcplot draws the arc of a reviewed game: the balance after every ply, coloured by the class of the move.
package arcplot

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"spar/reports/review"
)

// Figure is what to draw.
type Figure struct {
	Title   string
	Side    string    // the player for whom above the middle is good
	Source  string    // what the values rest on
	Arc     []float64 // the balance at the start and after each ply, -0.5 to 0.5
	Moves   []string  // the text of each ply
	Classes []string  // the class of each ply
}

// classes are in the order of the legend, with colours that differ in lightness too.
var classes = []struct {
	name   string
	colour color.RGBA
}{
	{review.Best, color.RGBA{0x00, 0x72, 0xb2, 0xff}},
	{review.Excellent, color.RGBA{0x56, 0xb4, 0xe9, 0xff}},
	{review.Good, color.RGBA{0x00, 0x9e, 0x73, 0xff}},
	{review.Inaccuracy, color.RGBA{0xe6, 0x9f, 0x00, 0xff}},
	{review.Mistake, color.RGBA{0xd5, 0x5e, 0x00, 0xff}},
}

// mostNames is how many moves are named below the axis; a longer game has numbers only.
const mostNames = 24

// Save draws a figure into a file, whose ending says in which format: .svg or .png.
func Save(path string, f Figure) error {
	p := plot.New()
	p.Title.Text = f.Title
	p.Title.Padding = vg.Points(8)
	p.X.Label.Text = "ply (" + f.Source + ")"
	p.Y.Label.Text = "balance (above 0: good for the " + f.Side + ")"
	p.X.Min, p.X.Max = -0.3, max(float64(len(f.Arc)-1), 1)+0.3
	p.Y.Min, p.Y.Max = -0.5, 0.5
	var xs, ys []plot.Tick
	for v := -5; v <= 5; v++ {
		t := plot.Tick{Value: float64(v) / 10}
		if v%2 != 0 {
			t.Label = fmt.Sprintf("%+.1f", t.Value)
		}
		ys = append(ys, t)
	}
	ys[5].Label = "0"
	step := max(1, (len(f.Arc)+19)/20)
	for i := range f.Arc {
		t := plot.Tick{Value: float64(i)}
		switch {
		case len(f.Moves) <= mostNames && i > 0 && i <= len(f.Moves):
			t.Label = fmt.Sprintf("%d\n%s", i, f.Moves[i-1])
		case len(f.Moves) <= mostNames || i%step == 0:
			t.Label = fmt.Sprint(i)
		}
		xs = append(xs, t)
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.ConstantTicks(xs), plot.ConstantTicks(ys)

	middle, err := plotter.NewLine(plotter.XYs{{X: p.X.Min, Y: 0}, {X: p.X.Max, Y: 0}})
	if err != nil {
		return err
	}
	middle.Color = color.Gray{0xb0}
	line := make(plotter.XYs, len(f.Arc))
	points := map[string]plotter.XYs{}
	for i, v := range f.Arc {
		line[i] = plotter.XY{X: float64(i), Y: v}
		if i > 0 && i <= len(f.Classes) {
			points[f.Classes[i-1]] = append(points[f.Classes[i-1]], line[i])
		}
	}
	arc, err := plotter.NewLine(line)
	if err != nil {
		return err
	}
	arc.Width = vg.Points(1.5)
	arc.Color = color.Gray{0x60}
	p.Add(middle, arc)
	for _, class := range classes {
		if len(points[class.name]) == 0 {
			continue
		}
		dots, err := plotter.NewScatter(points[class.name])
		if err != nil {
			return err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: class.colour, Radius: vg.Points(4), Shape: draw.CircleGlyph{}}
		p.Add(dots)
		p.Legend.Add(fmt.Sprintf("%s (%d)", class.name, len(points[class.name])), dots)
	}
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.Padding = vg.Points(2)
	return p.Save(9*vg.Inch, 4.5*vg.Inch, path)
}
