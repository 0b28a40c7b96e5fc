// Mutate makes small changes in the packages that decide results, one at a time, and runs the tests that should
// notice. It prints the changes that no test noticed, and the fraction that were killed.
//
//	go run ./.ci/mutate                                  every mutant of every package: hours
//	go run ./.ci/mutate --sample 60 --seed 2 ./ratings   60 of package ratings
//	go run ./.ci/mutate --of 60 --seed 2 ./arena/...     60 of all that the packages have, each as likely
//	go run ./.ci/mutate --only 'stop.go:12[0-9]:' ./arena
//	go run ./.ci/mutate --list ./tuning/...
//	go run ./.ci/mutate --dark ./reports/...             quick: those in lines that no test of their package runs
//
// It flips comparisons (< to <= and to >=, == to !=, and so on), + and -, && and ||, turns 0 into 1 and 1 into 0,
// drops a minus or a !, negates conditions and drops guards (an if that ends in return, continue or break is never
// taken, unless it only returns an error). The 0 next to a returned error is not changed. Mutants that do not
// compile do not count. Changes use -overlay, so the working tree is never modified. A mutant that no test reaches
// survives without being run; one that exceeds the time limit is killed. After an interrupt, Mutate prints the
// results so far.
//
// It does not change layout: the coordinates of a drawing, and which columns of a table are right-aligned. It is
// not part of .ci/run.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/build"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// extra names tests outside a package that also specify it: scripts of the command line, and packages above. They
// run for mutants that the package's own tests do not kill. A folder that ends in /... means all folders below it.
var extra = []struct {
	folder string
	test   suite
}{
	{"arena", suite{"./cmd/spar", "TestScripts/(run|plan|faults|match|interrupt)$"}},
	{"arena/evidence", suite{"./arena", ""}},
	{"arena/study", suite{"./arena", ""}},
	{"arena/store", suite{"./arena/transfer", ""}},
	{"arena/store", suite{"./cmd/spar", "TestScripts/(study|standings|damage)$"}},
	{"arena/remote", suite{"./cmd/spar", "TestScripts/machines$"}},
	{"arena/remote", suite{"./cmd/spar", "Test(Machines|LearnOnMachines|CalibrateOnMachines)$"}},
	{"arena/transfer", suite{"./cmd/spar", "TestScripts/transfer$"}},
	{"reports/balance", suite{"./cmd/spar", "TestScripts/balance$"}},
	{"arena/campaign", suite{"./reports/balance", ""}},
	{"tuning", suite{"./cmd/spar", "TestScripts/tune$"}},
	{"tuning/fit", suite{"./tuning", ""}},
	{"tuning/optimise", suite{"./tuning", ""}},
	{"tuning/sweep", suite{"./cmd/spar", "TestScripts/sweep$"}},
	{"reports/standings", suite{"./cmd/spar", "TestScripts/(standings|rate)$"}},
	{"reports/review", suite{"./cmd/spar", "TestScripts/analyze$"}},
	{"reports/pages", suite{"./cmd/spar", "TestScripts/(balance|sweep)$"}},
	{"reports/serve/session", suite{"./reports/serve", ""}},
	{"reports/ablation", suite{"./cmd/spar", "TestScripts/ablate$"}},
	{"reports/figures", suite{"./cmd/spar", "TestScripts/plot$"}},
	{"reports/record", suite{"./cmd/spar", "TestScripts/record$"}},
	{"reports/screen", suite{"./cmd/spar", "TestScripts/(standings|study)$"}},
	{"reports/puzzles", suite{"./cmd/spar", "TestScripts/puzzles$"}},
	{"reports/trial", suite{"./cmd/spar", "TestScripts/calibrate$"}},
	{"reports/chart", suite{"./reports/pages", ""}},
	{"reports/page", suite{"./reports/pages", ""}},
}

