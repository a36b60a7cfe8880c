// Package dcb reads what `dcb -j` of iproute2 prints of a NIC, and holds it against what
// the switches expect of it.
//
// One file may hold the output of several commands, one after another:
//
//	for part in pfc app ets buffer; do dcb -j $part show dev eth2; done >eth2.json
//
// The keys are those of iproute2's dcb/dcb_pfc.c, dcb_app.c, dcb_ets.c and dcb_buffer.c;
// keys that say nothing of RoCE are passed over.
package dcb

import (
	"encoding/json"
	"slices"

	"github.com/roceplan/roceplan/diag"
)

// A Reading is what the kernel says of a NIC. A part that the file does not have is nil.
type Reading struct {
	File   string
	PFC    *PFCState
	Apps   *AppTable
	ETS    *ETSState
	Buffer *BufferState
}

// At is a value with its place in the file.
type At[T any] struct {
	Value T
	Range diag.Range
}

// PFCState is which priorities have PFC.
type PFCState struct {
	On    [8]At[bool]
	Delay At[int64] // allowance for the link; ConnectX takes it for the cable in metres
}

// An AppTable is the priorities of code points and ports.
type AppTable struct {
	DSCP []Entry
	UDP  []Entry // by destination port
}

// An Entry gives a code point or a port a priority.
type Entry struct {
	Key      int64
	Priority int64
	Range    diag.Range
}

// ETSState is how priorities share the link.
type ETSState struct {
	Willing At[bool]
	TC      [8]At[int64]  // of each priority
	TSA     [8]At[string] // of each traffic class: "strict", "ets", "cbs", "vendor"
	Percent [8]At[int64]
}

// BufferState is the receive buffer.
type BufferState struct {
	Of   [8]At[int64] // of each priority
	Size [8]At[int64] // bytes
}

// Read parses a file. Its faults are in the list; what could be read is in the Reading.
func Read(file string, src []byte) (*Reading, diag.List) {
	var found diag.List
	r := &reader{Reading: &Reading{File: file}, found: &found}
	s := newScanner(file, src, &found)
	if len(src) > maxSize {
		found.Errorf(JSON, s.rangeOf(0, 0), "the file has %d bytes; more than %d are not read", len(src), maxSize)
		return r.Reading, found
	}
	for {
		n, ok := s.next()
		if !ok {
			return r.Reading, found
		}
		if !n.object {
			found.Errorf(Shape, n.at, "dcb prints objects, and this is none")
			continue
		}
		r.object(&n)
	}
}

type reader struct {
	*Reading
	found *diag.List
}

// object takes the values of one command. The keys of the commands differ, so it does
// not matter which it was.
func (r *reader) object(n *node) {
	for i := range n.members {
		m := &n.members[i]
		v := &m.value
		switch m.key {
		case "pfc", "app", "ets", "buffer": // of a document that somebody has put together
			r.object(v)
		case "prio_pfc":
			r.pfc().On = eight(r, v, onOff)
		case "delay":
			r.pfc().Delay = one(r, v, number)
		case "dscp_prio":
			r.apps().DSCP = r.pairs(v, 63)
		case "dgram_port_prio":
			r.apps().UDP = r.pairs(v, 65535)
		case "ethtype_prio", "stream_port_prio", "port_prio", "default_prio", "pcp_prio":
			r.apps()
		case "willing":
			r.ets().Willing = one(r, v, onOff)
		case "prio_tc":
			r.ets().TC = eight(r, v, upTo7)
		case "tc_tsa":
			r.ets().TSA = eight(r, v, word)
		case "tc_bw":
			r.ets().Percent = eight(r, v, number)
		case "prio_buffer":
			r.buffer().Of = eight(r, v, upTo7)
		case "buffer_size":
			r.buffer().Size = eight(r, v, number)
		}
	}
	if len(n.members) == 0 {
		r.apps() // what `dcb -j app show` prints of an empty table
	}
}

func (r *reader) pfc() *PFCState {
	if r.PFC == nil {
		r.PFC = &PFCState{}
	}
	return r.PFC
}

func (r *reader) apps() *AppTable {
	if r.Apps == nil {
		r.Apps = &AppTable{}
	}
	return r.Apps
}

func (r *reader) ets() *ETSState {
	if r.ETS == nil {
		r.ETS = &ETSState{}
	}
	return r.ETS
}

func (r *reader) buffer() *BufferState {
	if r.Buffer == nil {
		r.Buffer = &BufferState{}
	}
	return r.Buffer
}

// one reads a single value.
func one[T any](r *reader, n *node, read func(*node) (T, bool)) At[T] {
	value, ok := read(n)
	if !ok {
		r.found.Errorf(Shape, n.at, "dcb prints another kind of value here")
	}
	return At[T]{value, n.at}
}

// eight reads one value for each priority or traffic class.
func eight[T any](r *reader, n *node, read func(*node) (T, bool)) (out [8]At[T]) {
	if len(n.items) != len(out) {
		r.found.Errorf(Shape, n.at, "dcb prints eight values here, and there are %d", len(n.items))
		return out
	}
	for i := range n.items {
		out[i] = one(r, &n.items[i], read)
	}
	return out
}

// pairs reads [key, priority] pairs.
func (r *reader) pairs(n *node, most int64) []Entry {
	entries := make([]Entry, 0, len(n.items))
	for i := range n.items {
		item := &n.items[i]
		if len(item.items) != 2 {
			r.found.Errorf(Shape, item.at, "dcb prints a pair of numbers here")
			continue
		}
		key, keyOK := number(&item.items[0])
		priority, prioOK := upTo7(&item.items[1])
		if !keyOK || !prioOK || key < 0 || key > most {
			r.found.Errorf(Shape, item.at, "dcb prints a number up to %d and a priority up to 7 here", most)
			continue
		}
		entries = append(entries, Entry{key, priority, item.at})
	}
	if !n.array {
		r.found.Errorf(Shape, n.at, "dcb prints a list of pairs here")
	}
	return slices.Clip(entries)
}

func number(n *node) (int64, bool) {
	literal, ok := n.value.(json.Number)
	if !ok {
		return 0, false
	}
	v, err := literal.Int64()
	return v, err == nil
}

func upTo7(n *node) (int64, bool) {
	v, ok := number(n)
	return v & 7, ok && v >= 0 && v <= 7
}

// onOff reads what newer releases print as true and older ones as "on".
func onOff(n *node) (bool, bool) {
	switch v := n.value.(type) {
	case bool:
		return v, true
	case string:
		return v == "on", v == "on" || v == "off"
	}
	return false, false
}

func word(n *node) (string, bool) {
	v, ok := n.value.(string)
	return v, ok
}
