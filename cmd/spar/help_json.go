package main

import (
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"
	"github.com/spf13/cobra"

	"spar/configs/strict"
	"spar/ratings"
	"spar/reports/screen"
)

// jsonVersion is the version of all JSON output. Within a version, a kind keeps its fields; new fields may be
// added.
const jsonVersion = 2

const jsonIntro = `With --json a command prints one JSON object per line. Its first keys are "kind", a name from the
list below, and "version", 2. Within a version, the fields of a kind are not removed or renamed; later releases may
add fields. "spar help json changes" lists what a version changed.

In the names of fields, a dot leads to a field of an inner object, [] to the objects of a list, .NAME to an entry of a
table. lo and hi are the ends of a 95 % interval; an end is null where the interval has no bound. An object that is a
number with its interval has value, lo, hi, n and more. Names that end in _s are seconds, in _ms milliseconds. db is a
study's file. A field without a value may be left out.

Moves are in board notation: c2, c2-d3, c2xe4, stop, swap, pass; "spar env RULES --actions" lists their numbers. A
command that an interrupt or a failure ended prints an object of kind summary last. Otherwise spar run and spar match
print the ratings last, in objects of kind standings.
`

const jsonChanges = `Version 2. What differs from version 1:

- action, action_code (export --positions, env): every move has its own number without gaps; action_code is 2,
  and the numbers of version 1 are gone.
- planes and extras (export --positions, env): they contain hands and phase wherever the rules have them.
- Numbers with intervals (report, comparison, sweep: groups, variants[].numbers, rows[]): "open" names the side
  without a bound; "n" counts the units that "unit" names; "of" is gone, "warning" is now "note"; "anytime" and
  "method" are new.
- examination: ratings[].elo, optimism, sprt.elo, direct.score, direct.elo and the numbers of checks are objects
  with value, lo, hi, open, level, n, unit and method, instead of single numbers next to lo and hi.
- agents[].open, agents[].next.open, advantages[].open (standings), agents[].open (rating), los.open: the side of an
  interval without a bound. The value next to it then comes from a prior: read "open" first.
- "players" of rating is now "agents"; "name" in tiers, ladder.strength and trends (report) and in kinds[].candidates
  (learned) is now "agent".
- The last object of spar run --json and spar match --json has the kind standings; before, it was the summary.
- los.matrix: null where the games do not determine the likelihood.
- lost_workers (summary, sweep, tuning, learned): machines that were lost during the run.
- report: study.effort and solved_steps are new. sweep: exact, winner, plies, excluded are new.
- table.state holds hashes of links instead of links.
- New kinds: action. Gone: simulation and prediction, with their commands spar tune simulate
  and spar tune plan; citation, with spar cite; landscape and planes of tuning_report; p,
  draw_ratio, time and nodes of ablation; kinds of
  learned; learned_validation and learned_report, with their commands; curve of a net;
  written_plan, person_fit, fit, search_depth and worker, with their commands; swing of game; names, phases, condition,
  knobs and solved_steps of report (remedies has what was tried); redundant_combinations and the errors of weights of
  model in tuning. contests and gate of learned have se and open.
- elo of ablation: null where one side won every game.

Exports (spar export) of version 1 can still be imported.
`

// jsonKind is a kind of JSON object, with the commands that print it and values of its Go types.
type jsonKind struct {
	name, by string
	of       []any
}

// jsonOutput is the value of --json: whether it is given, and the kinds of objects that the command then prints.
type jsonOutput struct {
	on    bool
	kinds []jsonKind
}

func (j *jsonOutput) String() string { return strconv.FormatBool(j.on) }

// Type returns the word that help texts show for the value.
func (j *jsonOutput) Type() string { return "bool" }

// Set reads true or false.
func (j *jsonOutput) Set(text string) (err error) {
	j.on, err = strconv.ParseBool(text)
	return err
}

// printsJSON adds --json to a command, and a kind of objects that it prints. Words after the name of the kind say when.
func printsJSON(c *cobra.Command, kind string, of ...any) {
	name, when, _ := strings.Cut(kind, " ")
	f := c.Flags().Lookup("json")
	if f == nil {
		f = c.Flags().VarPF(&jsonOutput{}, "json", "", "print JSON, one object per line")
		f.NoOptDefVal = "true"
	}
	j := f.Value.(*jsonOutput)
	j.kinds = append(j.kinds, jsonKind{name, when, of})
}

