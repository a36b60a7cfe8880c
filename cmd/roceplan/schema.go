package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/model/sim/hpcc"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/verify"
)

type schemaCmd struct {
	Command []string `arg:"" optional:"" complete:"schema" help:"The command; without one, list the commands with --json."`
}

func (schemaCmd) Help() string {
	return `Prints the JSON Schema (draft 2020-12) of what a command prints with --json:

    roceplan schema verify
    roceplan schema calc headroom

New versions may add fields. They remove no field and change no type or meaning before a new major version. Amounts without a unit in their names are bytes, bits per second, millimetres, picoseconds or billionths.`
}

// outputs returns the types that commands print with --json, by command; where a flag asks for
// another result there are several.
func outputs() map[string][]reflect.Type {
	explains := []reflect.Type{reflect.TypeFor[explained]()}
	return map[string][]reflect.Type{
		"compile":        {reflect.TypeFor[compileResult]()},
		"check":          {reflect.TypeFor[findings]()},
		"explain":        explains,
		"calc headroom":  {reflect.TypeFor[headroomAnswer](), reflect.TypeFor[[]headroomAnswer]()},
		"calc pool":      explains,
		"calc threshold": {reflect.TypeFor[[]thresholdAnswer]()},
		"calc ecn":       explains,
		"fmt":            {reflect.TypeFor[formatResult]()},
		"init":           {reflect.TypeFor[writtenFile]()},
		"new":            {reflect.TypeFor[newFabric](), reflect.TypeFor[presetList]()},
		"man":            {reflect.TypeFor[writtenFiles]()},
		"chips list":     {reflect.TypeFor[[]jsonChip]()},
		"chips show":     {reflect.TypeFor[jsonChip]()},
		"platforms list": {reflect.TypeFor[[]jsonPlatform]()},
		"platforms show": {reflect.TypeFor[jsonPlatform]()},
		"nics list":      {reflect.TypeFor[[]jsonNIC]()},
		"nics show":      {reflect.TypeFor[jsonNIC]()},
		"targets":        {reflect.TypeFor[[]jsonTarget]()},
		"sim":            {reflect.TypeFor[jsonPatterns](), reflect.TypeFor[scenarioList](), reflect.TypeFor[hpcc.Report]()},
		"tune":           {reflect.TypeFor[tuning](), reflect.TypeFor[scenarioList]()},
		"compare":        {reflect.TypeFor[compared](), reflect.TypeFor[configurations]()},
		"merge":          {reflect.TypeFor[jsonPatterns](), reflect.TypeFor[tuning]()},
		"probe":          {reflect.TypeFor[probeAnswer]()},
		"verify":         {reflect.TypeFor[verification](), reflect.TypeFor[verify.Rechecked](), reflect.TypeFor[recheckedWay]()},
		"replay":         {reflect.TypeFor[jsonReplay]()},
		"margins":        {reflect.TypeFor[fabricMargins](), reflect.TypeFor[fabricDesign]()},
		"report":         {reflect.TypeFor[reported]()},
		"audit":          {reflect.TypeFor[verification]()},
		"audit-host":     {reflect.TypeFor[findings]()},
		"import":         {reflect.TypeFor[importReport]()},
		"cabling":        {reflect.TypeFor[cablingReport]()},
		"alerts":         {reflect.TypeFor[alertsReport](), reflect.TypeFor[findings]()},
		"observe":        {reflect.TypeFor[observeReport]()},
		"patch":          {reflect.TypeFor[patchResult]()},
		"diff":           {diff.JSONType()},
		"apply":          {reflect.TypeFor[applied]()},
		"version":        {reflect.TypeFor[programVersion]()},
	}
}

// failure is the output of every command that has no result.
type failure struct {
	Error       string    `json:"error,omitempty"`
	Diagnostics diag.List `json:"diagnostics"`
}