// slow names tests that run last: only for mutants that the other tests of the package do not kill.
var slow = map[string]string{
	"ratings":    "^(TestCoverage|TestNeverNonsense|TestCriticalValues)$",
	"tuning":     "^(TestPlantedWeightsAreFound|TestSameResultOnAnyWorkersAndAfterAnyStops|TestOpeningsAreDisjoint|TestNothingIsFoundWhereThereIsNothing)$",
	"tuning/fit": "^(TestWeightsAndCoverage|TestCalibration|TestPhases|TestRidgeIsChosenByGame)$",
	"arena":      "^(TestSparOverUGI|TestWithdrawal|TestFaultyEngines)$",
}

// suite is the tests of a package: all of them, or those that match.
type suite struct{ pkg, run string }

func (s suite) String() string { return strings.TrimSpace(s.pkg + " " + s.run) }

func (s suite) args() []string {
	// without tables for debuggers, which take long to link
	args := []string{"-vet=off", "-count=1", "-failfast", "-ldflags=-w", s.pkg}
	if s.run != "" {
		args = append(args, "-run", s.run)
	}
	return args
}

// stages returns the arguments of go test for a suite, with the quick tests first.
func (s suite) stages() [][]string {
	put := slow[strings.TrimPrefix(s.pkg, "./")]
	if put == "" || s.run != "" {
		return [][]string{s.args()}
	}
	return [][]string{append(s.args(), "-skip", put), append(s.args(), "-run", put)}
}

// options are the flags of this program.
type options struct {
	sample int
	of     int
	seed   uint64
	only   *regexp.Regexp
	list   bool
	own    bool
	dark   bool
	limit  time.Duration
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	fs := flag.NewFlagSet("mutate", flag.ContinueOnError)
	fs.SetOutput(errs)
	var o options
	fs.IntVar(&o.sample, "sample", 0, "try this many mutants of each package; 0 = all")
	fs.IntVar(&o.of, "of", 0, "try this many mutants of all packages together, all with the same probability; 0 = see "+
		"--sample")
	fs.Uint64Var(&o.seed, "seed", 1, "seed of the sample")
	only := fs.String("only", "", "try those whose FILE:LINE: CHANGE matches")
	fs.BoolVar(&o.list, "list", false, "list mutants, run nothing")
	fs.BoolVar(&o.own, "own", false, "run only the tests of the package itself: faster, and more mutants survive")
	fs.BoolVar(&o.dark, "dark", false, "only list the mutants that no test of the package reaches")
	fs.DurationVar(&o.limit, "limit", 2*time.Minute, "time limit of one run of tests")
	if err := fs.Parse(args); err != nil {
		return err
	}
	var err error
	if o.only, err = regexp.Compile(*only); err != nil {
		return err
	}
	patterns := fs.Args()
	if len(patterns) == 0 {
		patterns = []string{"./arena/...", "./ratings/...", "./tuning/...", "./reports/..."}
	}
	root, err := command("go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return err
	}
	if err := os.Chdir(root); err != nil {
		return err
	}
	folders, err := command("go", append([]string{"list", "-f", "{{.Dir}}"}, patterns...)...)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	var packs []*pack
	var places []int // of packs, one for each of their mutants
	for _, dir := range strings.Fields(folders) {
		if dir, err = filepath.Rel(root, dir); err != nil {
			return err
		}
		p := &pack{dir: dir, o: o, out: out, scratch: scratch}
		if err := p.find(); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		places = append(places, slices.Repeat([]int{len(packs)}, len(p.found))...)
		packs = append(packs, p)
	}
	if o.of > 0 {
		shuffle(o.seed, places)
		for i, p := range packs {
			p.o.sample = 0
			for _, at := range places[:min(o.of, len(places))] {
				if at == i {
					p.o.sample++
				}
			}
		}
		packs = slices.DeleteFunc(packs, func(p *pack) bool { return p.o.sample == 0 })
	}
	var all []tally
	for _, p := range packs {
		t, err := p.try(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", p.dir, err)
		}
		if t.tried > 0 {
			all = append(all, t)
		}
	}
	if !o.list {
		summarise(out, all)
	}
	return nil
}

// tally is the result for a package.
type tally struct {
	dir                     string
	possible                int // number of possible mutants
	tried, killed, timedOut int
	survived, unreached     int
}

