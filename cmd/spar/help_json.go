package main

import (
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"spar/configs/strict"
	"spar/ratings"
)

// jsonVersion is the version of all JSON output. Within a version, a kind keeps its fields; new fields may be
// added.
const jsonVersion = 2

const jsonIntro = `With --json a command prints one JSON object per line. Its first keys are "kind", a word of the list
below, and "version", 2. A kind keeps its fields under one version; later releases may add fields. "spar help json changes"
lists what a version changed.

A field of another object is written with a dot, one of the objects of a list with [], one of a table by names
with .NAME. lo and hi are the ends of a 95 % interval; an end is null where the interval has no bound. An object
that is a number with its interval has value, lo, hi, n and more. Names that end in _s are seconds, in _ms
milliseconds. db is a study's file. A field without a value may be left out.

Moves are as on the board: c2, c2-d3, c2xe4, stop, swap, pass; "spar env RULES --actions" lists their numbers. A
command that an interrupt or a failure ended prints an object of kind summary last. Otherwise spar run and spar match
print the ratings last, in objects of kind standings.
`

const jsonChanges = `Version 2. What differs from version 1:

- action, action_code (export --positions, env): every move has its own number without gaps; action_code is 2,
  and the numbers of version 1 are gone.
- planes and extras (export --positions, env): hands and phase are there wherever the rules have them.
- Numbers with intervals (report, comparison, sweep: groups, variants[].numbers, rows[]): open says which side
  has no bound, and n counts units of unit; of is gone, warning is now note, and anytime and method are there.
- examination: ratings[].elo, optimism, sprt.elo, direct.score, direct.elo and the numbers of checks are objects
  with value, lo, hi, open, level, n, unit and method, where they were single numbers with lo and hi beside
  them.
- agents[].open, agents[].next.open, advantages[].open (standings), agents[].open (rating), los.open: which
  side of an interval has no bound. A value from a prior without a bound on its side stays beside it: read open
  first.
- agents (rating) was players, and agent was name in tiers, ladder.strength, trends and restricted (report) and in
  kinds[].candidates (learned): an agent has one key everywhere, a list of agents another.
- The last object of spar run --json and spar match --json is of kind standings; it was the summary.
- los.matrix: null where the games do not determine the likelihood.
- lost_workers (summary, sweep, tuning, learned): machines that were lost during the run.
- report: study.effort and solved_steps are new. sweep: exact, winner, plies, excluded are new.
- table.state holds hashes of links, no links.
- New kinds: action, written_plan. Gone: simulation and prediction, with their commands spar tune simulate
  and spar tune plan; landscape and planes of tuning_report; p,
  draw_ratio, time and nodes of ablation. elo of ablation is null where one side won every game; kinds of
  learned and kinds and exact of learned_validation.

Exports (spar export) of version 1 can still be imported.
`

// jsonKind is a kind of JSON object, with the commands that print it and values of its Go types.
type jsonKind struct {
	name, by string
	of       []any
}

// jsonField is one field of a kind: its path, type and meaning.
type jsonField struct{ path, holds, help string }

// fields lists the fields of a kind.
func (k jsonKind) fields() (out []jsonField) {
	for _, v := range k.of {
		for _, f := range structFields(reflect.TypeOf(v), "", nil) {
			if !slices.ContainsFunc(out, func(g jsonField) bool { return g.path == f.path }) {
				out = append(out, f)
			}
		}
	}
	return out
}

// structFields lists the fields that encoding/json writes for a struct and its nested structs. It does not expand
// a recursive type again.
func structFields(t reflect.Type, prefix string, outer []reflect.Type) (out []jsonField) {
	outer = append(outer, t)
	fields, _ := ratings.FlatFields(t)
	for _, f := range fields {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		inner, mark := element(f.Type)
		_, flat := flatFields(inner)
		isStruct := inner.Kind() == reflect.Struct && (flat || !inner.Implements(reflect.TypeFor[json.Marshaler]()) &&
			!reflect.PointerTo(inner).Implements(reflect.TypeFor[json.Marshaler]()))
		path := prefix + cmp.Or(name, f.Name)
		help := cmp.Or(f.Tag.Get("help"), f.Tag.Get("jsonschema_description"))
		nested := isStruct && inner.NumField() > 0 && !slices.Contains(outer, inner)
		if help != "" || !nested {
			out = append(out, jsonField{path + mark, holds(f.Type), help})
		}
		if nested {
			out = append(out, structFields(inner, path+mark+".", outer)...)
		}
	}
	return out
}

// flatFields is ratings.FlatFields for any type.
func flatFields(t reflect.Type) ([]ratings.FlatField, bool) {
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	return ratings.FlatFields(t)
}

// element returns the element type behind pointers, lists and maps, and the suffix that these add to a path.
func element(t reflect.Type) (reflect.Type, string) {
	mark := ""
	for {
		if t.Implements(reflect.TypeFor[json.Marshaler]()) && t.Kind() != reflect.Pointer {
			return t, mark // like json.RawMessage
		}
		switch t.Kind() {
		case reflect.Pointer:
		case reflect.Slice, reflect.Array:
			mark += "[]"
		case reflect.Map:
			mark += ".NAME"
		default:
			return t, mark
		}
		t = t.Elem()
	}
}

// holds returns the word for the JSON type of a field.
func holds(t reflect.Type) string {
	inner, _ := element(t)
	switch inner.Kind() {
	case reflect.Slice:
		return "object"
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "number"
	case reflect.Struct, reflect.Interface:
		if inner.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
			return "text"
		}
		return "object"
	}
	return "whole number"
}

// writeJSONKinds writes the descriptions of kinds.
func writeJSONKinds(w io.Writer, kinds []jsonKind) error {
	for _, k := range kinds {
		fmt.Fprintf(w, "\n%s: %s\n", k.name, k.by)
		width := 0
		for _, f := range k.fields() {
			width = max(width, min(len(f.path), 30))
		}
		for _, f := range k.fields() {
			if _, err := fmt.Fprintf(w, "  %-*s  %s\n", width, f.path,
				strings.TrimSuffix(f.holds+": "+f.help, ": ")); err != nil {
				return err
			}
		}
	}
	return nil
}

// jsonTopic is "spar help json".
func jsonTopic() *cobra.Command {
	return &cobra.Command{
		Use:         "json [KIND|all|changes]",
		Short:       "What --json prints: every kind of object with its fields",
		Example:     "  spar help json\n  spar help json standings\n  spar json changes",
		Annotations: map[string]string{isTopic: "yes"},
		Args:        cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			kinds := jsonKinds()
			out := c.OutOrStdout()
			if len(args) == 0 {
				fmt.Fprintf(out, "%s\nKinds, each explained by \"spar help json KIND\", all by \"spar help json all\":\n\n",
					jsonIntro)
				for _, k := range kinds {
					fmt.Fprintf(out, "  %-19s %s\n", k.name, k.by)
				}
				return nil
			}
			names := []string{"changes", "all"}
			for _, k := range kinds {
				names = append(names, k.name)
			}
			switch at := slices.Index(names, args[0]); {
			case at < 0:
				return usagef("unknown kind of object %q%s", args[0], strict.Suggest(args[0], names))
			case at == 0:
				_, err := fmt.Fprint(out, jsonChanges)
				return err
			case at == 1:
				return writeJSONKinds(out, kinds)
			default:
				return writeJSONKinds(out, kinds[at-2:at-1])
			}
		},
	}
}
