package pool

import (
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

// question is one element of a batch. Bytes are plain numbers. What is absent comes
// from the chip catalogue.
type question struct {
	ASIC         string `json:"asic"`
	MMU          *int64 `json:"mmu_bytes"`
	Cell         *int64 `json:"cell_size_bytes"`
	LatencyKiB   *int64 `json:"pipeline_latency_kib"`
	Ratio        int64  `json:"over_subscribe_ratio"`
	HeadroomPool int64  `json:"shared_headroom_pool_bytes"`
	TwoPools     bool   `json:"two_ingress_pools"`
	Groups       []struct {
		Ports int64       `json:"ports"`
		Lanes int         `json:"lanes"`
		Up    *bool       `json:"admin_up"` // default: up
		PGs   int64       `json:"lossless_pgs"`
		XOn   units.Bytes `json:"xon_bytes"`
		XOff  units.Bytes `json:"xoff_bytes"`
		Size  units.Bytes `json:"size_bytes"`
	} `json:"port_groups"`
	Profiles struct {
		IngressLossy   units.Bytes `json:"ingress_lossy_profile"`
		EgressLossless units.Bytes `json:"egress_lossless_profile"`
		EgressLossy    units.Bytes `json:"egress_lossy_profile"`
		QueueLossy     units.Bytes `json:"q_lossy_profile"`
	} `json:"profiles"`
}

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
// An element says: asic; mmu_bytes, cell_size_bytes, pipeline_latency_kib (each from
// the catalogue when absent); over_subscribe_ratio, shared_headroom_pool_bytes (0 when
// absent); two_ingress_pools; port_groups with ports, lanes, admin_up (true when
// absent), lossless_pgs, xon_bytes, xoff_bytes, size_bytes; profiles. Other members are
// passed on as they are.
func Batch(r io.Reader, w io.Writer, cat Catalogue) (bad int, err error) {
	var elements []json.RawMessage
	if err := json.NewDecoder(r).Decode(&elements); err != nil {
		return 0, fmt.Errorf("not a JSON list of buffer configurations: %w", err)
	}
	answers := make([]json.RawMessage, len(elements))
	for i, element := range elements {
		var failed bool
		if answers[i], failed = answerOne(element, cat); failed {
			bad++
		}
	}
	out, err := json.MarshalIndent(answers, "", " ")
	if err != nil {
		return bad, err
	}
	_, err = w.Write(append(out, '\n'))
	return bad, err
}

// answerOne appends the answer to an element. What is no object at all is answered by
// an object that has only the error.
func answerOne(element json.RawMessage, cat Catalogue) (answer json.RawMessage, failed bool) {
	var members orderedObject
	err := json.Unmarshal(element, &members)
	members.remove("predicted_pools", "error")
	var pools map[string]poolSize
	if err == nil {
		pools, err = predict(element, cat)
	}
	if err != nil {
		members.add("error", err.Error())
	} else {
		members.add("predicted_pools", pools)
	}
	answer, err2 := json.Marshal(members)
	if err2 != nil {
		panic(err2) // members hold what was valid JSON already
	}
	return answer, err != nil
}

func predict(element json.RawMessage, cat Catalogue) (map[string]poolSize, error) {
	var q question
	if err := json.Unmarshal(element, &q); err != nil {
		return nil, err
	}
	in, err := q.input(cat)
	if err != nil {
		return nil, err
	}
	r, err := Spectrum(in)
	if err != nil {
		return nil, err
	}
	pools := map[string]poolSize{
		"ingress_lossless_pool": {r.Size, r.HeadroomPool},
		"egress_lossy_pool":     {Size: r.Size},
	}
	if q.TwoPools {
		pools["ingress_lossy_pool"] = poolSize{Size: r.Size}
	}
	return pools, nil
}

func (q *question) input(cat Catalogue) (*SpectrumInput, error) {
	chip, ok := cat.Find(q.ASIC)
	if !ok {
		return nil, fmt.Errorf("asic: there is no chip %q in the catalogue", q.ASIC)
	}
	if chip.Family != chips.Spectrum {
		return nil, fmt.Errorf("asic: %s is not of the Spectrum family", chip.Name)
	}
	constants, err := SpectrumOf(chip)
	if err != nil {
		return nil, err
	}
	in := &SpectrumInput{
		Chip:            constants,
		Profiles:        SpectrumProfiles(q.Profiles),
		OverSubscribe:   q.Ratio,
		HeadroomPool:    units.Bytes(q.HeadroomPool),
		TwoIngressPools: q.TwoPools,
	}
	for _, o := range []struct {
		from *int64
		unit units.Bytes
		into *units.Bytes
	}{{q.MMU, units.Byte, &in.Chip.MMU}, {q.Cell, units.Byte, &in.Chip.Cell}, {q.LatencyKiB, units.KiB, &in.Chip.Latency}} {
		if o.from != nil {
			*o.into = units.Bytes(*o.from) * o.unit
		}
	}
	for _, g := range q.Groups {
		in.Groups = append(in.Groups, SpectrumGroup{
			Ports: g.Ports, Lanes: g.Lanes, Up: g.Up == nil || *g.Up,
			LosslessPGs: g.PGs, XOn: g.XOn, XOff: g.XOff, Size: g.Size,
		})
	}
	return in, in.Check()
}
