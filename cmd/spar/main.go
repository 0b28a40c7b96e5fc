// Command spar plays agents for abstract board games against each other. It reports which agent is stronger and
// whether the rules are fair, with a confidence interval for each number. Each file of this package parses the flags
// of one command, calls one function of another package, and prints the result.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"spar/agents/consent"
	"spar/agents/ugi"
	"spar/arena"
	"spar/arena/store"
	"spar/configs/plain"
	"spar/configs/strict"
	"spar/reports/screen"
)

func main() {
	// An engine that asks spar for the rules, as the example in Python does, finds the program that has started it.
	if _, ok := os.LookupEnv("SPAR"); !ok {
		if own, err := os.Executable(); err == nil {
			_ = os.Setenv("SPAR", own) // without it engines look on the PATH
		}
	}
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Exit codes.
const (
	exitOK          = 0
	exitFailed      = 1   // the work could not be done, or a check found an error
	exitUsage       = 2   // the input is wrong; nothing was written
	exitTarget      = 3   // a stated target is not met
	exitInterrupted = 130 // an interrupt (SIGINT or SIGTERM) ended the work early; finished work is stored
)

// usagef returns an error in the user's input.
func usagef(format string, args ...any) error { return strict.Badf(format, args...) }

// errSaid ends a command that has already reported the error in its output.
var errSaid = errors.New("")

// errTarget ends a command that has already reported a missed target.
var errTarget = errors.New("")

// errStopped ends a command that has already reported an interrupt.
var errStopped = errors.New("")

// run is main without the end of the process: it returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == guardWord {
		return ugi.Guard(args[1:])
	}
	if slices.Equal(args, []string{"--version"}) {
		args = []string{"version"}
	}
	gate := &consent.Gate{Ask: askOn(stdin, stderr)}
	if folder, err := os.UserConfigDir(); err == nil {
		gate.File = filepath.Join(folder, "spar", "commands.jsonl")
	}
	ctx = ugi.WithHost(ctx, ugi.Host{
		Guardian: []string{"spar", guardWord}, Allow: gate.Allow,
		Warn: func(text string) { fmt.Fprintln(stderr, "spar: warning:", plain.Text(text)) },
	})
	ctx, losses := store.WatchFiles(ctx, func(gone error) {
		fmt.Fprintln(stderr, "spar:", plain.Text(gone.Error()))
	})
	ctx, stop := withInterrupts(ctx, losses)
	defer stop()
	root := newRoot()
	root.PersistentFlags().BoolVar(&gate.All, "allow-commands", false, "run the programs of agents of type ugi "+
		"without asking")
	root.SetIn(stdin)
	out := screen.NewOutput(stdout)
	root.SetOut(out)
	root.SetErr(stderr)
	addCompletion(root)
	root.SetArgs(fullHelp(root, args))
	c, err := root.ExecuteContextC(ctx)
	err = asTyped(c, err)
	code, said := ending(ctx, err)
	if lost := losses.Err(); lost != nil {
		code, said = exitFailed, lost.Error()
	}
	if code == exitInterrupted || code == exitFailed && said != "" {
		err = errors.Join(err, lastWord(c, err, cmp.Or(said, "interrupted")))
	}
	if failed := out.Failed(); failed != nil {
		if !errors.Is(err, failed) {
			err = errors.Join(failed, err)
		}
		code, said = exitFailed, err.Error()
	}
	out.ClearProgress()
	if said != "" {
		fmt.Fprintln(screen.NewOutput(stderr), "spar:", plain.Text(plain.Brief(said)))
	}
	return code
}

