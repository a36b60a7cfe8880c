package openconfig

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/openconfig/ygot/ygot"
	"pgregory.net/rapid"
)

// The document is what ygot makes of the same structs.
func TestDocumentIsYgots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root, found := compose(draw(t))
		if found.HasErrors() {
			t.Fatal(found)
		}
		want, err := ygot.EmitJSON(root, &ygot.EmitJSONConfig{Format: ygot.RFC7951, Indent: "  ", SkipValidation: true,
			RFC7951Config: &ygot.RFC7951JSONConfig{AppendModuleName: true}})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want+"\n", string(indented(document(root)))); diff != "" {
			t.Fatalf("(-ygot +ours):\n%s", diff)
		}
	})
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
