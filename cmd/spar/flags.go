package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"spar/agents"
	"spar/arena/store"
	"spar/configs"
	"spar/configs/strict"
	"spar/engines"
)

// The flags here mean the same on every command that has them.

// setFlag adds --set, the overrides of knobs.
func setFlag(c *cobra.Command, set *[]string) {
	c.Flags().StringArrayVar(set, "set", nil, "override a knob of the rules, like pieces.cap=5 (repeatable)")
}

// agentSetFlag adds --agent-set, the overrides of an agent's knobs.
func agentSetFlag(c *cobra.Command, set *[]string) {
	c.Flags().StringArrayVar(set, "agent-set", nil, "override a knob of the agent, like budget.depth=3 (repeatable)")
}

// agentSetsFlag adds --agent-set for commands with several agents: see knobsByAgent.
func agentSetsFlag(c *cobra.Command, set *[]string) {
	c.Flags().StringArrayVar(set, "agent-set", nil, "override a knob of an agent, like mcts-1k:budget.iterations=500 "+
		"(repeatable)")
}

// knobsByAgent groups overrides of the form NAME:key=value by agent. The agents are named as on the command line
// or in tables. Names can contain colons.
func knobsByAgent(names, set []string) (map[string][]string, error) {
	called := map[string]string{}
	for _, name := range names {
		if s, err := agents.LoadSpec(name); err == nil { // what is wrong is said where the agent is loaded
			called[s.Name] = name
		}
	}
	for _, name := range names {
		called[name] = name
	}
	out := map[string][]string{}
	for _, text := range set {
		longest := ""
		for name := range called {
			if strings.HasPrefix(text, name+":") && len(name) > len(longest) {
				longest = name
			}
		}
		if longest == "" {
			name, _, found := strings.Cut(text, ":")
			if !found || strings.Contains(name, "=") {
				return nil, usagef("--agent-set %s: expected NAME:key=value, where NAME is one of %s", text,
					strings.Join(names, ", "))
			}
			return nil, usagef("--agent-set %s: %q does not play%s", text, name, strict.Suggest(name, names))
		}
		name := called[longest]
		out[name] = append(out[name], name+strings.TrimPrefix(text, longest))
	}
	return out, nil
}

// asTyped adds to mistakes about overrides the flags with which the overrides were given.
func asTyped(c *cobra.Command, err error) error {
	var bad strict.Errors
	if !errors.As(err, &bad) {
		return err
	}
	typed := map[string]string{}
	c.Flags().Visit(func(f *pflag.Flag) {
		if list, ok := f.Value.(pflag.SliceValue); ok {
			for _, text := range list.GetSlice() {
				key, _, _ := strings.Cut(text, "=")
				flag := "--" + f.Name + " " + text
				typed[text], typed[key] = flag, flag // the key alone where a flag gives it several values
			}
		}
	})
	for i, e := range bad {
		if flag := cmp.Or(typed[e.File], typed[e.Path]); e.Line == 0 && flag != "" {
			bad[i].File = flag
		}
	}
	return err
}

// byFlags adds to mistakes in a plan that a command made from its flags the flags for the keys. A key that comes
// from an argument, or from several flags, gets no flag.
func byFlags(c *cobra.Command, err error, flags map[string]string) error {
	var bad strict.Errors
	if !errors.As(err, &bad) {
		return err
	}
	for i, e := range bad {
		if e.Line == 0 { // of an override, see asTyped
			continue
		}
		bad[i] = strict.Error{Message: e.Bare()}
		index := -1
		for path := e.Path; path != ""; path = path[:max(0, strings.LastIndexAny(path, ".["))] {
			if name, ok := flags[path]; ok {
				bad[i].File = flagText(c, name, index)
				break
			}
			if at := strings.LastIndexByte(path, '['); at > strings.LastIndexByte(path, '.') {
				index, _ = strconv.Atoi(strings.TrimSuffix(path[at+1:], "]"))
			}
		}
	}
	return err
}

// optionForm matches errors of packages about their options: "learn: lambda 2: expected 0 to 1", "patterns: open: ...".
var optionForm = regexp.MustCompile(`^\w+: (\w+)((?: \S+)?: .*)$`)

// byOption adds the name of the flag to a package's error about an option.
func byOption(c *cobra.Command, err error) error {
	if parts := optionForm.FindStringSubmatch(err.Error()); parts != nil {
		for _, name := range []string{parts[1], parts[1] + "-plies"} {
			if c.Flags().Lookup(name) != nil {
				return usagef("--%s%s", name, parts[2])
			}
		}
	}
	return usageError{err}
}

