package person

import (
	"fmt"
	"slices"
	"strings"
)

// Options describe how a person plays. The unit of all weights is the value of completing one's own line.
type Options struct {
	// Values of knobs that the file does not set: novice (fitted to matches between people who were new to their games),
	// practised (an assumption: half the mistakes of a novice) or imagined (how novices who have only read the rules
	// expect both sides to play).
	Preset string `yaml:"preset" json:"preset,omitempty" jsonschema:"enum=novice,enum=practised,enum=imagined"`
	// Randomness of the choice among moves: a move is drawn with weight exp(value/temperature).
	Temperature float64 `yaml:"temperature" json:"temperature,omitempty" jsonschema:"minimum=0.001,maximum=100"`
	// Value of stopping an opponent's line, relative to extending the agent's own line.
	Threats float64 `yaml:"threats" json:"threats,omitempty" jsonschema:"minimum=0,maximum=10"`
	// How much nearly complete lines count: a line that has the fraction x of its pieces has the value x to this power.
	Focus float64 `yaml:"focus" json:"focus,omitempty" jsonschema:"minimum=0.1,maximum=50"`
	// Value of the middle of the board, relative to a corner.
	Centre float64 `yaml:"centre" json:"centre,omitempty" jsonschema:"minimum=-10,maximum=10"`
	// Value of a cell next to the last move; at distance d it is divided by d.
	Nearby float64 `yaml:"nearby" json:"nearby,omitempty" jsonschema:"minimum=-10,maximum=10"`
	// Probability of overlooking all threats of the opponent when choosing a move.
	Overlook float64 `yaml:"overlook" json:"overlook,omitempty" jsonschema:"minimum=0,maximum=1"`
	// Probability of a slip: a uniformly random move.
	Slip float64 `yaml:"slip" json:"slip,omitempty" jsonschema:"minimum=0,maximum=1"`
	// With win.misere: probability of misreading the rules for a whole game and trying to make the lines that lose.
	Misread float64 `yaml:"misread" json:"misread,omitempty" jsonschema:"minimum=0,maximum=1"`
	// Probability of looking two plies ahead when choosing a move: of seeing that two ways to complete a line cannot
	// both be stopped.
	Ahead float64 `yaml:"ahead" json:"ahead,omitempty" jsonschema:"minimum=0,maximum=1"`
}

// Novice returns options that were fitted to the open matches of the benchmark: see reports/research/people.md.
func Novice() Options {
	return Options{
		Preset:      "novice",
		Temperature: .0943,
		Threats:     .859,
		Focus:       4.4,
		Centre:      .0846,
		Nearby:      .176,
		Overlook:    .279,
		Slip:        .143,
		Misread:     .408,
		Ahead:       .017,
	}
}

// Practised returns a novice who makes half as many mistakes. This is an assumption: the benchmark does not record
// thinking times.
func Practised() Options {
	o := Novice()
	o.Preset = "practised"
	o.Overlook /= 2
	o.Slip /= 2
	o.Misread = 0
	o.Ahead = .5
	return o
}

// Imagined returns how novices who have only read the rules imagine that both sides play.
func Imagined() Options { return Novice().Imagine() }

// Imagine returns how a person expects others of the same kind to play: they overlook half as much, and make no
// slips or misreadings. Similar options predict people's judgements equally well (see reports/research/people.md).
func (o Options) Imagine() Options {
	o.Preset = "imagined"
	o.Overlook /= 2
	o.Slip = 0
	o.Misread = 0
	return o
}

// Preset returns the options of a preset. An empty name means novice.
func Preset(name string) (Options, error) {
	presets := []Options{Novice(), Practised(), Imagined()}
	i := slices.IndexFunc(presets, func(o Options) bool { return name == "" || name == o.Preset })
	if i < 0 {
		return Options{}, fmt.Errorf("unknown preset %q: expected novice, practised or imagined", name)
	}
	return presets[i], nil
}

// Knob is a numeric option.
type Knob struct {
	Name  string
	Value *float64
}

// Knobs lists the numeric options by name, with a pointer to each value.
func (o *Options) Knobs() []Knob {
	return []Knob{
		{"temperature", &o.Temperature},
		{"threats", &o.Threats},
		{"focus", &o.Focus},
		{"centre", &o.Centre},
		{"nearby", &o.Nearby},
		{"overlook", &o.Overlook},
		{"slip", &o.Slip},
		{"misread", &o.Misread},
		{"ahead", &o.Ahead},
	}
}

// String lists the numbers as name=value.
func (o Options) String() string {
	var b strings.Builder
	for _, k := range o.Knobs() {
		fmt.Fprintf(&b, " %s %.3g", k.Name, *k.Value)
	}
	return b.String()[1:]
}
