package srlinux

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
)

// ChangeFile is the path of a change below the device's folder.
const ChangeFile = "srlinux-change.json"

// A request is a gNMI SetRequest as gnmic reads it: gnmic set --request-file. A device
// makes all of it or nothing (gNMI specification 0.10, section 3.4.3).
type request struct {
	Deletes  []string `json:"deletes,omitempty"`
	Replaces []value  `json:"replaces,omitempty"`
	Updates  []value  `json:"updates,omitempty"` // merged into what is there
}

type value struct {
	Path     string          `json:"path"`
	Encoding string          `json:"encoding"`
	Value    json.RawMessage `json:"value"`
}

// EmitChange prints the request that leads from one configuration of a switch to another.
// Entries of lists that roceplan did not write stay. No file: nothing is different.
func EmitChange(from, to *plan.Switch) ([]emit.File, diag.List) {
	old, list := compose(from)
	if old == nil {
		return nil, list
	}
	next, list := compose(to)
	if next == nil {
		return nil, list
	}
	there := between(old.entries(), next.entries())
	if there.Deletes == nil && there.Replaces == nil && there.Updates == nil {
		return nil, list
	}
	return []emit.File{{Path: ChangeFile, Body: emit.NewBody(text(there))}}, list
}

// An entry is one of a list of the models, or a container, with its path.
type entry struct {
	path string
	text json.RawMessage
	// shared is set where others have more in the entry, a subinterface its addresses: it is
	// made where it is not there, never replaced nor deleted.
	shared bool
}

// between finds what goes and what comes. What goes is deleted first, whatever refers to
// it: the device looks at the whole.
func between(from, to []entry) (r request) {
	had, stays := map[string]json.RawMessage{}, map[string]bool{}
	for _, e := range from {
		had[e.path] = e.text
	}
	for _, e := range to {
		stays[e.path] = true
		switch v := (value{e.path, "json_ietf", e.text}); {
		case bytes.Equal(had[e.path], e.text):
		case e.shared:
			r.Updates = append(r.Updates, v)
		default:
			r.Replaces = append(r.Replaces, v)
		}
	}
	for _, e := range from {
		if !stays[e.path] && !e.shared {
			r.Deletes = append(r.Deletes, e.path)
		}
	}
	return r
}

// entries takes a document apart, in the order in which it is printed. Of interfaces only
// the leaves that are written: others have addresses there.
func (d *document) entries() (all []entry) {
	add := func(v any, format string, args ...any) {
		out, err := json.Marshal(v)
		if err != nil {
			panic("srlinux schema: " + err.Error())
		}
		all = append(all, entry{path: fmt.Sprintf(format, args...), text: out})
	}
	for _, p := range d.Interfaces {
		if p.MTU > 0 {
			add(p.MTU, "/interface[name=%s]/mtu", p.Name)
		}
		if p.Ethernet != nil {
			add(p.Ethernet.Speed, "/interface[name=%s]/ethernet/port-speed", p.Name)
		}
		if p.Breakout != nil {
			add(p.Breakout, "/interface[name=%s]/breakout-mode", p.Name)
		}
		for _, s := range p.Subinterfaces {
			add(s, "/interface[name=%s]/subinterface[index=%d]", p.Name, s.Index)
			all[len(all)-1].shared = true
		}
	}
	q := &d.QoS
	if q.ECN != nil {
		add(q.ECN, "/qos/explicit-congestion-notification")
	}
	for _, e := range q.Queues.Queue {
		add(e, "/qos/queues/queue[name=%s]", e.Name)
	}
	for _, e := range q.Queues.PFC {
		add(e, "/qos/queues/pfc-queue[pfc-queue-name=%s]", e.Name)
	}
	for _, e := range q.Classes.Class {
		add(e, "/qos/forwarding-classes/forwarding-class[name=%s]", e.Name)
	}
	for _, e := range q.Mappings {
		add(e, "/qos/pfc-mapping-profile[name=%s]", e.Name)
	}
	for _, e := range q.Classifiers.Policy {
		add(e, "/qos/classifiers/dscp-policy[name=%s]", e.Name)
	}
	if q.Rewrites != nil {
		for _, e := range q.Rewrites.Policy {
			add(e, "/qos/rewrite-rules/dscp-policy[name=%s]", e.Name)
		}
	}
	if q.Schedulers != nil {
		for _, e := range q.Schedulers.Policy {
			add(e, "/qos/scheduler-policies/scheduler-policy[name=%s]", e.Name)
		}
	}
	for _, e := range q.Buffers.Curves {
		add(e, "/qos/buffer-management/queue-management-profile[name=%s]", e.Name)
	}
	for _, e := range q.Buffers.Allocations {
		add(e, "/qos/buffer-management/buffer-allocation-profile[name=%s]", e.Name)
	}
	for _, card := range q.Linecards {
		for _, e := range card.Complex {
			add(e.Input.Reserve, "/qos/linecard[slot=%d]/forwarding-complex[name=%s]/input/pfc-buffer-reservation", card.Slot, e.Name)
		}
	}
	for _, e := range q.Interfaces.Interface {
		add(e, "/qos/interfaces/interface[interface-id=%s]", e.ID)
	}
	return all
}
