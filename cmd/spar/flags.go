package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"spar/arena/store"
	"spar/configs"
	"spar/configs/files"
	"spar/configs/plain"
	"spar/configs/strict"
	"spar/reports/page"
)

// A flag is a field of a struct. Its tags say everything about it:
//
//	flag:"NAME,LETTER=DEFAULT"  its name, and if it has them a letter and a default; a list has the default of its field
//	help:"..."                  what it means; by default what it means on every command (see commonHelp), or what the key
//	                            of a file means that is the same field
//	one:"a b c"                 the words that it may be
//	range:"[1,64]"              the numbers that it may be; a round bracket excludes an end; an end may be missing
//	needs:"a b"                 flags of which one must be given, too, if the command has any of them
//	not:"a b"                   flags that must not be given, too
//	key:"openings.plies"        the key of the plan that it sets
//	file:".yaml .yml"           it names a file to write, with one of these endings; empty = any
//	page:""                     it names a page or a folder to write
//	list:"comma"                its texts are separated by commas
//	in:"Gate"                   group in the help of flags that few people need

// declare adds the flags of structs, and of all structs in them, to a command. A struct with a method attach can do more.
func declare(c *cobra.Command, options ...any) {
	var exclude []func()
	var add func(v reflect.Value)
	add = func(v reflect.Value) {
		for field, v := range v.Fields() {
			if !field.IsExported() && !field.Anonymous {
				continue
			}
			if _, isFlag := field.Tag.Lookup("flag"); isFlag {
				name := addFlag(c, field.Tag, v)
				for other := range strings.FieldsSeq(field.Tag.Get("not")) {
					exclude = append(exclude, func() { c.MarkFlagsMutuallyExclusive(name, other) })
				}
			} else if v.Kind() == reflect.Struct {
				add(v)
			}
		}
		if v.CanInterface() {
			if more, ok := v.Addr().Interface().(interface{ attach(c *cobra.Command) }); ok {
				more.attach(c)
			}
		}
	}
	for _, o := range options {
		add(reflect.ValueOf(o).Elem())
	}
	for _, do := range exclude {
		do()
	}
}

// tagsOf is the annotation of a flag that holds its tags.
const tagsOf = "spar_tags"

// tags returns the tags of a flag; none for the flags that cobra adds.
func tags(f *pflag.Flag) reflect.StructTag {
	if f == nil || f.Annotations[tagsOf] == nil {
		return ""
	}
	return reflect.StructTag(f.Annotations[tagsOf][0])
}

// addFlag adds a flag with its tags and returns its name.
func addFlag(c *cobra.Command, tag reflect.StructTag, v reflect.Value) string {
	name, def, hasDefault := strings.Cut(tag.Get("flag"), "=")
	name, letter, _ := strings.Cut(name, ",")
	help, f := cmp.Or(tag.Get("help"), commonHelp[name]), c.Flags()
	at := v.Addr().Interface()
	if _, own := at.(pflag.Value); !own && v.Kind() == reflect.String {
		at = v.Addr().Convert(reflect.TypeFor[*string]()).Interface()
	}
	switch at := at.(type) {
	case pflag.Value:
		f.VarP(at, name, letter, help)
	case *string:
		f.StringVarP(at, name, letter, *at, help)
	case *bool:
		f.BoolVarP(at, name, letter, *at, help)
	case *int:
		f.IntVarP(at, name, letter, *at, help)
	case *int64:
		f.Int64VarP(at, name, letter, *at, help)
	case *uint64:
		f.Uint64VarP(at, name, letter, *at, help)
	case *float64:
		f.Float64VarP(at, name, letter, *at, help)
	case *time.Duration:
		f.DurationVarP(at, name, letter, *at, help)
	case *[]int:
		f.IntSliceVarP(at, name, letter, *at, help)
	case *[]int64:
		f.Int64SliceVarP(at, name, letter, *at, help)
	case *[]float64:
		f.Float64SliceVarP(at, name, letter, *at, help)
	case *[]string:
		if tag.Get("list") != "" {
			f.StringSliceVarP(at, name, letter, *at, help)
		} else {
			f.StringArrayVarP(at, name, letter, *at, help)
		}
	default:
		panic(fmt.Sprintf("--%s: no flag can be a %T", name, at)) // the first test finds it
	}
	names := map[string]cobra.CompletionFunc{"rules": shipped(configs.Games), "agent": shipped(configs.Agents)}[name]
	if names != nil {
		_ = c.RegisterFlagCompletionFunc(name, names) // cannot fail: the flag is there, and new
	}
	flag := f.Lookup(name)
	if flag.Annotations = map[string][]string{tagsOf: {string(tag)}}; hasDefault {
		if err := flag.Value.Set(def); err != nil {
			panic(fmt.Sprintf("--%s: default: %v", name, err))
		}
		flag.DefValue = flag.Value.String()
	}
	return name
}