// ending returns the exit code for the error of a command, and the message that still has to be printed.
func ending(ctx context.Context, err error) (code int, said string) {
	switch {
	case err == nil:
		return exitOK, ""
	case errors.Is(err, errStopped):
		return exitInterrupted, ""
	case errors.As(err, new(*arena.StoppedError)):
		return exitInterrupted, err.Error()
	case errors.Is(err, errSaid):
		return exitFailed, ""
	case errors.Is(err, errTarget):
		return exitTarget, ""
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return exitInterrupted, "interrupted"
	case strict.IsBadInput(err):
		return exitUsage, err.Error()
	}
	return exitFailed, err.Error()
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "spar",
		Short: "Self-play for abstract board games: agents, tournaments, ratings, balance",
		Long: `Spar plays agents for abstract board games against each other, many games at once, and says with
error bars which agent is stronger and whether the rules are fair. You describe a game in a
YAML file that combines ready-made mechanics.

Name games, agents and tournaments by their shipped name (see "spar rules list") or by the path of a .yaml file.

Exit codes:

  0    done; also when an interrupt ends serve, ugi or worker
  1    the work failed, or a check found an error
  2    the input is wrong; nothing was written
  3    a target is not met
  130  interrupted (SIGINT or SIGTERM); finished games are stored; run the same
       command again to continue

After the first interrupt Spar finishes and stores games in play; a second one stops it within a second.`,
		Example: `  spar run quickstart   # games, standings, a page per game
  spar play --rules vanishing random greedy
  spar rules show checkerboard`,
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			return checkFlags(c)
		},
	}
	root.SetFlagErrorFunc(flagError)
	for _, g := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"games", "Design games:", []*cobra.Command{
			rulesCommand(), playCommand(), balanceCommand(),
			sweepCommand(), reportCommand(), diagramCommand(), perftCommand(),
		}},
		{"agents", "Compare agents:", []*cobra.Command{
			agentsCommand(), runCommand(), matchCommand(), ablateCommand(), standingsCommand(), tuneCommand(), learnCommand(),
			planCommand(), sprtCommand(), rateCommand(), chooseCommand(),
		}},
		{"studies", "Look into a study:", []*cobra.Command{
			studyCommand(), plotCommand(), gamesCommand(),
			showCommand(), replayCommand(), analyzeCommand(), serveCommand(), verifyCommand(), exportCommand(), importCommand(),
		}},
		{"truth", "Solve and prove:", []*cobra.Command{
			solveCommand(), accuracyCommand(),
			bookCommand(), predictCommand(),
		}},
		{"other", "Other:", []*cobra.Command{
			benchCommand(), ugiCommand(), envCommand(), yamlTopic(), jsonTopic(),
			workerCommand(), versionCommand(),
		}},
	} {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.id
			root.AddCommand(c)
		}
	}
	root.SetCompletionCommandGroupID("other")
	root.SetHelpCommand(helpCommand(root))
	root.SetHelpCommandGroupID("other")
	root.InitDefaultHelpCmd()
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { writeHelp(c.OutOrStdout(), c, false) })
	eachBelow(root, wrapArgs, refuseUnknown, takeOnce, oneForm)
	refuseRemoved(root)
	return root
}

// addCompletion adds the command that writes shell completions to root.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil && c != root {
		eachBelow(c, wrapArgs, refuseUnknown)
	}
}

// eachBelow calls functions for a command and for all commands below it.
func eachBelow(c *cobra.Command, do ...func(*cobra.Command)) {
	for _, f := range do {
		f(c)
	}
	for _, sub := range c.Commands() {
		eachBelow(sub, do...)
	}
}

// mainCommands returns the commands described on the first screen of help.
func mainCommands() []string {
	return strings.Fields("run play rules balance match agents standings report serve solve tune learn")
}

// refuseUnknown makes a misspelt subcommand a usage error with a suggestion, for a command that only has subcommands.
// Without a subcommand such a command prints its help.
func refuseUnknown(c *cobra.Command) {
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	if len(names) == 0 || c.Runnable() {
		return
	}
	c.DisableFlagsInUseLine = true
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return usagef("unknown command %q for %q%s", args[0], c.CommandPath(), strict.Suggest(args[0], names))
	}
}

