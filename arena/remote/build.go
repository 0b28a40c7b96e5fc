package remote

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"time"

	"spar/arena/study"
	"spar/configs"
	"spar/engines"
	"spar/engines/playout"
)

// ThisBuild returns the build of this program: its commit if it was built from unchanged sources, otherwise the
// hash of its file.
func ThisBuild() (Build, error) {
	b := Build{Protocol: protocol, Go: runtime.Version(), Arch: runtime.GOARCH}
	if this := study.ThisBuild(); this.Stamped() {
		b.Program = this.Commit
	} else if b.Program = study.Program(); b.Program == "" {
		return b, errors.New("the executable file of this program cannot be read")
	}
	return b, nil
}

// speedGame is the game that is used to measure a machine's speed.
const speedGame = "checkerboard"

// Speed returns the number of random games per second on one core of this machine. It is the best of a few short
// measurements, because other load can only slow them down.
func Speed() float64 {
	file, data, err := configs.Read(configs.Games, speedGame)
	if err != nil {
		return 0 // it is shipped, and tests read it
	}
	g, err := engines.Load(file, data)
	if err != nil {
		return 0
	}
	const slices, each = 12, 2500 * time.Microsecond // a slice is seldom interrupted, and holds enough games
	p := playout.New(g, rand.NewPCG(1, 1), true)
	start := g.NewState()
	best := 0.0
	for range slices {
		n, began := 0, time.Now()
		for time.Since(began) < each {
			p.Run(&start)
			n++
		}
		best = max(best, float64(n)/time.Since(began).Seconds())
	}
	return best
}
