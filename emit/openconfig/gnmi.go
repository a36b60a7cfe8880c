package openconfig

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format/tree"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
)

// Paths of the requests below the device's folder.
const (
	ReplaceFile = "gnmi-replace.textproto"
	UpdateFile  = "gnmi-update.textproto"
	ChangeFile  = "openconfig-change.json"
)

// EmitReplace prints a gNMI SetRequest after which the device says of each container
// that roceplan writes what the document of [Emit] says, and nothing else. It goes no
// higher than these containers: vendors hang PFC and its watchdog into /qos too, and a
// replacement of /qos would take them away. Interfaces that the document does not name
// are left alone; where one of them still points to a profile that is gone, the device
// refuses the whole request, and nothing has changed.
func EmitReplace(s *plan.Switch) ([]emit.File, diag.List) {
	return emitRequest(s, ReplaceFile, true)
}

// EmitUpdate prints a gNMI SetRequest that lays the document of [Emit] over what the
// device has. It removes nothing.
func EmitUpdate(s *plan.Switch) ([]emit.File, diag.List) {
	return emitRequest(s, UpdateFile, false)
}

// EmitChange prints the request of [EmitReplace] as gnmic reads it, and takes the same containers from
// ports that another configuration of the switch has and this one does not.
func EmitChange(from, to *plan.Switch) ([]emit.File, diag.List) {
	return emit.PrintChange(from, to, ChangeFile, documentOf, func(old, next *document) []byte {
		stays := map[string]bool{}
		for _, entry := range next.ports() {
			stays[entry.name] = true
		}
		r := &requester{replaces: true, eos: next.eos, out: next.request(true)}
		for _, entry := range old.ports() {
			if !stays[entry.name] {
				r.port(key("interface", "interface-id", entry.name), nil)
			}
		}
		return r.out.gnmic().Text()
	})
}

func emitRequest(s *plan.Switch, file string, replace bool) ([]emit.File, diag.List) {
	doc, list := documentOf(s)
	if doc == nil {
		return nil, list
	}
	return []emit.File{{Path: file, Body: emit.NewBody(prototext(doc.request(replace)))}}, list
}

// A request is a SetRequest of gNMI (specification 0.10, section 3.4). Values are JSON_IETF
// (section 2.3.1). The message of the published module is not used: it brings gRPC with it.
type request struct {
	delete          []path
	replace, update []change
}

// A change gives the node at a path a value, as JSON.
type change struct {
	at    path
	value []byte
}

// A path leads from the root of the models to a node.
type path []element

// An element is a name, of a list with the key of an entry.
type element struct{ name, key, value string }

// gnmic returns the request as gnmic reads it, with the origin in each path.
func (r *request) gnmic() (out tree.Request) {
	for _, at := range r.delete {
		out.Deletes = append(out.Deletes, at.text())
	}
	values := func(changes []change) (all []tree.Value) {
		for _, c := range changes {
			all = append(all, tree.Value{Path: c.at.text(), Encoding: "json_ietf", Value: c.value})
		}
		return all
	}
	out.Replaces, out.Updates = values(r.replace), values(r.update)
	return out
}

func (p path) text() string {
	out := "openconfig:"
	for _, e := range p {
		if out += "/" + e.name; e.key != "" {
			out += "[" + e.key + "=" + e.value + "]"
		}
	}
	return out
}

// A document is the configuration of a switch, by names.
type document struct {
	tree map[string]any
	eos  bool
}

// documentOf is nil where the list has errors.
func documentOf(s *plan.Switch) (*document, diag.List) {
	root, list := compose(s)
	if root == nil {
		return nil, list
	}
	decoder, doc := json.NewDecoder(bytes.NewReader(root.Text())), map[string]any{}
	decoder.UseNumber()
	if err := decoder.Decode(&doc); err != nil {
		panic("openconfig: " + err.Error())
	}
	return &document{doc, s.OS == "eos"}, list
}

// ports returns the entries of ports below qos.
func (d *document) ports() []entry {
	return entries(get(d.tree, "openconfig-qos:qos", "interfaces"), "interface", "interface-id")
}

