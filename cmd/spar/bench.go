package main

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"spar/engines"
)

func benchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "bench",
		Short:   "Measure speed",
		Example: "  spar bench playouts classic --seconds 2",
	}
	c.AddCommand(benchPlayoutsCommand(), benchSearchCommand(), benchDepthCommand())
	return c
}

// cpuSeconds is the processor time that this process has used.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

func benchPlayoutsCommand() *cobra.Command {
	var (
		seconds float64
		count   int64
		seed    int64
		set     []string
		asJSON  bool
	)
	c := &cobra.Command{
		Use:   "playouts RULES",
		Short: "Play uniformly random games on one core",
		Long: `Plays games with uniformly random legal moves on one goroutine and prints rates per CPU-second and the shares of the results.
The same --seed and --playouts play the same games.`,
		Example: `  spar bench playouts classic --seconds 2
  spar bench playouts checkerboard --set draw.repetition=0 --set draw.max_plies=200 --playouts 100000 --json`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: gameNames,
		RunE: func(c *cobra.Command, args []string) error {
			if seconds <= 0 || count < 0 {
				return usagef("--seconds and --playouts must be above 0")
			}
			g, err := loadGame(args[0], set)
			if err != nil {
				return err
			}
			r := benchPlayouts(g, seconds, count, seed)
			if asJSON {
				return printJSON(c.OutOrStdout(), "playouts", r)
			}
			n := float64(r.Playouts)
			fmt.Fprintf(c.OutOrStdout(), "%s: %d games, %d plies in %.2f CPU-seconds\n%.0f games/s, %.1f million plies/s, %.2f plies a game\nfirst %.4f  second %.4f  draw %.4f  (±%.4f at most, 95 %%)\n",
				r.Rules, r.Playouts, r.Moves, r.CPU, n/r.CPU, float64(r.Moves)/r.CPU/1e6, float64(r.Moves)/n, r.First, r.Second, r.Draw, 0.98/sqrt(n))
			return nil
		},
	}
	c.Flags().Float64Var(&seconds, "seconds", 2, "how long to play")
	c.Flags().Int64Var(&count, "playouts", 0, "play this many games instead")
	c.Flags().Int64Var(&seed, "seed", 1, "seed of the random moves")
	setFlag(c, &set)
	jsonFlag(c, &asJSON)
	return c
}

type playoutBench struct {
	Rules    string  `json:"rules"`
	Playouts int64   `json:"playouts"`
	Moves    int64   `json:"moves"`
	CPU      float64 `json:"cpu_s"`
	Wall     float64 `json:"wall_s"`
	First    float64 `json:"first"`
	Second   float64 `json:"second"`
	Draw     float64 `json:"draw"`
}

func benchPlayouts(g *engines.Game, seconds float64, count, seed int64) playoutBench {
	const chunk = 64 // games between two looks at the clock
	p := g.NewPlayouts(rand.NewPCG(uint64(seed), 0x62656e6368), true)
	s := g.NewState()
	var results [4]int64
	r := playoutBench{Rules: g.Name()}
	cpu, began := cpuSeconds(), time.Now()
	for count == 0 || r.Playouts < count {
		n := int64(chunk)
		if count > 0 {
			n = min(n, count-r.Playouts)
		} else if time.Since(began).Seconds() >= seconds {
			break
		}
		for range n {
			result, plies := p.Run(&s)
			results[result]++
			r.Moves += int64(plies)
		}
		r.Playouts += n
	}
	r.CPU, r.Wall = cpuSeconds()-cpu, time.Since(began).Seconds()
	n := float64(r.Playouts)
	r.First, r.Second, r.Draw = float64(results[engines.FirstWins])/n, float64(results[engines.SecondWins])/n, float64(results[engines.Drawn])/n
	return r
}