// jsonKinds lists every kind that a command prints, by name.
func jsonKinds(root *cobra.Command) []jsonKind {
	all := map[string]jsonKind{}
	eachBelow(root, func(c *cobra.Command) {
		f := c.Flags().Lookup("json")
		if f == nil {
			return
		}
		for _, k := range f.Value.(*once).Value.(*jsonOutput).kinds {
			old, by := all[k.name], strings.TrimSpace(c.CommandPath()+" "+k.by)
			if old.by != "" {
				by = old.by + ", " + by
			}
			all[k.name] = jsonKind{k.name, by, append(old.of, k.of...)}
		}
	})
	return slices.SortedFunc(maps.Values(all), func(a, b jsonKind) int {
		return strings.Compare(a.name, b.name)
	})
}

// jsonField is one field of a kind: its path, type and meaning.
type jsonField struct{ path, holds, help string }

// fields lists the fields of a kind, by the schemas of its types. It does not expand a recursive type again.
func (k jsonKind) fields() (out []jsonField) {
	words := map[string]string{"string": "text", "boolean": "true or false", "integer": "whole number", "number": "number"}
	schemas := map[string]*jsonschema.Schema{} // by reference
	var walk func(s *jsonschema.Schema, prefix string, outer ...string)
	walk = func(s *jsonschema.Schema, prefix string, outer ...string) {
		for p := s.Properties.Oldest(); p != nil; p = p.Next() {
			of, ref, path := p.Value, "", prefix+p.Key
			for deeper := true; deeper; {
				switch {
				case of.Ref != "":
					ref, of = of.Ref, schemas[of.Ref]
				case of.Items != nil:
					path, of = path+"[]", of.Items
				case of.AdditionalProperties != nil:
					path, of = path+".NAME", of.AdditionalProperties
				default:
					deeper = false
				}
			}
			nested := of.Properties.Len() > 0 && !slices.Contains(outer, ref)
			known := slices.ContainsFunc(out, func(f jsonField) bool { return f.path == path })
			if help := p.Value.Description; !known && (help != "" || !nested) {
				out = append(out, jsonField{path, cmp.Or(words[of.Type], "object"), help})
			}
			if nested {
				walk(of, path+".", append(outer, ref)...)
			}
		}
	}
	for _, v := range k.of {
		root := reflectJSON(reflect.TypeOf(v), schemas)
		walk(schemas[root], "", root)
	}
	return out
}

// reflectJSON makes the schema of a type and of those in it, and returns the reference to it.
func reflectJSON(t reflect.Type, schemas map[string]*jsonschema.Schema) string {
	if fields, flat := ratings.FlatFields(t); flat {
		var plain []reflect.StructField
		for _, f := range fields {
			f.Index, f.Offset = nil, 0
			plain = append(plain, f.StructField)
		}
		t = reflect.StructOf(plain)
	}
	r := jsonschema.Reflector{
		Anonymous: true, AllowAdditionalProperties: true, Namer: reflect.Type.String,
		Mapper: func(in reflect.Type) *jsonschema.Schema {
			at := reflect.PointerTo(in)
			if in == t || !at.Implements(reflect.TypeFor[json.Marshaler]()) &&
				!at.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
				return nil
			}
			if in.Kind() == reflect.Struct {
				if _, flat := ratings.FlatFields(in); flat {
					return &jsonschema.Schema{Ref: reflectJSON(in, schemas)}
				}
			}
			if in.Kind() == reflect.String || at.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
				return &jsonschema.Schema{Type: "string"}
			}
			return &jsonschema.Schema{Type: "object"}
		},
		LookupComment: func(t reflect.Type, field string) string {
			if field == "" { // the type itself
				return ""
			}
			f, _ := t.FieldByName(field)
			return f.Tag.Get("help")
		},
	}
	s := r.ReflectFromType(t)
	for name, of := range s.Definitions {
		schemas["#/$defs/"+name] = of
	}
	return s.Ref
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
			err := screen.Entry(w, width, f.path, strings.TrimSuffix(f.holds+": "+f.help, ": "))
			if err != nil {
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
			kinds := jsonKinds(c.Root())
			out := c.OutOrStdout()
			if len(args) == 0 {
				fmt.Fprintf(out, "%s\nKinds, each explained by \"spar help json KIND\", all by \"spar help json all\":\n\n",
					jsonIntro)
				for _, k := range kinds {
					if err := screen.Entry(out, 18, k.name, k.by); err != nil {
						return err
					}
				}
				return nil
			}
			names := []string{"changes", "all"}
			for _, k := range kinds {
				names = append(names, k.name)
			}
			switch at := slices.Index(names, args[0]); {
			case at < 0:
				return usagef("%s", strict.Unknown("kind of object", args[0], names))
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
