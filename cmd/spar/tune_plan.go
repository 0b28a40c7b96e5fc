package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"spar/reports/pages"
	"spar/tuning/optimise"
)

// outlookFlags are the flags that describe a planned tuning.
type outlookFlags struct {
	numbers int
	loss    float64
	draws   float64
	set     []string
}

func (f *outlookFlags) flags(c *cobra.Command) {
	flags := c.Flags()
	flags.IntVar(&f.numbers, "numbers", 14, "how many numbers are tuned, if there is no tuning file")
	flags.Float64Var(&f.loss, "loss", 200, "Elo loss of the start against the optimum (your guess)")
	flags.Float64Var(&f.draws, "draws", 0, "probability of a draw between equal agents, 0 to 1")
	flags.StringArrayVar(&f.set, "set", nil, "override a key of the tuning file (repeatable)")
}

// count returns the number of parameters. If a tuning file is named, it is that of the file.
func (f *outlookFlags) count(c *cobra.Command, args []string) (int, error) {
	switch {
	case len(args) == 0 && len(f.set) > 0:
		return 0, usagef("--set needs a tuning file: spar %s TUNING", c.Name())
	case len(args) > 0 && c.Flags().Changed("numbers"):
		return 0, usagef("--numbers and %s: give one of them", args[0])
	case f.numbers < 1 || f.numbers > 10_000:
		return 0, usagef("--numbers must be 1 to 10000, not %d", f.numbers)
	case !(f.loss > 0 && f.loss <= 4000):
		return 0, usagef("--loss must be above 0 and at most 4000 Elo, not %g", f.loss)
	case !(f.draws >= 0 && f.draws < 1):
		return 0, usagef("--draws must be 0 or more and below 1, not %g", f.draws)
	}
	if len(args) == 0 {
		return f.numbers, nil
	}
	t, err := loadTuning(args[0], f.set)
	if err != nil {
		return 0, err
	}
	return len(t.Params), nil
}

// outlookError names the flag whose value makes planning impossible.
func outlookError(err error, flag string, value any) error {
	return usagef("--%s %v: %s", flag, value, strings.TrimPrefix(err.Error(), "optimise: "+optimise.ErrProblem.Error()+
		": "))
}

func tunePlanCommand() *cobra.Command {
	var f outlookFlags
	var games int
	var elo float64
	c := &cobra.Command{
		Use:   "plan [TUNING]",
		Short: "Forecast what a number of games can reach, or how many games a goal takes",
		Long: `Forecasts how many Elo below the optimum an SPSA run ends, or how many games a run needs to come within a
number of Elo.

The forecast follows the expected course of SPSA on a quadratic surface. --loss is your
guess of how far the start is below the optimum; in long runs the result depends little on it.`,
		Example: `  spar tune plan checkerboard
  spar tune plan --numbers 20 --games 5000
  spar tune plan --numbers 6 --elo 10`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: tuningNames,
		RunE: func(c *cobra.Command, args []string) error {
			n, err := f.count(c, args)
			if err != nil {
				return err
			}
			o := optimise.Guess(n, f.loss, f.draws)
			var rows []optimise.Prediction
			switch {
			case c.Flags().Changed("elo"):
				if !(elo > 0) {
					return usagef("--elo %v: expected the Elo below the optimum to reach, above 0", elo)
				}
				p, err := o.GamesFor(elo)
				if err != nil {
					return outlookError(err, "elo", elo)
				}
				rows = append(rows, p)
			default:
				list := []int{500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 200_000}
				if c.Flags().Changed("games") {
					list = []int{games}
				}
				for _, g := range list {
					p, err := o.Best(g)
					if err != nil {
						return outlookError(err, "games", g)
					}
					rows = append(rows, p)
				}
			}
			forecasts := make([]tuningForecast, len(rows))
			for i, p := range rows {
				forecasts[i] = tuningForecast{n, p}
			}
			return replyAll(c, "prediction", forecasts, func(w io.Writer) error {
				return pages.PredictionText(w, o, f.loss, rows)
			})
		},
	}
	f.flags(c)
	c.Flags().IntVar(&games, "games", 0, "games of the run (default: several usual numbers)")
	c.Flags().Float64Var(&elo, "elo", 0, "instead, compute how many games reach an Elo loss of this much")
	c.MarkFlagsMutuallyExclusive("games", "elo")
	jsonFlag(c)
	return c
}

// tuningForecast is the output of kind prediction.
type tuningForecast struct {
	Numbers int `json:"numbers" help:"how many numbers are tuned"`
	optimise.Prediction
}