// wrapArgs makes a wrong number of arguments a usage error that shows the line of usage. It turns the "arg(s)" of cobra
// into words.
func wrapArgs(c *cobra.Command) {
	words := strings.NewReplacer(" 1 arg(s)", " 1 argument", "arg(s)", "arguments")
	if check := c.Args; check != nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usagef("%s; usage: %s", words.Replace(err.Error()), cmd.UseLine())
			}
			return nil
		}
	}
}

// flagError explains what the value of a flag must be, since the original error only says that it could not be
// parsed. For an unknown flag it suggests a name.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		// -db is three letters to pflag, a word to people
		given := cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName())
		if now := removedFlag(c, given); now != "" {
			return usagef("--%s is gone: %s", given, now)
		}
		return usagef("%w%s", err, nearFlag(c, given))
	}
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return strict.Bad(err)
	}
	cause := errors.Unwrap(bad)
	var number *strconv.NumError
	want := ""
	switch {
	case errors.Is(cause, strconv.ErrRange):
		want = "the number is too large"
	case errors.As(cause, &number):
		want = map[string]string{
			"ParseFloat": "expected a number", "ParseBool": "expected true or false",
			"ParseUint": "expected a whole number, 0 or more",
		}[number.Func]
		want = cmp.Or(want, "expected a whole number")
	case bad.GetFlag().Value.Type() == "duration" && !errors.As(cause, new(twiceError)):
		want = "expected a time with its unit, like 90s or 2m"
	default:
		return strict.Bad(err)
	}
	return usagef("%s%s", strings.TrimSuffix(err.Error(), cause.Error()), want)
}

// nearFlag suggests the flag with the most similar name. If there is none, it says where flags are listed.
func nearFlag(c *cobra.Command, given string) string {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := strict.Nearest(given, names); near != "" {
		return "; did you mean --" + near + "?"
	}
	return fmt.Sprintf(" (see %q)", c.CommandPath()+" --help")
}

// decimal is a flag value that must be a decimal integer. It does not accept octal numbers, because 010 would be
// ambiguous.
type decimal struct{ pflag.Value }

func (d decimal) Set(text string) error {
	if digits := strings.TrimLeft(text, "+-"); len(digits) > 1 && digits[0] == '0' &&
		strings.Trim(digits, "0123456789_") == "" {
		return errors.New("expected a whole number without leading zeros, which some programs read as octal")
	}
	return d.Value.Set(text)
}

// twiceError says that a value was already given.
type twiceError struct{ what, first string }

func (e twiceError) Error() string {
	return fmt.Sprintf("%s given twice, first as %s", e.what, e.first)
}

// once is the value of a flag that may be given only once. Without it, the last of several values would be used
// silently.
type once struct {
	pflag.Value
	given *string
}

func (o *once) Set(text string) error {
	if o.given != nil {
		return twiceError{"it is", *o.given}
	}
	o.given = &text
	return o.Value.Set(text)
}

// keyed is the value of a flag that is repeated for several keys, like --set; each key may have one value.
type keyed struct {
	pflag.Value
	pflag.SliceValue
	given map[string]string // values that were given, by key
}

func (k keyed) Set(text string) error {
	key, _, stated := strings.Cut(text, "=")
	if first, again := k.given[key]; again && stated {
		return twiceError{key + " is", first}
	}
	k.given[key] = text
	return k.Value.Set(text)
}

// takeOnce makes repeated values errors: a flag that is not repeatable given
// twice, and a key given twice in a repeatable flag. It also makes all integer flags decimal.
func takeOnce(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		list, repeatable := f.Value.(pflag.SliceValue)
		switch kind := f.Value.Type(); {
		case repeatable && slices.Contains([]string{"set", "agent-set", "plan-set"}, f.Name):
			f.Value, f.DefValue = keyed{f.Value, list, map[string]string{}}, "" // which no help mentions
		case repeatable:
		case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "uint"):
			f.Value = &once{Value: decimal{f.Value}}
		default:
			f.Value = &once{Value: f.Value}
		}
	})
}
