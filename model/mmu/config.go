package mmu

import "github.com/roceplan/roceplan/units"

// Config says everything the accounting of one switch depends on, in cells. It is
// plain data: compile writes it, the prover and the simulator read it. Amounts of a
// pool hold for each slice, not for the sum of slices.
type Config struct {
	// CellBytes is the size of one buffer cell, at least 1. A chip that accounts in
	// bytes has cells of 1 B.
	CellBytes units.Bytes `json:"cell_bytes"`
	// MetadataBytes are stored by the chip with each packet, and counted before the length is
	// divided by the cell; 0 or more.
	MetadataBytes units.Bytes `json:"metadata_bytes,omitempty"`
	// Slices is the number of parts (ITMs) that the buffer is cut into, at least 1.
	Slices int `json:"slices"`
	// SliceCells is the memory of one slice. 0 means not known: Validate then cannot
	// say whether reserves, pools and headroom fit.
	SliceCells units.Cells `json:"slice_cells,omitempty"`
	// HeadroomUnit is the unit of headroom; 0: cells. A packet with a part above the threshold then
	// takes ⌈L/HeadroomUnit⌉ units of the headroom and HeadroomOverhead more, whatever it takes of the
	// memory, and every HeadroomCells below counts units.
	HeadroomUnit     units.Bytes `json:"headroom_unit_bytes,omitempty"`
	HeadroomOverhead int64       `json:"headroom_overhead_units,omitempty"`
	// Rules say how this chip compares.
	Rules Rules `json:"rules"`

	IngressPools []Pool `json:"ingress_pools"`
	EgressPools  []Pool `json:"egress_pools"`
	Ports        []Port `json:"ports"`
}

// Pool is one buffer pool, per slice.
type Pool struct {
	Name string `json:"name"`
	// SharedCells are shared by PGs or queues beyond their reserves.
	SharedCells units.Cells `json:"shared_cells"`
	// HeadroomCells is the headroom pool of an ingress pool; 0 where every PG owns its headroom.
	HeadroomCells units.Cells `json:"headroom_cells,omitempty"`
}

// Port is one front-panel port, as ingress and as egress.
type Port struct {
	// Slice is the part of the buffer that its ingress pipe writes to, from 0.
	Slice int `json:"slice"`
	// PGs by number, at most [MaxPGs].
	PGs []PG `json:"pgs"`
	// Queues by number, at most [MaxQueues].
	Queues []Queue `json:"queues"`
	// Ingress and Egress bound what all groups, or all queues, of the port together take of
	// pools, at most one bound for each pool.
	Ingress []Bound `json:"ingress_bounds,omitempty"`
	Egress  []Bound `json:"egress_bounds,omitempty"`
}

// A Bound limits a whole port in one pool, in every slice.
type Bound struct {
	// Pool is the index into Config.IngressPools or Config.EgressPools.
	Pool int `json:"pool"`
	// Limit bounds the cells of the shared part that the port's groups or queues hold.
	Limit Limit `json:"limit"`
}

// BoundOf returns the limit of a port in a pool. False if it has none.
func BoundOf(bounds []Bound, pool int) (Limit, bool) {
	for _, b := range bounds {
		if b.Pool == pool {
			return b.Limit, true
		}
	}
	return Limit{}, false
}

// MaxPGs is the largest number of priority groups of a port: one per 802.1p priority.
const MaxPGs = 8

// MaxQueues is the largest number of queues of a port: SONiC's YANG allows 0 to 15.
const MaxQueues = 16

// PG is the configuration of one priority group.
type PG struct {
	// Pool is the index into Config.IngressPools.
	Pool int `json:"pool"`
	// ReservedCells belong to this PG alone.
	ReservedCells units.Cells `json:"reserved_cells"`
	// Limit bounds what it takes of the shared part.
	Limit Limit `json:"limit"`
	// Lossless PGs pause their sender and have headroom. Others drop at their limit.
	Lossless bool `json:"lossless,omitempty"`
	// HeadroomCells is the most this PG holds above its threshold (SONiC's xoff).
	HeadroomCells units.Cells `json:"headroom_cells,omitempty"`
	// HeadroomPooled takes the headroom out of the pool's HeadroomCells; otherwise it is the PG's own.
	HeadroomPooled bool `json:"headroom_pooled,omitempty"`
	// XonCells is a fixed resume level, counted over reserve, shared and headroom.
	XonCells units.Cells `json:"xon_cells,omitempty"`
	// XonOffsetCells is the distance below its threshold at which the PG resumes. With both xon and
	// the offset 0 it resumes one cell below.
	XonOffsetCells units.Cells `json:"xon_offset_cells,omitempty"`
}

// Queue is the configuration of one egress queue, per slice.
type Queue struct {
	// Pool is the index into Config.EgressPools.
	Pool int `json:"pool"`
	// ReservedCells belong to this queue alone, in every slice.
	ReservedCells units.Cells `json:"reserved_cells"`
	// Limit bounds what it takes of the shared part.
	Limit Limit `json:"limit"`
}

// Limit is a threshold on the shared part of a pool.
type Limit struct {
	// Dynamic limits are 2^Alpha times the free shared cells; others are StaticCells.
	Dynamic     bool        `json:"dynamic,omitempty"`
	Alpha       units.Alpha `json:"alpha,omitempty"`
	StaticCells units.Cells `json:"static_cells,omitempty"`
	// Code is in which steps the chip holds the threshold.
	Code Code `json:"code,omitzero"`
}

// A Code is a chip's format for a number: a mantissa of some bits and an exponent.
type Code struct {
	// Bits is the width of the mantissa. 0: every number of cells can be held.
	Bits uint8 `json:"bits,omitempty"`
	// Next takes the step above the one that the number rounds down to.
	Next bool `json:"next,omitempty"`
}

// DynamicLimit returns a threshold of 2^alpha times the free shared cells.
func DynamicLimit(alpha units.Alpha) Limit { return Limit{Dynamic: true, Alpha: alpha} }

// StaticLimit returns a fixed threshold.
func StaticLimit(cells units.Cells) Limit { return Limit{StaticCells: cells} }
