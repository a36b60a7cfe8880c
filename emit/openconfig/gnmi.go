package openconfig

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/openconfig/gnmi/proto/gnmi"
	"github.com/openconfig/ygot/ygot"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
)

// Paths of the requests below the device's folder.
const (
	ReplaceFile = "gnmi-replace.textproto"
	UpdateFile  = "gnmi-update.textproto"
)

// EmitReplace prints a gNMI SetRequest after which the device says of each container
// that roceplan writes what the document of [Emit] says, and nothing else. It goes no
// higher than these containers: vendors hang PFC and its watchdog into /qos too, and a
// replacement of /qos would take them away. Interfaces that the document does not name
// are left alone; where one of them still points to a profile that is gone, the device
// refuses the whole request, and nothing has changed.
func EmitReplace(s *plan.Switch) ([]emit.File, diag.List) {
	return emitRequest(s, ReplaceFile, Replace)
}

// EmitUpdate prints a gNMI SetRequest that lays the document of [Emit] over what the
// device has. It removes nothing.
func EmitUpdate(s *plan.Switch) ([]emit.File, diag.List) {
	return emitRequest(s, UpdateFile, Update)
}

// A Mode says what a request does with what the device has.
type Mode uint8

const (
	Replace Mode = iota
	Update
)

func emitRequest(s *plan.Switch, file string, mode Mode) ([]emit.File, diag.List) {
	request, list := SetRequest(s, mode)
	if request == nil {
		return nil, list
	}
	return []emit.File{{Path: file, Body: emit.NewBody(prototext(request))}}, list
}

// SetRequest returns what a switch is told as a gNMI SetRequest (gNMI specification
// 0.10, section 3.4; values are JSON_IETF, section 2.3.1). It names no target; nil
// where the list has errors.
func SetRequest(s *plan.Switch, mode Mode) (*gnmi.SetRequest, diag.List) {
	root, list := compose(s)
	if root == nil {
		return nil, list
	}
	doc, err := ygot.ConstructIETFJSON(root, ietf())
	if err != nil {
		panic("openconfig schema: " + err.Error())
	}
	r := &requester{mode: mode, out: &gnmi.SetRequest{Prefix: &gnmi.Path{Origin: "openconfig"}}}
	r.interfaces(get(doc, "openconfig-interfaces:interfaces"))
	r.qos(get(doc, "openconfig-qos:qos"), s.OS == "eos")
	return r.out, list
}

// A requester takes a document apart into operations.
type requester struct {
	mode Mode
	out  *gnmi.SetRequest
}

// interfaces says what the ports themselves are told. They exist, so this is an update
// in both modes; where there is nothing but the name, nothing is said.
func (r *requester) interfaces(all map[string]any) {
	for _, entry := range entries(all, "interface", "name") {
		if config := get(entry.value, "config"); config["mtu"] != nil {
			r.update(path("interfaces", key("interface", "name", entry.name), "config"), "openconfig-interfaces", config)
		}
	}
}

// qos goes through the containers that roceplan writes, whether or not the document has
// them. EOS has buffer profiles that OpenConfig cannot say, so there they stay.
func (r *requester) qos(qos map[string]any, eos bool) {
	containers := []string{"queues", "forwarding-groups", "classifiers", "queue-management-profiles", "scheduler-policies"}
	outputs := []string{"queues", "scheduler-policy"}
	if !eos {
		containers = append(containers, "buffer-allocation-profiles")
		outputs = append(outputs, "config")
	}
	for _, name := range containers {
		r.set(path("qos", name), get(qos, name))
	}
	for _, entry := range entries(get(qos, "interfaces"), "interface", "interface-id") {
		at := key("interface", "interface-id", entry.name)
		own := map[string]any{"config": entry.value["config"], "interface-ref": entry.value["interface-ref"]}
		r.update(path("qos", "interfaces", at), "openconfig-qos", own)
		r.set(path("qos", "interfaces", at, "input", "classifiers"), get(entry.value, "input", "classifiers"))
		for _, name := range outputs {
			r.set(path("qos", "interfaces", at, "output", name), get(entry.value, "output", name))
		}
	}
}

// set makes a container of qos what the document has, as far as the mode goes.
func (r *requester) set(at *gnmi.Path, value map[string]any) {
	switch {
	case len(value) == 0 && r.mode == Replace:
		r.out.Delete = append(r.out.Delete, at)
	case len(value) == 0:
	case r.mode == Replace:
		r.out.Replace = append(r.out.Replace, pair(at, "openconfig-qos", value))
	default:
		r.update(at, "openconfig-qos", value)
	}
}

func (r *requester) update(at *gnmi.Path, module string, value map[string]any) {
	r.out.Update = append(r.out.Update, pair(at, module, value))
}

// pair joins a path with a value. The names at the top of a value carry their module.
func pair(at *gnmi.Path, module string, value map[string]any) *gnmi.Update {
	named := make(map[string]any, len(value))
	for name, v := range value {
		named[module+":"+name] = v
	}
	text, err := json.MarshalIndent(named, "", " ")
	if err != nil {
		panic("openconfig schema: " + err.Error())
	}
	return &gnmi.Update{Path: at, Val: &gnmi.TypedValue{Value: &gnmi.TypedValue_JsonIetfVal{JsonIetfVal: unindented(text)}}}
}

// unindented joins lines of JSON without their indentation. What stays apart is what
// [prototext] breaks lines at.
func unindented(text []byte) []byte {
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		out.WriteString(strings.TrimSpace(line))
	}
	return []byte(out.String())
}

// path is made of names and of elements with keys.
func path(elements ...any) *gnmi.Path {
	out := &gnmi.Path{}
	for _, e := range elements {
		switch e := e.(type) {
		case string:
			out.Elem = append(out.Elem, &gnmi.PathElem{Name: e})
		case *gnmi.PathElem:
			out.Elem = append(out.Elem, e)
		}
	}
	return out
}

func key(list, name, value string) *gnmi.PathElem {
	return &gnmi.PathElem{Name: list, Key: map[string]string{name: value}}
}

// get follows names from object to object, nil where one is missing.
func get(v map[string]any, names ...string) map[string]any {
	for _, name := range names {
		v, _ = v[name].(map[string]any)
	}
	return v
}

// An entry is one of a list, with its key.
type entry struct {
	name  string
	value map[string]any
}

// entries are those of a list, in natural order of their keys.
func entries(in map[string]any, list, by string) (out []entry) {
	byName := map[string]map[string]any{}
	items, _ := in[list].([]any)
	for _, item := range items {
		if v, ok := item.(map[string]any); ok {
			if name, ok := v[by].(string); ok {
				byName[name] = v
			}
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(byName), natural.Compare) {
		out = append(out, entry{name, byName[name]})
	}
	return out
}