// flagText formats a flag in the form in which a user types it, with its value or one of its values.
func flagText(c *cobra.Command, name string, index int) string {
	value := c.Flags().Lookup(name).Value
	if value.Type() == "bool" {
		return "--" + name
	}
	text := value.String()
	if list, ok := value.(pflag.SliceValue); ok {
		all := list.GetSlice()
		if text = strings.Join(all, ","); index >= 0 && index < len(all) {
			text = all[index]
		}
	}
	return "--" + name + " " + text
}

// workersFlag adds --workers, the number of games at a time.
func workersFlag(c *cobra.Command, workers *int) {
	c.Flags().IntVar(workers, "workers", 0, "games at the same time; 0 = one per core")
}

// everySeedFlag adds --seed, the seed of all random numbers of a command.
func everySeedFlag(c *cobra.Command, seed *int64) {
	c.Flags().Int64Var(seed, "seed", 1, "seed of everything random")
}

// jsonFlag adds --json; see wantsJSON.
func jsonFlag(c *cobra.Command) {
	c.Flags().Bool("json", false, "print JSON, one object per line")
}

// rulesFlag adds --rules, a game by name or path.
func rulesFlag(c *cobra.Command, rules *string, usage string) {
	c.Flags().StringVarP(rules, "rules", "r", *rules, usage)
	completes(c, "rules", gameNames)
}

// gameFlags are a game, by name or path, and overrides of its knobs.
type gameFlags struct {
	name string
	set  []string
}

// argument lets a command take the game as its argument or by --rules, and adds --set.
func (o *gameFlags) argument(c *cobra.Command) {
	rulesArgument(c, &o.name)
	setFlag(c, &o.set)
}

// load compiles the game.
func (o *gameFlags) load() (*engines.Game, error) { return loadGame(o.name, o.set) }

// run returns what a command does with the game.
func (o *gameFlags) run(do func(c *cobra.Command, g *engines.Game) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error {
		g, err := o.load()
		if err != nil {
			return err
		}
		return do(c, g)
	}
}

// agentFlags are an agent, by name or path, and overrides of its knobs.
type agentFlags struct {
	name string
	set  []string
}

// flags adds --agent, with the present name as the default, and --agent-set.
func (o *agentFlags) flags(c *cobra.Command, usage string) {
	agentFlag(c, &o.name, usage)
	agentSetFlag(c, &o.set)
}

// load reads the agent.
func (o *agentFlags) load() (agents.Spec, error) { return loadAgent(o.name, o.set) }

// agentFlag adds --agent, an agent by name or path. The present value is the default.
func agentFlag(c *cobra.Command, agent *string, usage string) {
	c.Flags().StringVarP(agent, "agent", "a", *agent, usage)
	completes(c, "agent", agentNames)
}

func completes(c *cobra.Command, flag string, names cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, names); err != nil {
		panic(err) // the flag was added in the line before
	}
}

// gamesFlag adds --rules for commands that play several games, one after another. It returns a function that
// returns the games when the command runs.
func gamesFlag(c *cobra.Command) (games func() []string) {
	rules := c.Flags().StringArrayP("rules", "r", []string{"classic"}, "a game, or several separated by commas "+
		"(repeatable)")
	completes(c, "rules", gameNames)
	return func() []string { return strict.SplitList(strings.Join(*rules, ",")) }
}

// seedFlag adds --seed, which overrides the seed in the command's file. It returns a function that adds it to the
// overrides of that file.
func seedFlag(c *cobra.Command) (with func(set []string) []string) {
	seed := c.Flags().Int64("seed", 0, "seed of all random numbers, instead of the file's")
	apartFrom(c, "set", map[string]string{"seed": "seed"})
	return func(set []string) []string {
		if !c.Flags().Changed("seed") {
			return set
		}
		return append(slices.Clone(set), fmt.Sprintf("seed=%d", *seed))
	}
}

// rulesArgument lets a command take its rules as its one argument or by --rules.
func rulesArgument(c *cobra.Command, rules *string) {
	rulesFlag(c, rules, "the game, instead of the argument")
	c.ValidArgsFunction = gameNames
	c.Args = func(c *cobra.Command, args []string) error {
		if c.Flags().Changed("rules") {
			return rulesOnce(args)
		}
		if err := cobra.ExactArgs(1)(c, args); err != nil {
			return err
		}
		*rules = args[0]
		return nil
	}
}

// rulesArguments lets a command take several rules as arguments or by --rules, at least a given number.
func rulesArguments(c *cobra.Command, rules *[]string, least int) {
	c.Flags().StringArrayVarP(rules, "rules", "r", nil, "a game, instead of the arguments (repeatable)")
	completes(c, "rules", gameNames)
	c.ValidArgsFunction = gameNames
	c.Args = func(c *cobra.Command, args []string) error {
		if c.Flags().Changed("rules") {
			return rulesOnce(args)
		}
		*rules = args
		return cobra.MinimumNArgs(least)(c, args)
	}
}

