package engines

// What tests of the fast paths ask.

// PlacesPlainly are the mechanics of LookAtLines.
const PlacesPlainly = placesPlainly

// CountWindows counts the lines of a side the plain way.
func (s *State) CountWindows(side int) LineCount { return s.countWindows(side) }

// ExposedOneByOne is Exposed the plain way.
func (s *State) ExposedOneByOne(side int) (hanging, loose Bits) { return s.exposedOneByOne(side) }

// BackedOneByOne is Backed the plain way.
func (s *State) BackedOneByOne(side int) (secure Bits, links int) { return s.backedOneByOne(side) }

// BoxCounts tells whether neighbours are counted at once.
func (g *Game) BoxCounts() bool { return g.boxCounts }

// Completes tells whether WinningPlacements claims anything.
func (g *Game) Completes() bool { return g.completes }

// PlayoutKernel is a kernel of random games.
type PlayoutKernel struct {
	Name    string
	Handles Mechanics
	Fits    func(g *Game) bool
}

// PlayoutKernels lists them.
func PlayoutKernels() []PlayoutKernel {
	var out []PlayoutKernel
	for _, k := range playoutKernels() {
		out = append(out, PlayoutKernel{k.name, k.handles, k.fits})
	}
	return out
}

// UseKernel makes random games run by a kernel that fits the rules.
func (p *Playouts) UseKernel(name string) {
	for _, k := range playoutKernels() {
		if k.name == name {
			p.kernel = k.run
		}
	}
}

// UsePlainPath makes random games run by State.Play.
func (p *Playouts) UsePlainPath() { p.kernel = (*Playouts).runAny }

// PlacesSurrounding are the mechanics of LookAroundPlacements.
const PlacesSurrounding = placesSurrounding

// Rich tells whether the rules have mechanics beyond the plain ones.
func (g *Game) Rich() bool { return g.rich }
