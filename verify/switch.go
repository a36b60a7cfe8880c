package verify

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// A Switch is what was found of devices of one shape.
type Switch struct {
	Names  []string `json:"names"`
	Files  []string `json:"files"` // of the devices, in the same order
	Format string   `json:"kind"`  // of the files; empty where it is not known
	// FormatBy is the line or the key by which the files were recognized, in words. FormatShared is
	// set where it is in files of other systems too.
	FormatBy     string `json:"kind_by,omitempty"`
	FormatShared bool   `json:"-"`
	Chip         string `json:"chip,omitempty"`

	Verdict  Verdict  `json:"verdict"` // the worst of its groups
	Because  []Reason `json:"because,omitempty"`
	Groups   []Group  `json:"groups"`
	Coverage Coverage `json:"coverage"`
	// PortHeadroom is what a device in SONiC's dynamic buffer model compares with its maximum.
	PortHeadroom []PortHeadroom `json:"port_headroom,omitempty"`
	// Partitions is how far the headroom goes that a device computes itself: of its chip, or of
	// each that its ports may belong to.
	Partitions []*HeadroomPartition `json:"headroom_partitions,omitempty"`
	// AtOnce is how many lossless ports may have packets at once, where the buffer does not hold
	// those of all; 0: no such bound.
	AtOnce int `json:"at_once,omitempty"`
	// Drops says where packets are lost with one port more.
	Drops string `json:"drops,omitempty"`
	// Declared are the facts that the fabric or the caller declares and that the files do not
	// hold, in words.
	Declared []string `json:"declared,omitempty"`
	// Conditions are the undeclared assumptions of a verdict.
	Conditions []proof.Condition `json:"conditions,omitempty"`
	// Peers is the verdict's assumptions about peers that their files confirm.
	Peers *Peering `json:"peers,omitempty"`
	// Assumptions are what was taken of the chip where nothing is published, in words.
	Assumptions []string           `json:"assumptions,omitempty"`
	Obligations []proof.Obligation `json:"obligations"`
	Lost        *adversary.Loss    `json:"lost,omitempty"` // by the adversary: see Attack

	Findings diag.List     `json:"-"` // sorted
	Plan     *plan.Switch  `json:"-"` // what was judged: the file, completed
	Proof    *proof.Report `json:"-"` // nil where nothing could be evaluated

	shape *Shape
	chip  *chips.Chip
	seen  []*sighting // of the files
	// divided is set where the file does not say how memory is divided; unfilled says why the
	// sizes that it leaves to the switch are not known.
	divided  bool
	shown    bool // whether the fabric has the sizes of pools, see shownPools
	demanded bool // whether a fabric plans the switch
	asFabric bool // whether the buffer is taken as the fabric plans it, see bufferAsPlanned
	unfilled error
	// sidesAlike is set where the chip's pools account groups and queues alike.
	sidesAlike bool
	taken      []read.Assumption
	computes   bool // it has headroom by ownHeadroom
	// open are the reasons among Because that no obligation knows.
	open   []Reason
	spared bool // another file of the device has the verdict
	lossy  bool // no port has PFC, no fabric demands it, and the reader found nothing wrong
	// prepare changes what was read, or planned, before it is judged.
	prepare func(*plan.Switch)
}

func newSwitch(shape *Shape, sw *plan.Switch) *Switch {
	return &Switch{
		Format: shape.Format.Name, FormatBy: shape.evidence(), FormatShared: !shape.by.sure, Findings: slices.Clone(shape.Found), Plan: sw, shape: shape, taken: slices.Clone(shape.Assumed),
		Groups: []Group{}, Obligations: []proof.Obligation{},
	}
}

// Title returns the format of the files as people call it.
func (s *Switch) Title() string {
	switch {
	case s.shape.by.foreign():
		return s.shape.by.system.Title
	case s.shape.Format.Title == "":
		return "unknown format"
	}
	return s.shape.Format.Title
}

// Counts reports whether the verdict is one on the device: it is not where the format holds
// too little and another file of the device is judged.
func (s *Switch) Counts() bool { return !s.spared }

// AsPlanned reports whether what was judged is what the fabric plans, since the format of the
// file cannot say it.
func (s *Switch) AsPlanned() bool { return s.Proof != nil && s.shape.Format.Silent != "" }

// because gives the switch a reason for a verdict, which holds for the groups that touched
// says, or for all of them with nil.
func (s *Switch) because(v Verdict, at diag.Range, touched func(*Group) bool, format string, args ...any) {
	reason := Reason{fmt.Sprintf(format, args...), at, lineOf(at)}
	s.Because, s.open = append(s.Because, reason), append(s.open, reason)
	for i := range s.Groups {
		if touched == nil || touched(&s.Groups[i]) {
			s.Groups[i].worsen(v)
		}
	}
	s.Verdict = max(s.Verdict, v)
}

func lineOf(at diag.Range) string {
	if at.Filename == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", at.Filename, at.Start.Line)
}

// count fills in the coverage.
func (s *Switch) count() {
	sw, c := s.Plan, &s.Coverage
	c.Ports = len(sw.Ports)
	lossless := uint8(0)
	for i := range sw.Ports {
		if qos := sw.Ports[i].QoS; qos != nil {
			groups := groupsOf(qos)
			lossless |= groups
			if n := bits8(groups); n > 0 {
				c.Lossless++
				c.Groups += n
			}
		}
	}
	used := uint8(0)
	var dscps []uint8
	for dscp, tc := range sw.Maps.DSCPToTC {
		used |= 1 << (tc & 7)
		if lossless>>(sw.Maps.TCToPG[tc&7]&7)&1 == 1 {
			dscps = append(dscps, uint8(dscp))
		}
	}
	c.LosslessDSCPs = plan.Ranges(dscps)
	for tc := range uint8(8) {
		if used>>tc&1 == 0 {
			continue
		}
		c.Classes++
		if lossless>>(sw.Maps.TCToPG[tc]&7)&1 == 1 {
			c.LosslessClasses++
		}
	}
	c.Modelled = s.shape.Ledger.Count(read.Modelled)
	c.Neutral = s.shape.Ledger.Count(read.Neutral)
	c.Unmodelled = s.shape.Ledger.Count(read.Unmodelled)
}

// groupsOf has bit g set where priority group g is lossless.
func groupsOf(qos *plan.PortQoS) (groups uint8) {
	for _, pg := range qos.PGs {
		if pg.Lossless {
			groups |= 1 << (pg.ID & 7)
		}
	}
	return groups
}

// place gives findings without a place the file that they are about.
func (s *Switch) place() {
	for i := range s.Findings {
		if d := &s.Findings[i]; d.Subject.Filename == "" || d.Subject.Filename != s.shape.First() {
			d.Subject = diag.Top(s.shape.First())
		}
	}
	s.Findings = s.Findings.Sorted()
}

// Attack looks for lost packets where an obligation of losslessness fails, and notes the
// first that is lost. It returns nil where none fails.
func (s *Switch) Attack(o adversary.Options) (*adversary.Result, error) {
	if s.Proof == nil || s.Proof.Model == nil || !s.Proof.LosesPackets() {
		return nil, nil
	}
	result, err := adversary.Search(s.Proof.Model, o)
	if err == nil && result.Found != nil {
		s.Lost = result.Found.Loss
	}
	return result, err
}