// rulesOnce returns an error if there are both arguments and --rules.
func rulesOnce(args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("the rules are given twice: by --rules and as %s", args[0])
	}
	return nil
}

// noArgs makes a command return an error if it has arguments.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %q%s", args[0], byDB(c, args[0]))
}

// byDB explains how to name the study if the arguments of a command are something else.
func byDB(c *cobra.Command, arg string) string {
	if !strings.HasSuffix(arg, ".db") || c.Flags().Lookup("db") == nil {
		return ""
	}
	return "; a study is named by --db"
}

// defaultStudy is the path of the study that README's quickstart makes.
const defaultStudy = "out/quickstart.db"

// studyArgument lets a command accept its study as its one argument or by --db. If neither is given, the present
// value of path is used; if that is empty, the argument is required.
func studyArgument(c *cobra.Command, path *string) {
	fallback := *path
	c.Flags().StringVar(path, "db", fallback, "the study, instead of the argument")
	c.Args = func(c *cobra.Command, args []string) error {
		switch {
		case len(args) > 1:
			return fmt.Errorf("%d studies given, expected 1", len(args))
		case len(args) == 1 && c.Flags().Changed("db"):
			return studyTwice(args[0])
		case len(args) == 1:
			*path = args[0]
		case *path == "":
			return errors.New("expected a study: its file as the argument, or by --db")
		}
		return nil
	}
}

// onStudy returns what a command does with the study that studyArgument reads.
func onStudy(path *string, do func(c *cobra.Command, db *store.DB) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error { return withStudy(c, *path, do) }
}

// withStudy opens a study that must exist, and closes it after do.
func withStudy(c *cobra.Command, path string, do func(c *cobra.Command, db *store.DB) error) error {
	db, err := openStudy(c.Context(), path)
	if err != nil {
		return err
	}
	defer db.Close()
	return do(c, db)
}

func studyTwice(arg string) error {
	return fmt.Errorf("the study is given twice: by --db and as %s", arg)
}

// positionFlags adds flags for a position: its text, moves from the start, or moves after the position.
func positionFlags(c *cobra.Command, position, moves *string) {
	c.Flags().StringVar(position, "position", "", "position text")
	c.Flags().StringVar(moves, "moves", "", "moves, space-separated")
}

// memoryFlag adds --memory, a number of bytes. The present value is the default.
func memoryFlag(c *cobra.Command, bytes *int64, usage string) {
	c.Flags().Var((*byteCount)(bytes), "memory", usage+", with a unit, like 4GB, 500MB or 64MiB")
}

// byteCount is the value of a flag in bytes, written with a unit.
type byteCount int64

// units are the units of byteCount, the largest first.
var units = []struct {
	name  string
	bytes int64
}{
	{"TiB", 1 << 40},
	{"TB", 1e12},
	{"GiB", 1 << 30},
	{"GB", 1e9},
	{"MiB", 1 << 20},
	{"MB", 1e6},
	{"KiB", 1 << 10},
	{"kB", 1e3},
	{"B", 1},
}

var sizeForm = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?) ?([A-Za-z]+)$`)

// Set parses a size. Letters can be upper or lower case.
func (n *byteCount) Set(text string) error {
	parts := sizeForm.FindStringSubmatch(text)
	if parts == nil {
		return errors.New("expected a size with a unit, like 4GB, 500MB or 64MiB")
	}
	for _, u := range units {
		if !strings.EqualFold(u.name, parts[2]) {
			continue
		}
		x, err := strconv.ParseFloat(parts[1], 64)
		if err != nil || x*float64(u.bytes) < 1 || x*float64(u.bytes) >= math.MaxInt64 {
			return errors.New("expected at least 1B and less than 8EiB")
		}
		*n = byteCount(x * float64(u.bytes))
		return nil
	}
	return fmt.Errorf("unknown unit %q: expected B, kB, MB, GB, TB, KiB, MiB, GiB or TiB", parts[2])
}

// String formats the size with the largest unit that gives a whole number.
func (n *byteCount) String() string {
	for _, u := range units {
		if *n > 0 && int64(*n)%u.bytes == 0 {
			return fmt.Sprintf("%d%s", int64(*n)/u.bytes, u.name)
		}
	}
	return ""
}

// Type returns the word for the value in help texts.
func (n *byteCount) Type() string { return "size" }

// gameNames completes names of games in the shell.
func gameNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return configs.Names(configs.Games), cobra.ShellCompDirectiveDefault
}

func agentNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return configs.Names(configs.Agents), cobra.ShellCompDirectiveDefault
}

func tournamentNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return configs.Names(configs.Tournaments), cobra.ShellCompDirectiveDefault
}
