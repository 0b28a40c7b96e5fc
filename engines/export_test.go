package engines

import "spar/engines/rules"

// What tests of the fast paths ask.

// PlacesPlainly are the mechanics of LookAtLines.
func PlacesPlainly() rules.Mechanics { return placesPlainly() }

// CountWindows counts the lines of a side the plain way.
func (s *State) CountWindows(side int) LineCount {
	return s.countWindows(side, s.g.line.Windows[side], s.g.line.Lengths[side])
}

// ExposedOneByOne is Exposed the plain way.
func (s *State) ExposedOneByOne(side int) (hanging, loose Bits) { return s.exposedOneByOne(side) }

// BackedOneByOne is Backed the plain way.
func (s *State) BackedOneByOne(side int) (secure Bits, links int) { return s.backedOneByOne(side) }

// BoxCounts reports whether neighbours are counted at once.
func (g *Game) BoxCounts() bool { return g.boxCounts }

// Completes reports whether WinningPlacements claims anything.
func (g *Game) Completes() bool { return g.completes }

// Using is the game as if its rules used one more mechanic.
func (g *Game) Using(m rules.Mechanic) *Game {
	other := *g
	other.uses = rules.MechanicsOf(g.uses, m)
	other.shortcuts = shortcuts{}
	other.takeShortcuts()
	other.line = other.buildLines()
	other.symmetries = other.findSymmetries(true)
	return &other
}

// FastPath is something that is taken where the rules use no mechanics but those that it handles.
type FastPath struct {
	Name  string
	Taken func(g *Game) bool
}

// FastPaths lists those of this package.
func FastPaths() []FastPath {
	return []FastPath{
		{"plain", func(g *Game) bool { return g.plain }},
		{"lists the free cells", func(g *Game) bool { return g.listsFree }},
		{"places only", func(g *Game) bool { return g.placesOnly }},
		{"places anywhere", func(g *Game) bool { return g.anywhere }},
		{"ends full", func(g *Game) bool { return g.fullEnds }},
		{"no holes", func(g *Game) bool { return g.noHoles }},
		{"completes", func(g *Game) bool { return g.completes }},
		{"forced draws", func(g *Game) bool { return g.linesOnly }},
		{"line deltas", func(g *Game) bool { return g.lineDeltas }},
		{"deltas around", func(g *Game) bool { return g.aroundDeltas }},
		{"box counts", func(g *Game) bool { return g.boxCounts }},
		{"flat lines", func(g *Game) bool { return g.line.Flat || g.line.Planes }},
		{"symmetries", func(g *Game) bool { return len(g.symmetries) > 1 }},
		{"exchanges", func(g *Game) bool { return g.exchanges() }},
		{"known hands", func(g *Game) bool { c, err := g.NewCodec(); return err == nil && c.handKnown }},
	}
}

// PlacesSurrounding are the mechanics of LookAroundPlacements.
func PlacesSurrounding() rules.Mechanics { return placesSurrounding() }

// LosingLines counts lines that lose, by windows and by the faster way; ok is false if the rules have none or there is one way.
func (s *State) LosingLines(side int, wins Bits) (plain, planes LineCount, ok bool) {
	t := s.g.goal[side].shapes[ByLosingLine]
	if t == nil || !s.g.line.Planes {
		return plain, planes, false
	}
	s.countPlanes(side, &t.starts, s.g.rules.Lose.Line, wins, &planes)
	return s.countLosing(side, wins), planes, true
}