// commonHelp explains the flags that mean the same on every command that has them.
var commonHelp = map[string]string{
	"agent":     "the agent",
	"agent-set": "override a knob of the agent, like budget.depth=3 (repeatable)",
	"db":        "the study, instead of the argument",
	"dry-run":   "show what would be played, and play nothing",
	"limit":     "stop after this many games",
	"moves":     "moves, separated by spaces",
	"plan-set":  "set a key of the tournament, like budget.iterations=500 (repeatable)",
	"rules":     "the game or its .yaml file, instead of the argument",
	"seed":      "seed of all random numbers",
	"set":       "override a knob of the rules, like pieces.cap=5 (repeatable)",
	"workers":   "games at the same time; 0 = one per core",
}

// checkFlags returns an error, before a command runs, for values and combinations of flags that its tags exclude, and
// for output that cannot be written: the work that comes before it may take hours.
func checkFlags(c *cobra.Command) error {
	err := refuseTogether(c)
	c.Flags().Visit(func(f *pflag.Flag) {
		err = cmp.Or(err, checkWord(f), checkRange(f), checkNeeds(c, f), checkKey(c, f))
	})
	c.Flags().Visit(func(f *pflag.Flag) {
		if failed := checkPlace(c.Context(), f); err == nil && failed != nil {
			err = usagef("--%s: %w", f.Name, failed)
		}
	})
	return err
}

// checkWord returns an error for a value that is none of the flag's words.
func checkWord(f *pflag.Flag) error {
	if words := strings.Fields(tags(f).Get("one")); len(words) > 0 {
		return oneOf(f.Name, f.Value.String(), words...)
	}
	return nil
}

// changed reports whether the command line has a flag, with any value.
func changed(c *cobra.Command, flag string) bool { return c.Flags().Changed(flag) }

// oneOf returns an error for a value of a flag that is none of some words.
func oneOf(flag, text string, words ...string) error {
	if slices.Contains(words, text) {
		return nil
	}
	near, last := "", len(words)-1
	if word := strict.Nearest(text, words); word != "" {
		near = "; did you mean " + word + "?"
	}
	return usagef("--%s %s: expected %s or %s%s", flag, text, strings.Join(words[:last], ", "), words[last], near)
}

// checkRange returns an error for a number outside of the flag's range. Without a range a whole number must be 0 or
// more; only a seed may be any.
func checkRange(f *pflag.Flag) error {
	span, kind := tags(f).Get("range"), f.Value.Type()
	if span == "" && f.Name != "seed" && (kind == "int" || kind == "int64") {
		span = "[0,"
	}
	if span == "" {
		return nil
	}
	low, high, _ := strings.Cut(span[1:], ",")
	limit := strings.TrimRight(high, ")]")
	x, _ := strconv.ParseFloat(f.Value.String(), 64)
	least, _ := strconv.ParseFloat(low, 64)
	most, _ := strconv.ParseFloat(cmp.Or(limit, "Inf"), 64)
	from, to := span[0] == '[', strings.HasSuffix(high, "]")
	want := "a whole number"
	if kind == "float64" {
		want = "a number"
	}
	switch {
	case from && to:
		want += " from " + low + " to " + limit
	case from:
		want += ", " + low + " or more"
	default:
		want += " above " + low
	}
	if limit != "" && !(from && to) {
		want += plain.If(to, " and at most ", " and below ") + limit
	}
	ok := x > least && x < most || from && x == least || to && x == most
	if ok {
		return nil
	}
	return usagef("--%s %s: expected %s", f.Name, f.Value, want)
}