// schemaOf describes the output of a command: one of its results, or what was found instead.
func schemaOf(command string, types []reflect.Type) (*jsonschema.Schema, error) {
	known, err := knownSchemas()
	if err != nil {
		return nil, err
	}
	out := &jsonschema.Schema{Schema: "https://json-schema.org/draft/2020-12/schema", Title: "roceplan " + command + " --json"}
	for _, t := range append(slices.Clone(types), reflect.TypeFor[failure]()) {
		s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: known})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", command, err)
		}
		freeEmbedded(s, t, false)
		out.AnyOf = append(out.AnyOf, s)
	}
	if text, err := json.Marshal(out); err != nil || !strings.Contains(string(text), reasonRef) {
		return out, err
	}
	reason, err := jsonschema.ForType(reflect.TypeFor[explain.Reason](), &jsonschema.ForOptions{TypeSchemas: known})
	out.Defs = map[string]*jsonschema.Schema{"reason": reason}
	return out, err
}

// reasonRef refers to the schema of a reason, which has reasons of its own.
const reasonRef = "#/$defs/reason"

// freeEmbedded takes the fields of structs that are embedded by pointer from those that are
// required: where the pointer is nil, they are not there. free says that t is such a struct.
func freeEmbedded(s *jsonschema.Schema, t reflect.Type, free bool) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case s == nil:
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		freeEmbedded(s.Items, t.Elem(), false)
	case t.Kind() == reflect.Map:
		freeEmbedded(s.AdditionalProperties, t.Elem(), false)
	case t.Kind() == reflect.Struct:
		for field := range t.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if field.Anonymous && name == "" {
				freeEmbedded(s, field.Type, free || field.Type.Kind() == reflect.Pointer)
				continue
			}
			freeEmbedded(s.Properties[name], field.Type, false)
			if i := slices.Index(s.Required, name); free && i >= 0 {
				s.Required = slices.Delete(s.Required, i, i+1)
			}
		}
	}
}

// knownSchemas returns the schemas of types that write their JSON themselves.
func knownSchemas() (map[reflect.Type]*jsonschema.Schema, error) {
	known := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage]():  {}, // any value
		reflect.TypeFor[patch.Value]():      {},
		reflect.TypeFor[[]explain.Reason](): {Type: "array", Items: &jsonschema.Schema{Ref: reasonRef}},
	}
	for _, text := range []reflect.Type{
		reflect.TypeFor[emit.Support](), reflect.TypeFor[proof.Verdict](), reflect.TypeFor[verify.Verdict](),
		reflect.TypeFor[mmu.Admission](), reflect.TypeFor[mmu.Pause](), reflect.TypeFor[mmu.Resume](), reflect.TypeFor[mmu.Decided](),
	} {
		known[text] = &jsonschema.Schema{Type: "string"}
	}
	edit, err := jsonschema.ForType(diag.EditJSONType(), &jsonschema.ForOptions{})
	if err != nil {
		return nil, err
	}
	known[reflect.TypeFor[diag.Edit]()] = edit
	finding, err := jsonschema.ForType(diag.JSONType(), &jsonschema.ForOptions{})
	known[reflect.TypeFor[diag.Diagnostic]()] = finding
	return known, err
}

// Run prints a schema, or lists the commands that have one.
func (c schemaCmd) Run(t *terminal) error {
	all := outputs()
	if len(c.Command) == 0 {
		for _, command := range slices.Sorted(maps.Keys(all)) {
			t.printf("%s\n", command)
		}
		return nil
	}
	command := strings.Join(c.Command, " ")
	types, ok := all[command]
	if !ok {
		near := diag.Nearest(command, slices.Collect(maps.Keys(all)))
		return misusef("there is no schema of %q; did you mean %s?", command, cmp.Or(near, "one that roceplan schema lists"))
	}
	s, err := schemaOf(command, types)
	if err != nil {
		return err
	}
	return t.printJSON(s)
}
