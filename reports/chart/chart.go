// Package chart draws the figures of reports with gonum/plot. All have the same style: few lines, and labels at the
// data instead of legends. Colour-blind readers can distinguish the colours, and a word, a number or a shape always
// repeats what a colour says.
//
// A chart is a struct with data; size zero means the default size. Draw returns ErrNoData if there is nothing to
// draw; it skips values that are not numbers. SVG writes classes instead of colours, so that one file suits light and
// dark pages; PNG and PDF have the colours of the light page.
package chart

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"

	"spar/configs/files"
	"spar/ratings"
)

// ErrNoData is returned for a chart without a single finite value.
var ErrNoData = errors.New("no data")

// Chart is a figure. All types of this package that hold data are Charts.
type Chart interface {
	// Size returns width and height in CSS pixels.
	Size() (width, height float64)
	// Draw draws on a canvas of any size. It returns an error that wraps ErrNoData if there is nothing to draw.
	Draw(c draw.Canvas) error
}

// Sized is a Chart whose size can be set.
type Sized interface {
	Chart
	Resize(width, height float64)
	// Least returns the smallest size at which no label is cut or overprinted.
	Least() (width, height float64)
}

// The usual widths in pixels: a page of width Full has two figures of width Half in a row.
const (
	Half = 400
	Full = 820
)

// Dim is the size of a chart in pixels. A zero width means Half; a zero height means one that suits the data.
type Dim struct{ Width, Height float64 }

func (s Dim) or(width, height float64) (float64, float64) {
	if s.Width > 0 {
		width = s.Width
	}
	if s.Height > 0 {
		height = s.Height
	}
	return width, height
}

// Resize sets the size of a chart.
func (s *Dim) Resize(width, height float64) { *s = Dim{width, height} }

// narrow sets the width of a chart to Half.
func (s *Dim) narrow() { s.Width = Half }

// Unit determines how an axis or a label writes a number.
type Unit int

// The ways to write a number.
const (
	Number  Unit = iota // with three significant digits
	Percent             // a value from 0 to 1 as a percentage, like 57.3 %
	Signed              // with a plus or minus sign, for Elo differences
	Log2                // an exponent of two: 10 is written as 1 024, 20 as 1M
	Integer             // only whole numbers get a label
)

// Axis is one axis of a chart.
type Axis struct {
	Label string // label with its unit in words, like "length (plies)"
	Unit  Unit
	// Min and Max are the ends of the axis. If both are 0, they come from the data.
	Min, Max float64
	// Names are written instead of the numbers 0, 1, 2, ...
	Names []string
	shift float64 // how far the names stand right of their numbers
}

// Point is an estimate at X. An unknown estimate is not drawn.
type Point struct {
	X float64
	Y ratings.Estimate
}

// Ref is a reference line across the chart, like the even score.
type Ref struct {
	Value float64
	Label string
}

// SVG returns a chart as an svg element, for a page that includes the style rules CSS. Equal charts give equal
// bytes. Alt is the alternative text.
func SVG(c Chart, alt string) ([]byte, error) {
	return svg(c, alt, false)
}

func svg(c Chart, alt string, file bool) ([]byte, error) {
	w, h := c.Size()
	canvas := &svgCanvas{w: w, h: h, state: svgState{m: [6]float64{1, 0, 0, 1, 0, 0}}}
	vg.Initialize(canvas)
	if err := c.Draw(draw.NewCanvas(canvas, vg.Length(w), vg.Length(h))); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	canvas.write(&b, alt, file)
	return b.Bytes(), nil
}

// Formats lists the file formats of Write.
func Formats() []string { return []string{"svg", "png", "pdf"} }

// Write writes a chart as a file in one of the Formats: svg with colours for light and dark pages, png with two
// pixels for each CSS pixel, or pdf. Equal charts give equal bytes as svg and png; a pdf contains the time.
func Write(w io.Writer, c Chart, format, alt string) error {
	width, height := c.Size()
	var canvas vg.CanvasWriterTo
	switch format {
	case "svg":
		b, err := svg(c, alt, true)
		if err == nil {
			_, err = w.Write(b)
		}
		return err
	case "png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(vg.Length(width), vg.Length(height)), vgimg.UseDPI(144))}
	case "pdf":
		canvas = pdfCanvas{vgpdf.New(vg.Length(width), vg.Length(height))}
	default:
		return fmt.Errorf("figure format %q: expected %s", format, strings.Join(Formats(), ", "))
	}
	if err := c.Draw(draw.New(canvas)); err != nil {
		return err
	}
	_, err := canvas.WriteTo(w)
	return err
}

// Save writes a chart to a file. Its extension determines the format. It writes nothing if there is no data.
func Save(path string, c Chart, alt string) error {
	var b bytes.Buffer
	err := Write(&b, c, strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), "."), alt)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return files.WriteBytes(path, b.Bytes())
}

// pdfCanvas wraps gonum's PDF canvas, whose fonts have only one weight and lack the minus sign.
type pdfCanvas struct{ *vgpdf.Canvas }

// FillString implements vg.Canvas.
func (c pdfCanvas) FillString(f font.Face, p vg.Point, s string) {
	if f.Font.Weight != 0 {
		regular := f.Font
		regular.Weight = 0
		f = font.DefaultCache.Lookup(regular, regular.Size)
	}
	// What a code page lacks is written by what comes closest.
	text := []byte{}
	for _, r := range strings.NewReplacer("−", "-", "–", "-", "…", "...", "∞", "inf").Replace(s) {
		if r > 0xff {
			r = '?'
		}
		text = append(text, byte(r))
	}
	c.Canvas.FillString(f, p, string(text))
}

func finite(vs ...float64) bool {
	for _, v := range vs {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
