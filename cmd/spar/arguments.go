package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
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
	"spar/engines/rules"
	"spar/reports/serve"
)

// Arguments and flags that many commands have: games, agents, studies, plans, sizes, addresses.

// gameFlags are a game, as the argument or with --rules, and overrides of its knobs.
type gameFlags struct {
	Name string   `flag:"rules,r"`
	Set  []string `flag:"set"`
}

func (o *gameFlags) attach(c *cobra.Command) {
	c.ValidArgsFunction = shipped(configs.Games)
	c.Args = func(c *cobra.Command, args []string) error {
		if changed(c, "rules") {
			return rulesOnce(args)
		}
		if err := cobra.ExactArgs(1)(c, args); err != nil {
			return err
		}
		o.Name = args[0]
		return nil
	}
}

// load compiles the game.
func (o *gameFlags) load() (*engines.Game, error) { return loadGame(o.Name, o.Set) }

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

// gamesArgument are several games, as arguments or with --rules, and overrides for all of them.
type gamesArgument struct {
	Names []string `flag:"rules,r" help:"a game or its .yaml file, instead of the arguments (repeatable)"`
	Set   []string `flag:"set"`
	least int
}

func (o *gamesArgument) attach(c *cobra.Command) {
	c.ValidArgsFunction = shipped(configs.Games)
	c.Args = func(c *cobra.Command, args []string) error {
		if changed(c, "rules") {
			return rulesOnce(args)
		}
		o.Names = args
		return cobra.MinimumNArgs(o.least)(c, args)
	}
}

// load compiles the games.
func (o *gamesArgument) load() (games []*engines.Game, err error) {
	for _, name := range o.Names {
		g, err := loadGame(name, o.Set)
		if err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	return games, nil
}

// rulesOnce returns an error if there are both arguments and --rules.
func rulesOnce(args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("the rules are given twice: with --rules and as %s", args[0])
	}
	return nil
}

// playedGames are games that are played one after another, and overrides for all of them.
type playedGames struct {
	List []string `flag:"rules,r" help:"a game or its .yaml file, or several separated by commas (repeatable; default classic)"`
	Set  []string `flag:"set"`
}

func (o *playedGames) names() []string {
	return strict.SplitList(cmp.Or(strings.Join(o.List, ","), "classic"))
}

// agentFlags are an agent, by name or path, and overrides of its knobs.
type agentFlags struct {
	Name string   `flag:"agent,a"`
	Set  []string `flag:"agent-set"`
}

// load reads the agent.
func (o *agentFlags) load() (agents.Spec, error) { return loadAgent(o.Name, o.Set) }