// given reports whether a flag is given, with a value other than false.
func given(c *cobra.Command, name string) bool {
	f := c.Flags().Lookup(name)
	return f.Changed && f.Value.String() != "false"
}

// checkNeeds returns an error for a flag without one of those that it needs.
func checkNeeds(c *cobra.Command, f *pflag.Flag) error {
	others := slices.DeleteFunc(strings.Fields(tags(f).Get("needs")),
		func(name string) bool { return c.Flags().Lookup(name) == nil })
	if len(others) == 0 || !given(c, f.Name) || slices.ContainsFunc(others,
		func(name string) bool { return given(c, name) }) {
		return nil
	}
	return usagef("--%s needs --%s", f.Name, strings.Join(others, " or --"))
}

// checkKey returns an error for a flag whose key in the plan is also overridden.
func checkKey(c *cobra.Command, f *pflag.Flag) error {
	path := tags(f).Get("key")
	overrides := cmp.Or(c.Flags().Lookup("plan-set"), c.Flags().Lookup("set"))
	if path == "" || overrides == nil || !given(c, f.Name) {
		return nil
	}
	for _, text := range overrides.Value.(pflag.SliceValue).GetSlice() {
		key, value, _ := strings.Cut(text, "=")
		whole := strings.HasPrefix(path, key+".") && strings.HasPrefix(value, "{")
		if path == key || whole {
			return usagef("--%s %s and %s: give only one", overrides.Name, text, flagText(f, -1))
		}
	}
	return nil
}

// checkPlace returns an error if a flag names a place to which nothing can be written.
func checkPlace(ctx context.Context, f *pflag.Flag) error {
	path := f.Value.String()
	if path == "" {
		return nil
	}
	if _, isPage := tags(f).Lookup("page"); isPage {
		return checkPage(path)
	}
	list, isFile := tags(f).Lookup("file")
	if !isFile {
		return nil
	}
	if err := files.CheckFile(path); err != nil {
		return err
	}
	endings := strings.Fields(list)
	if len(endings) > 0 && !slices.Contains(endings, strings.ToLower(filepath.Ext(path))) {
		return fmt.Errorf("%s: expected a name ending in %s", path, strings.Join(endings, " or "))
	}
	return store.CheckOutput(ctx, path)
}

// checkPage returns an error for a place where no document can be written.
func checkPage(path string) error {
	if page.IsFile(path) {
		return files.CheckFile(path)
	}
	return files.CheckFolder(path)
}

// beforehand adds a function that runs before a command.
func beforehand(c *cobra.Command, do func(*cobra.Command) error) {
	first := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if first != nil {
			if err := first(c, args); err != nil {
				return err
			}
		}
		return do(c)
	}
}

// together matches cobra's error about mutually exclusive flags.
var together = regexp.MustCompile(`\[([^]]+)\] were all set$`)

// refuseTogether returns an error for flags that exclude each other.
func refuseTogether(c *cobra.Command) error {
	err := c.ValidateFlagGroups()
	if err == nil {
		return nil
	}
	if names := together.FindStringSubmatch(err.Error()); names != nil {
		return usagef("--%s: give only one", strings.ReplaceAll(names[1], " ", " and --"))
	}
	return strict.Bad(err)
}

// oneForm makes the flags that choose the form of standard output mutually exclusive.
func oneForm(c *cobra.Command) {
	var names []string
	for _, name := range strings.Fields("text markdown csv lines json") {
		if c.Flags().Lookup(name) != nil {
			names = append(names, name)
		}
	}
	if len(names) > 1 {
		c.MarkFlagsMutuallyExclusive(names...)
	}
}
