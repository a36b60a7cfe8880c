package openconfig

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/openconfig/ygot/ygot"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// The document is what ygot makes of the structs that it fills: modules, numbers of 64 bits as text,
// identities, keys in entries and in their config, the order of all, and no leaf that the schema lacks.
func TestDocumentIsYgots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := must.Sound(compose(draw(t)))(t)
		var value map[string]any
		decoder := json.NewDecoder(strings.NewReader(string(doc.Text())))
		decoder.UseNumber()
		must.Do(t, decoder.Decode(&value))
		root := &device{}
		fill(t, reflect.ValueOf(root).Elem(), value)
		want := must.Get(ygot.EmitJSON(root, &ygot.EmitJSONConfig{Format: ygot.RFC7951, Indent: "  ", SkipValidation: true,
			RFC7951Config: &ygot.RFC7951JSONConfig{AppendModuleName: true}}))(t)
		if diff := cmp.Diff(want+"\n", string(doc.Text())); diff != "" {
			t.Fatalf("(-ygot +ours):\n%s", diff)
		}
	})
}

// fill fills a struct of the schema with what is at the paths of its fields.
func fill(t *rapid.T, into reflect.Value, from map[string]any) {
	for i := range into.NumField() {
		path, _, _ := strings.Cut(into.Type().Field(i).Tag.Get("path"), "|")
		var v any = from
		for name := range strings.SplitSeq(path, "/") {
			object, _ := v.(map[string]any)
			v = nil
			for key, below := range object {
				if bare(key) == name {
					v = below
				}
			}
		}
		if v != nil {
			into.Field(i).Set(filled(t, into.Type().Field(i).Type, v))
		}
	}
}

// filled is a value of a document as a type of the schema.
func filled(t *rapid.T, as reflect.Type, v any) reflect.Value {
	out := reflect.New(as).Elem()
	switch {
	case as.Kind() == reflect.Pointer:
		out.Set(reflect.New(as.Elem()))
		out.Elem().Set(filled(t, as.Elem(), v))
	case as.Kind() == reflect.Struct:
		fill(t, out, v.(map[string]any))
	case as.Kind() == reflect.Map:
		out.Set(reflect.MakeMap(as))
		for _, item := range v.([]any) {
			out.SetMapIndex(filled(t, as.Key(), item.(map[string]any)[keyOf(as.Elem().Elem())]), filled(t, as.Elem(), item))
		}
	case as.Kind() == reflect.Slice:
		for _, item := range v.([]any) {
			out.Set(reflect.Append(out, filled(t, as.Elem(), item)))
		}
	case as.Kind() == reflect.String:
		out.SetString(v.(string))
	case as.Kind() == reflect.Bool:
		out.SetBool(v.(bool))
	case as.PkgPath() != "": // an enumeration
		for number, e := range enums[as.Name()] {
			if e.Name == bare(v.(string)) {
				out.SetInt(number)
			}
		}
	case as.Kind() == reflect.Uint64:
		out.SetUint(parsed(t, v.(string)))
	case out.CanUint():
		out.SetUint(parsed(t, string(v.(json.Number))))
	default:
		n := must.Get(v.(json.Number).Int64())(t)
		out.SetInt(n)
	}
	return out
}

func parsed(t *rapid.T, text string) uint64 {
	n := must.Get(strconv.ParseUint(text, 10, 64))(t)
	return n
}

// The schema as ygot wants it.

func (*device) IsYANGGoStruct()           {}
func (*physical) IsYANGGoStruct()         {}
func (*qos) IsYANGGoStruct()              {}
func (*queue) IsYANGGoStruct()            {}
func (*forwardingGroup) IsYANGGoStruct()  {}
func (*classifier) IsYANGGoStruct()       {}
func (*term) IsYANGGoStruct()             {}
func (*management) IsYANGGoStruct()       {}
func (*schedulerPolicy) IsYANGGoStruct()  {}
func (*scheduler) IsYANGGoStruct()        {}
func (*input) IsYANGGoStruct()            {}
func (*bufferAllocation) IsYANGGoStruct() {}
func (*queueBuffer) IsYANGGoStruct()      {}
func (*port) IsYANGGoStruct()             {}
func (*portClassifier) IsYANGGoStruct()   {}
func (*portQueue) IsYANGGoStruct()        {}

// enums is what ygot's generator would call ΛEnum.
var enums = map[string]map[int64]ygot.EnumDefinition{
	"interfaceType":   {1: {Name: "ethernetCsmacd", DefiningModule: "iana-if-type"}},
	"classifierType":  {1: {Name: "IPV4"}, 2: {Name: "IPV6"}},
	"protocol":        {1: {Name: "IP_UDP", DefiningModule: "openconfig-packet-match-types"}},
	"priority":        {1: {Name: "STRICT"}},
	"inputType":       {1: {Name: "QUEUE"}},
	"schedulerType":   {1: {Name: "ONE_RATE_TWO_COLOR", DefiningModule: "openconfig-qos-types"}},
	"queuingBehavior": {1: {Name: "SHAPE"}},
	"limitType": {
		1: {Name: "STATIC", DefiningModule: "openconfig-qos"},
		2: {Name: "DYNAMIC_BASED_ON_SCALING_FACTOR", DefiningModule: "openconfig-qos"},
	},
}

func (interfaceType) IsYANGGoEnum()   {}
func (classifierType) IsYANGGoEnum()  {}
func (protocol) IsYANGGoEnum()        {}
func (priority) IsYANGGoEnum()        {}
func (inputType) IsYANGGoEnum()       {}
func (schedulerType) IsYANGGoEnum()   {}
func (queuingBehavior) IsYANGGoEnum() {}
func (limitType) IsYANGGoEnum()       {}

func (interfaceType) ΛMap() map[string]map[int64]ygot.EnumDefinition   { return enums }
func (classifierType) ΛMap() map[string]map[int64]ygot.EnumDefinition  { return enums }
func (protocol) ΛMap() map[string]map[int64]ygot.EnumDefinition        { return enums }
func (priority) ΛMap() map[string]map[int64]ygot.EnumDefinition        { return enums }
func (inputType) ΛMap() map[string]map[int64]ygot.EnumDefinition       { return enums }
func (schedulerType) ΛMap() map[string]map[int64]ygot.EnumDefinition   { return enums }
func (queuingBehavior) ΛMap() map[string]map[int64]ygot.EnumDefinition { return enums }
func (limitType) ΛMap() map[string]map[int64]ygot.EnumDefinition       { return enums }

func (e interfaceType) String() string   { return ygot.EnumLogString(e, int64(e), "interfaceType") }
func (e classifierType) String() string  { return ygot.EnumLogString(e, int64(e), "classifierType") }
func (e protocol) String() string        { return ygot.EnumLogString(e, int64(e), "protocol") }
func (e priority) String() string        { return ygot.EnumLogString(e, int64(e), "priority") }
func (e inputType) String() string       { return ygot.EnumLogString(e, int64(e), "inputType") }
func (e schedulerType) String() string   { return ygot.EnumLogString(e, int64(e), "schedulerType") }
func (e queuingBehavior) String() string { return ygot.EnumLogString(e, int64(e), "queuingBehavior") }
func (e limitType) String() string       { return ygot.EnumLogString(e, int64(e), "limitType") }