// knobsByAgent groups overrides of the form NAME:key=value by agent. The agents are named as on the command line
// or in tables. Names can contain colons.
func knobsByAgent(names, set []string) (map[string][]string, error) {
	called := map[string]string{}
	for _, name := range names {
		s, err := agents.LoadSpec(name)
		if err == nil { // what is wrong is said where the agent is loaded
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

// asTyped adds to mistakes about overrides the flags or names with which they were given.
func asTyped(c *cobra.Command, err error) error {
	var bad strict.Errors
	if !errors.As(err, &bad) {
		return err
	}
	typed := map[string]string{}
	note := func(flag, override string) {
		key, _, _ := strings.Cut(override, "=")
		typed[override], typed[key] = flag, flag // the key alone where a flag gives it several values
	}
	labels := func(flag, text string) {
		_, own := rules.SplitLabel(text)
		for _, o := range rules.Overrides(own) {
			note(flag, o)
		}
	}
	for _, text := range c.Flags().Args() {
		labels(text, text)
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		list, ok := f.Value.(pflag.SliceValue)
		if !ok {
			labels("--"+f.Name+" "+f.Value.String(), f.Value.String())
			return
		}
		for _, text := range list.GetSlice() {
			flag := "--" + f.Name + " " + text
			note(flag, text)
			labels(flag, text)
		}
	})
	for i, e := range bad {
		if flag := cmp.Or(typed[e.File], typed[e.Path]); e.Line == 0 && flag != "" {
			bad[i].File = flag
		}
	}
	return err
}

// byFlags adds to mistakes in a plan that a command made from its flags the flags that set the keys. A key that comes
// from an argument, or from several flags, gets no flag.
func byFlags(c *cobra.Command, err error) error {
	var bad strict.Errors
	if !errors.As(err, &bad) {
		return err
	}
	flags := map[string]*pflag.Flag{}
	c.Flags().VisitAll(func(f *pflag.Flag) { flags[tags(f).Get("key")] = f })
	for i, e := range bad {
		if e.Line == 0 { // of an override, see asTyped
			continue
		}
		bad[i] = strict.Error{Message: e.Bare()}
		index := -1
		for path := e.Path; path != ""; path = path[:max(0, strings.LastIndexAny(path, ".["))] {
			if f := flags[path]; f != nil {
				bad[i].File = flagText(f, index)
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
	return strict.Bad(err)
}

// flagText formats a flag in the form in which a user types it, with its value or one of its values.
func flagText(f *pflag.Flag, index int) string {
	text := "--" + f.Name
	if list, ok := f.Value.(pflag.SliceValue); ok {
		if all := list.GetSlice(); index >= 0 && index < len(all) {
			return text + " " + all[index]
		} else {
			return text + " " + strings.Join(all, ",")
		}
	}
	if f.Value.Type() == "bool" {
		return text
	}
	return text + " " + f.Value.String()
}

// planFlags are the flags of commands that read a plan: a tournament, sweep or tuning.
type planFlags struct {
	Set     []string `flag:"set" help:"override a key of the file, like games=50 (repeatable)"`
	Seed    int64    `flag:"seed" key:"seed" help:"seed of all random numbers, instead of the one in the file"`
	DB      string   `flag:"db" key:"database" help:"write the study to this file, not to the one that the plan names"`
	Workers int      `flag:"workers" key:"workers"`
}

// loadPlan loads a tournament, sweep or tuning by its name or path, with the overrides of its keys.
func loadPlan[T any](c *cobra.Command, kind configs.Kind, name string, o *planFlags,
	load func(file string, data []byte, set ...string) (T, error),
) (T, error) {
	if changed(c, "seed") {
		o.Set = append(slices.Clone(o.Set), fmt.Sprintf("seed=%d", o.Seed))
	}
	return untilDone(c.Context(), func() (none T, err error) { // the file may be a pipe
		file, data, err := configs.Read(kind, name)
		if err != nil {
			return none, err
		}
		return load(file, data, o.Set...)
	})
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
	return "; name the study with --db"
}

// defaultStudy is the path of the study that README's quickstart makes.
const defaultStudy = "out/quickstart.db"

// studyFlag is a study, as the argument or with --db. Without a default the command needs one of them.
type studyFlag struct {
	Path string `flag:"db"`
}

func (o *studyFlag) attach(c *cobra.Command) {
	c.Args = func(c *cobra.Command, args []string) error {
		switch {
		case len(args) > 1:
			return fmt.Errorf("%d studies given, expected 1", len(args))
		case len(args) == 1 && changed(c, "db"):
			return studyTwice(args[0])
		case len(args) == 1:
			o.Path = args[0]
		case o.Path == "":
			return errors.New("expected a study: give its file as the argument or with --db")
		}
		return nil
	}
}

// run returns what a command does with the study.
func (o *studyFlag) run(do func(c *cobra.Command, db *store.DB) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error { return withStudy(c, o.Path, do) }
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

// openStudy opens a study that must exist.
func openStudy(ctx context.Context, path string) (*store.DB, error) {
	db, err := store.Open(ctx, path, store.Existing)
	return db, strict.Bad(err)
}

func studyTwice(arg string) error {
	return usagef("the study is given twice: with --db and as %s", arg)
}

// address is the value of a flag: address and port.
type address string

func (a *address) Set(text string) error {
	if _, _, err := net.SplitHostPort(text); err != nil {
		return fmt.Errorf("expected an address and a port, like %s", serve.DefaultListen)
	}
	*a = address(text)
	return nil
}

func (a *address) String() string { return string(*a) }

// Type returns the word for the value in help texts.
func (a *address) Type() string { return "address" }

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

// shipped returns the completion of names of shipped files in the shell.
func shipped(kind configs.Kind) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return configs.Names(kind), cobra.ShellCompDirectiveDefault
	}
}