// request takes the document apart. It names no target.
func (d *document) request(replaces bool) *request {
	r := &requester{replaces: replaces, eos: d.eos, out: &request{}}
	r.interfaces(get(d.tree, "openconfig-interfaces:interfaces"))
	r.qos(d)
	return r.out
}

// A requester takes a document apart into operations.
type requester struct {
	replaces bool // it replaces the device's configuration; else it is merged into it
	eos      bool
	out      *request
}

// interfaces sends the settings of the ports themselves. Ports exist, so this is an update in both
// modes; a port with nothing but its name is left out.
func (r *requester) interfaces(all map[string]any) {
	for _, entry := range entries(all, "interface", "name") {
		if config := get(entry.value, "config"); config["mtu"] != nil {
			r.update(to("interfaces", key("interface", "name", entry.name), "config"), "openconfig-interfaces", config)
		}
	}
}

// qos goes through the containers that roceplan writes, whether or not the document has
// them. EOS has buffer profiles that OpenConfig cannot say, so there they stay.
func (r *requester) qos(d *document) {
	containers := []string{"queues", "forwarding-groups", "classifiers", "queue-management-profiles", "scheduler-policies"}
	if !r.eos {
		containers = append(containers, "buffer-allocation-profiles")
	}
	for _, name := range containers {
		r.set(to("qos", name), get(d.tree, "openconfig-qos:qos", name))
	}
	for _, entry := range d.ports() {
		at := key("interface", "interface-id", entry.name)
		own := map[string]any{"config": entry.value["config"], "interface-ref": entry.value["interface-ref"]}
		r.update(to("qos", "interfaces", at), "openconfig-qos", own)
		r.port(at, entry.value)
	}
}

// port goes through the containers of a port.
func (r *requester) port(at element, value map[string]any) {
	outputs := []string{"queues", "scheduler-policy"}
	if !r.eos {
		outputs = append(outputs, "config")
	}
	r.set(to("qos", "interfaces", at, "input", "classifiers"), get(value, "input", "classifiers"))
	for _, name := range outputs {
		r.set(to("qos", "interfaces", at, "output", name), get(value, "output", name))
	}
}

// set makes a container of qos what the document has, or lays that over it.
func (r *requester) set(at path, value map[string]any) {
	switch {
	case len(value) == 0 && r.replaces:
		r.out.delete = append(r.out.delete, at)
	case len(value) == 0:
	case r.replaces:
		r.out.replace = append(r.out.replace, pair(at, "openconfig-qos", value))
	default:
		r.update(at, "openconfig-qos", value)
	}
}

func (r *requester) update(at path, module string, value map[string]any) {
	r.out.update = append(r.out.update, pair(at, module, value))
}

// pair joins a path with a value. The names at the top of a value carry their module.
func pair(at path, module string, value map[string]any) change {
	named := make(map[string]any, len(value))
	for name, v := range value {
		named[module+":"+name] = v
	}
	text, err := json.MarshalIndent(named, "", " ")
	if err != nil {
		panic("openconfig schema: " + err.Error())
	}
	return change{at, unindented(text)}
}

// unindented joins lines of JSON without their indentation. Line breaks that [prototext] needs
// stay.
func unindented(text []byte) []byte {
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		out.WriteString(strings.TrimSpace(line))
	}
	return []byte(out.String())
}

// to makes a path of names and of elements with keys.
func to(elements ...any) (out path) {
	for _, e := range elements {
		switch e := e.(type) {
		case string:
			out = append(out, element{name: e})
		case element:
			out = append(out, e)
		}
	}
	return out
}

func key(list, name, value string) element { return element{list, name, value} }

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

// entries returns the entries of a list, in natural order of their keys.
func entries(in map[string]any, list, by string) (out []entry) {
	byName := map[string]map[string]any{}
	items, _ := in[list].([]any)
	for _, item := range items {
		v := item.(map[string]any)
		byName[v[by].(string)] = v
	}
	for _, name := range slices.SortedFunc(maps.Keys(byName), natural.Compare) {
		out = append(out, entry{name, byName[name]})
	}
	return out
}
