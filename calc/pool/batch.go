package pool

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// Catalogue finds chips by name or alias; *chips.Catalogue does.
type Catalogue interface {
	Find(name string) (*chips.Chip, bool)
}

// byteOrderMark is put before a text by some editors.
const byteOrderMark = "\ufeff"

// poolSize is a pool of the answer.
type poolSize struct {
	Size units.Bytes `json:"size_bytes"`
	XOff units.Bytes `json:"xoff_bytes,omitempty"`
}

// Batch reads a JSON list of buffer configurations of Spectrum switches and writes
// the same list with `predicted_pools` in each element, in the form of its
// `expected_pools`, or with `error` where it has no answer. It returns how many had
// none; err is a fault of the whole input or of writing.
//
// An element says: asic; mmu_bytes, cell_size_bytes, pipeline_latency_kib (each from the catalogue
// when absent); over_subscribe_ratio, shared_headroom_pool_bytes (0 when absent);
// two_ingress_pools; port_groups with ports, lanes, admin_up (true when absent), lossless_pgs,
// xon_bytes, xoff_bytes, size_bytes; profiles. Where a group has no xon_bytes, xoff_bytes or
// size_bytes but speed_mbps and cable_m, NVIDIA's headroom calculator gives them, with
// port_mtu_bytes, lossless_mtu_bytes and small_packet_percent of the element. Values of the
// catalogue or the calculator are in `filled_in` of the answer. Other members are passed on as they
// are.
func Batch(r io.Reader, w io.Writer, cat Catalogue) (bad int, err error) {
	in := bufio.NewReader(r)
	if mark, _ := in.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		in.Discard(len(mark))
	}
	var elements []json.RawMessage
	if err := json.NewDecoder(in).Decode(&elements); err != nil {
		return 0, fmt.Errorf("not a JSON list of buffer configurations: %w", err)
	}
	answers := make([]json.RawMessage, len(elements))
	for i, element := range elements {
		var failed bool
		if answers[i], failed = answerOne(element, cat); failed {
			bad++
		}
	}
	out := json.NewEncoder(w)
	out.SetIndent("", " ")
	return bad, out.Encode(answers)
}

// answerOne appends the answer to an element. The answer to an element that is not an object has
// only the error.
func answerOne(element json.RawMessage, cat Catalogue) (answer json.RawMessage, failed bool) {
	var members orderedObject
	err := json.Unmarshal(element, &members)
	members.remove("predicted_pools", "filled_in", "error")
	var pools map[string]poolSize
	var filled map[string]int64
	if err == nil {
		pools, filled, err = predict(element, cat)
	}
	if err != nil {
		members.add("error", err.Error())
	} else {
		members.add("predicted_pools", pools)
		if len(filled) > 0 {
			members.add("filled_in", filled)
		}
	}
	answer, err2 := json.Marshal(members)
	if err2 != nil {
		panic(err2) // members hold what was valid JSON already
	}
	return answer, err != nil
}

func predict(element json.RawMessage, cat Catalogue) (map[string]poolSize, map[string]int64, error) {
	var q question
	if err := json.Unmarshal(element, &q); err != nil {
		return nil, nil, err
	}
	in, filled, err := q.input(cat)
	if err != nil {
		return nil, nil, err
	}
	r, err := Spectrum(in)
	if err != nil {
		return nil, nil, err
	}
	pools := map[string]poolSize{
		"ingress_lossless_pool": {r.Size, r.HeadroomPool},
		"egress_lossy_pool":     {Size: r.Size},
	}
	if q.TwoPools {
		pools["ingress_lossy_pool"] = poolSize{Size: r.Size}
	}
	return pools, filled, nil
}
