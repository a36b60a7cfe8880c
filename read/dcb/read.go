// Package dcb reads what `dcb -j` of iproute2 prints of a NIC, and checks it against what
// the switches expect of it.
//
// One file may hold the output of several commands, one after another:
//
//	for part in pfc app ets buffer; do dcb -j $part show dev eth2; done >eth2.json
//
// The keys are those of iproute2's dcb/dcb_pfc.c, dcb_app.c, dcb_ets.c and dcb_buffer.c.
// Capabilities of a NIC, its counters and its recommendations to its link partner are skipped;
// every other key that is not read is reported.
package dcb

import (
	"slices"
	"strconv"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/posjson"
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
	r := &reader{Reading: &Reading{File: file}, found: &found, seen: map[string]bool{}}
	var all []posjson.Node
	r.doc, all = dialect().ParseAll(file, src, &found)
	for i := range found {
		found[i].Fix = "give the output of `dcb -j`, unchanged"
	}
	for i := range all {
		if n := &all[i]; n.Kind == posjson.Object {
			r.object(n, "app")
		} else {
			found.Errorf(Shape, r.doc.At(n), "dcb prints objects, but this is not one").Fixf("give the output of: dcb -j ets show dev DEV; dcb -j pfc show dev DEV")
		}
	}
	return r.Reading, found
}

type reader struct {
	*Reading
	doc   *posjson.File
	found *diag.List
	seen  map[string]bool // keys, of all objects
}

// object takes the values of one command. The keys of the commands differ, so it does
// not matter which it was, unless it has none: `dcb -j app show` alone prints that.
func (r *reader) object(n *posjson.Node, part string) {
	for m := range n.All() {
		v := &m.Value
		if r.seen[m.Key] {
			r.found.Errorf(Shape, r.doc.KeyAt(m), "the file has %q twice, and does not say which of the two the NIC has", m.Key).Fixf("give one file for each NIC, with each command once")
			return // the rest of it is there twice too
		}
		r.seen[m.Key] = true
		switch m.Key {
		case "pfc", "app", "ets", "buffer": // of a document that was put together by hand
			if v.Kind != posjson.Object {
				r.found.Errorf(Shape, r.doc.At(v), "dcb prints an object for %s, but this is not one", m.Key).Fixf("give the output of dcb -j as it is")
				continue
			}
			r.object(v, m.Key)
		case "prio_pfc":
			r.pfc().On = eight(r, v, onOff)
		case "delay":
			r.pfc().Delay = one(r, v, number)
		case "dscp_prio":
			r.apps().DSCP = r.pairs(v, 63)
		case "dgram_port_prio":
			r.apps().UDP = r.pairs(v, 65535)
		case "ethtype_prio", "stream_port_prio", "port_prio", "default_prio", "pcp_prio":
			if r.apps(); len(v.Items) > 0 {
				r.unread(m)
			}
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
		case "pg_bw": // shares of what is received
			if slices.ContainsFunc(v.Items, func(n posjson.Node) bool { return n.Text != "0" }) {
				r.unread(m)
			}
		case "pfc_cap", "macsec_bypass", "requests", "indications", "ets_cap", "cbs", "reco_tc_bw", "reco_tc_tsa", "reco_prio_tc", "total_size":
		default:
			r.unread(m)
		}
	}
	if len(n.Members) == 0 && part == "app" {
		r.apps()
	}
}

// unread reports a key that may affect the NIC and that the audit does not read.
func (r *reader) unread(m *posjson.Member) {
	r.found.Warnf(Unread, r.doc.KeyAt(m), "%q is not modelled: its effect on the NIC was not checked", m.Key).
		Fixf("check it by hand, or leave it out of the file")
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
func one[T any](r *reader, n *posjson.Node, read func(*posjson.Node) (T, bool)) At[T] {
	value, ok := read(n)
	if !ok {
		r.found.Errorf(Shape, r.doc.At(n), "dcb prints another kind of value here").Fixf("give the output of dcb -j as it is")
	}
	return At[T]{value, r.doc.At(n)}
}

// eight reads one value for each priority or traffic class.
func eight[T any](r *reader, n *posjson.Node, read func(*posjson.Node) (T, bool)) (out [8]At[T]) {
	if len(n.Items) != len(out) {
		r.found.Errorf(Shape, r.doc.At(n), "dcb prints eight values here, but there are %d", len(n.Items)).Fixf("give the output of dcb -j as it is, with one value for each of the 8 priorities")
		return out
	}
	for i := range n.Items {
		out[i] = one(r, &n.Items[i], read)
	}
	return out
}

// pairs reads [key, priority] pairs.
func (r *reader) pairs(n *posjson.Node, most int64) []Entry {
	entries := make([]Entry, 0, len(n.Items))
	for i := range n.Items {
		item := &n.Items[i]
		if len(item.Items) != 2 {
			r.found.Errorf(Shape, r.doc.At(item), "dcb prints a pair of numbers here").Fixf("give the output of dcb -j as it is")
			continue
		}
		key, keyOK := number(&item.Items[0])
		priority, prioOK := upTo7(&item.Items[1])
		if !keyOK || !prioOK || key < 0 || key > most {
			r.found.Errorf(Shape, r.doc.At(item), "dcb prints a number up to %d and a priority up to 7 here", most).Fixf("give the output of dcb -j as it is")
			continue
		}
		entries = append(entries, Entry{key, priority, r.doc.At(item)})
	}
	if n.Kind != posjson.Array {
		r.found.Errorf(Shape, r.doc.At(n), "dcb prints a list of pairs here").Fixf("give the output of dcb -j as it is")
	}
	return slices.Clip(entries)
}

func number(n *posjson.Node) (int64, bool) {
	v, err := strconv.ParseInt(n.Text, 10, 64)
	return v, err == nil && n.Kind == posjson.Other
}

func upTo7(n *posjson.Node) (int64, bool) {
	v, ok := number(n)
	return v & 7, ok && v >= 0 && v <= 7
}

// onOff reads what newer releases print as true and older ones as "on".
func onOff(n *posjson.Node) (bool, bool) {
	on, off := "on", "off"
	if n.Kind == posjson.Other {
		on, off = "true", "false"
	}
	return n.Text == on, n.Scalar() && (n.Text == on || n.Text == off)
}

func word(n *posjson.Node) (string, bool) { return n.Text, n.Kind == posjson.Text }
