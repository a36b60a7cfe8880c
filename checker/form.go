package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// The page, "The file", "A certificate", "An obligation", "Conditions", "The model". Fields are called as they are
// there, but for those that have another name behind them. All amounts are integers: cells of the buffer unless the
// name says otherwise, B, bit/s, mm, ps, or billionths.

type file struct {
	Schema  string
	Devices []string
	Lacks   []struct{ Device, Because string }

	Certificates []*certificate
}

type certificate struct {
	Schema, Chip, Verdict                    string
	Switches, Declared, Because, Assumptions []string
	Files                                    map[string]string // SHA-256 by name
	Groups                                   []group
	Model                                    *model
	Obligations                              []obligation
	Coverage                                 struct {
		Ports, Groups, Classes, Modelled, Neutral int
		LosslessPorts                             int    `json:"lossless_ports"`
		LosslessClasses                           int    `json:"lossless_classes"`
		LosslessDSCPs                             string `json:"lossless_dscps"`
		Unmodelled                                int    `json:"not_modelled"`
	}
}

type group struct {
	Where string
	Ports []string
	PG    int
}

// Verdicts, the worst last.
var verdicts = []string{holds, conditional, unjudged, fails}

const holds, conditional, unjudged, fails = "holds", "conditional", "cannot be judged", "fails"

type term struct {
	Symbol, Name, Unit, At string
	Expr                   string // empty: the value is given
	Value                  int64
}

type side struct {
	Expr  string
	Value int64
}

type inequality struct {
	Terms       []term
	Left, Right side
}

type obligation struct {
	inequality
	ID, Title, Where, Unit, Source, Verdict, Because, Note, At string

	Lossless   bool
	Conditions []condition
	Under      *inequality
}

type condition struct {
	ID, Where, Assumes, Declare, Unit  string
	Bound, Worst, Layers, Frame, Short int64

	Perhaps bool
	Terms   []term
}

type model struct {
	Config *buffer
	Ports  []port

	needs map[link]int64 // computed: see need
}

type buffer struct {
	Cell       int64 `json:"cell_bytes"`
	Metadata   int64 `json:"metadata_bytes"`
	Slices     int
	SliceCells int64 `json:"slice_cells"`
	Unit       int64 `json:"headroom_unit_bytes"`
	Overhead   int64 `json:"headroom_overhead_units"`
	Rules      struct {
		Admission, Pause, Resume ruleWord
		Decided                  ruleWord `json:"xoff_decided"`
	}
	Ingress []pool `json:"ingress_pools"`
	Egress  []pool `json:"egress_pools"`
	Ports   []bufferPort
}

// A ruleWord says how the chip compares; empty is the first word of the page.
type ruleWord string

func (w *ruleWord) UnmarshalText(text []byte) error {
	*w = ruleWord(text)
	if !slices.Contains([]string{"with_cell", "below_with_cell", "before_cell", "when_full", "on_excess", "below_pause_level", "start", "end"}, string(text)) {
		return fmt.Errorf("there is no rule %q", text)
	}
	return nil
}

type pool struct {
	Name     string
	Shared   int64 `json:"shared_cells"`
	Headroom int64 `json:"headroom_cells"`
}

type bufferPort struct {
	Slice   int
	PGs     []pg
	Queues  []queue
	Ingress []bound `json:"ingress_bounds"`
	Egress  []bound `json:"egress_bounds"`
}

type bound struct {
	Pool  int
	Limit limit
}

type queue struct {
	Pool     int
	Reserved int64 `json:"reserved_cells"`
	Limit    limit
}

type pg struct {
	queue
	Lossless  bool
	Headroom  int64 `json:"headroom_cells"`
	Pooled    bool  `json:"headroom_pooled"`
	Xon       int64 `json:"xon_cells"`
	XonOffset int64 `json:"xon_offset_cells"`
}

type limit struct {
	Dynamic bool
	Alpha   int8  // 2^alpha times the free cells, if dynamic
	Static  int64 `json:"static_cells"`
	Code    struct {
		Bits uint8
		Next bool
	}
}

// queueMap has for each priority group the set of queues by which its packets leave.
type queueMap [8]uint16

type port struct {
	Name     string
	Link     link
	Pausable uint8
	Queues   queueMap
	Map      int        `json:"queue_map"`
	Other    []queueMap `json:"other_queues"`
}

type link struct {
	Rate, Cable, Gearbox, Interface, Response int64

	PortFrame     int64 `json:"port_frame"`
	LosslessFrame int64 `json:"lossless_frame"`
	Small         int64 `json:"small_packets"`
}

// parse reads a file of certificates. What the page does not list is refused.
func parse(text []byte) (*file, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	f := &file{}
	if err := decoder.Decode(f); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("something follows the last brace")
	}
	other := func(c *certificate) bool { return c == nil || c.Schema != "roceplan/certificate/6" }
	if f.Schema != "roceplan/certificates/1" || slices.ContainsFunc(f.Certificates, other) {
		return nil, errors.New("it has another schema")
	}
	return f, nil
}