func (t *tally) add(u tally) {
	t.tried += u.tried
	t.killed += u.killed
	t.timedOut += u.timedOut
	t.unreached += u.unreached
	t.survived += u.survived
	t.possible += u.possible
}

func summarise(out io.Writer, all []tally) {
	sum := map[string]*tally{}
	var tops []string
	fmt.Fprintf(out, "%-26s %9s %6s %7s %8s %9s %10s %7s\n",
		"package", "possible", "tried", "killed", "by time", "survived", "unreached", "share")
	line := func(t tally) {
		fmt.Fprintf(out, "%-26s %9d %6d %7d %8d %9d %10d %5.0f %%\n", t.dir, t.possible, t.tried, t.killed, t.timedOut,
			t.survived, t.unreached, 100*float64(t.killed)/float64(max(1, t.tried)))
	}
	for _, t := range all {
		line(t)
		top, _, _ := strings.Cut(t.dir, "/")
		if sum[top] == nil {
			sum[top] = &tally{dir: top + " in all"}
			tops = append(tops, top)
		}
		sum[top].add(t)
	}
	for _, top := range tops {
		line(*sum[top])
	}
}

// pack tests the mutants of one package.
type pack struct {
	dir     string
	o       options
	out     io.Writer
	scratch string
	found   []mutant
	suites  []suite
	cover   map[suite]coverage // lines that the tests reach; nil coverage means unknown: they may reach everything
}

// find lists the mutants of the package.
func (p *pack) find() error {
	files, err := filepath.Glob(filepath.Join(p.dir, "*.go"))
	if err != nil {
		return err
	}
	for _, f := range files {
		built, err := build.Default.MatchFile(p.dir, filepath.Base(f))
		if err != nil {
			return err
		}
		if !built || strings.HasSuffix(f, "_test.go") {
			continue // files of other systems are not built here
		}
		found, err := mutants(f)
		if err != nil {
			return err
		}
		p.found = append(p.found, found...)
	}
	p.found = slices.DeleteFunc(p.found, func(m mutant) bool { return !p.o.only.MatchString(m.where()) })
	return nil
}

// shuffle puts things into a random order that depends on a seed.
func shuffle[T any](seed uint64, of []T) {
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
}

func (p *pack) try(ctx context.Context) (tally, error) {
	t, ms := tally{dir: p.dir}, p.found
	t.possible = len(ms)
	if p.o.list {
		for _, m := range ms {
			fmt.Fprintln(p.out, m.where())
		}
		return t, nil
	}
	if len(ms) == 0 {
		return t, nil
	}
	shuffle(p.o.seed, ms)
	if err := p.measure(ctx); err != nil {
		return t, err
	}
	if p.o.dark {
		slices.SortStableFunc(ms, func(a, b mutant) int { return cmp.Or(cmp.Compare(a.file, b.file), a.line-b.line) })
		for _, m := range ms {
			if !slices.ContainsFunc(p.suites, func(s suite) bool { return p.cover[s].reaches(m) }) {
				t.tried++
				t.unreached++
				fmt.Fprintln(p.out, m.where())
			}
		}
		return t, nil
	}
	for _, m := range ms {
		if p.o.sample > 0 && t.tried >= p.o.sample || ctx.Err() != nil {
			break
		}
		v, err := p.judge(ctx, m)
		if err != nil {
			return t, err
		}
		if ctx.Err() != nil {
			break // it was ended, not judged
		}
		if v == broken {
			continue
		}
		t.tried++
		switch v {
		case killed:
			t.killed++
			continue
		case timedOut:
			t.killed++
			t.timedOut++
			continue
		}
		note := "survived"
		t.survived++
		if v == unreached {
			t.unreached++
			note = "no test reaches this"
		}
		fmt.Fprintf(p.out, "%s: %s\n", m.where(), note)
	}
	return t, nil
}

// measure lists the tests of the package and which lines each of them reaches. If one of them fails without a
// change, or if there are none, it returns an error, because then all mutants would seem to be killed, or none.
func (p *pack) measure(ctx context.Context) error {
	p.suites = nil
	p.cover = map[suite]coverage{}
	own := suite{"./" + p.dir, ""}
	if tests, _ := filepath.Glob(filepath.Join(p.dir, "*_test.go")); len(tests) > 0 {
		p.suites = append(p.suites, own)
	}
	for _, e := range extra {
		above, below := strings.CutSuffix(e.folder, "/...")
		if !p.o.own && !p.o.dark && (p.dir == e.folder || below && strings.HasPrefix(p.dir, above+"/")) {
			p.suites = append(p.suites, e.test)
		}
	}
	for _, s := range p.suites {
		profile := filepath.Join(p.scratch, "cover")
		args := append([]string{"test"}, s.args()...)
		if s.run == "" { // a script runs spar in processes of its own: what it reaches is not known
			args = append(args, "-coverpkg=./"+p.dir, "-coverprofile="+profile)
		}
		text, err := exec.CommandContext(ctx, "go", args...).CombinedOutput()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return fmt.Errorf("tests of %s fail before anything is changed:\n%s", s, text)
		case bytes.Contains(text, []byte("[no tests to run]")):
			return fmt.Errorf("%s matches no test", s)
		case s.run != "":
			p.cover[s] = nil
			continue
		}
		c, err := readCoverage(profile, p.dir)
		if err != nil {
			return err
		}
		p.cover[s] = c
	}
	return nil
}

// verdict is the result for a mutant.
type verdict int

const (
	broken verdict = iota // the mutant does not compile
	killed
	timedOut
	survived
	unreached
)

func (p *pack) judge(ctx context.Context, m mutant) (verdict, error) {
	changed := filepath.Join(p.scratch, "changed.go")
	if err := os.WriteFile(changed, m.text(), 0o644); err != nil {
		return broken, err
	}
	full, err := filepath.Abs(m.file)
	if err != nil {
		return broken, err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {full: changed}})
	if err != nil {
		return broken, err
	}
	overlay := filepath.Join(p.scratch, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o644); err != nil {
		return broken, err
	}
	out := unreached
	for _, s := range p.suites {
		if !p.cover[s].reaches(m) {
			continue
		}
		for _, args := range s.stages() {
			if out = p.runTests(ctx, args, overlay); out != survived {
				return out, nil
			}
		}
	}
	if out == unreached {
		if err := exec.Command("go", "build", "-overlay", overlay, "./"+p.dir).Run(); err != nil {
			return broken, nil
		}
	}
	return out, nil
}

// runTests runs tests on a mutant. It limits their memory, because an endless loop may allocate without limit.
func (p *pack) runTests(ctx context.Context, tests []string, overlay string) verdict {
	ctx, cancel := context.WithTimeout(ctx, p.o.limit+time.Minute)
	defer cancel()
	args := append([]string{
		"-c", `ulimit -v 12000000; exec "$@"`, "sh", "go", "test", "-overlay", overlay, "-timeout",
		p.o.limit.String(),
	}, tests...)
	c := exec.CommandContext(ctx, "sh", args...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // go test ends with the test binaries that it has started
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	var text bytes.Buffer
	c.Stdout, c.Stderr = &text, &text
	before := failFiles()
	err := c.Run()
	for _, f := range failFiles() { // a property that a mutant breaks is no failure of ours to keep
		if !slices.Contains(before, f) {
			_ = os.Remove(f)
			_ = os.Remove(filepath.Dir(f)) // if it is empty now
		}
	}
	switch {
	case err == nil:
		return survived
	case ctx.Err() != nil, bytes.Contains(text.Bytes(), []byte("panic: test timed out")):
		return timedOut
	case bytes.Contains(text.Bytes(), []byte(" [build failed]")):
		return broken
	}
	return killed
}

// failFiles lists the files in which property tests have stored failures, in packages up to two folders deep.
func failFiles() []string {
	var out []string
	for _, depth := range []string{"*", "*/*"} {
		found, _ := filepath.Glob(depth + "/testdata/rapid/*/*.fail") // the pattern is well formed
		out = append(out, found...)
	}
	return out
}

func command(name string, args ...string) (string, error) {
	text, err := exec.Command(name, args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("%s: %s", name, exit.Stderr)
	}
	return strings.TrimSpace(string(text)), err
}
