package main

import (
	"fmt"

	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/model/proof"
)

// A switchVerdict is what verify --json tells of devices of one shape.
type switchVerdict struct {
	Names       []string           `json:"names"`
	Files       []string           `json:"files"`
	Kind        string             `json:"kind"`
	Chip        string             `json:"chip,omitempty"`
	Ports       int                `json:"ports"`
	Verdict     string             `json:"verdict"` // "lossless", "loses packets" or "not proved"
	Because     string             `json:"because,omitempty"`
	Obligations []proof.Obligation `json:"obligations"`
	Assumptions []string           `json:"assumptions,omitempty"` // what was taken of the chip
	Lost        *adversary.Loss    `json:"lost,omitempty"`        // by the adversary, where something fails

	timeline string
}

func newSwitchVerdict(j *judgement) switchVerdict {
	s := switchVerdict{Names: j.devices, Files: j.paths, Kind: j.shape.kind, Chip: j.sw.Chip, Ports: len(j.sw.Ports),
		Verdict: "not proved", Because: j.silent, Obligations: []proof.Obligation{}}
	if j.report == nil {
		return s
	}
	s.Obligations, s.Assumptions = j.report.Obligations, j.report.Assumptions
	switch {
	case j.report.LosesPackets():
		s.Verdict = "loses packets"
	case unjudgedLossless(j.report) != nil:
		s.Because = unjudgedLossless(j.report).Because
	default:
		s.Verdict = "lossless"
	}
	return s
}

// unjudgedLossless is the first obligation of losslessness that could not be judged.
func unjudgedLossless(r *proof.Report) *proof.Obligation {
	for _, o := range r.Unjudged() {
		if o.Lossless {
			return o
		}
	}
	return nil
}

// print tells each switch with its obligations, then the fabric.
func (r *verification) print(t *terminal) {
	proved := map[string]bool{} // a device may have several files
	for _, s := range r.Switches {
		for _, name := range s.Names {
			if s.Verdict == "lossless" {
				proved[name] = true
			}
		}
		s.print(t)
	}
	if r.Links > 0 {
		t.printf("links compared at both ends: %d\n", r.Links)
	}
	if d := r.Deadlock; d != nil {
		verdict := "no circle of links that wait for each other"
		if !d.Free {
			verdict = "links can wait for each other in a circle"
		}
		t.printf("deadlock: %d switches, %d links: %s, as it is, with any single link failed (%d cases, %d that differ) and with any two (%d cases, %d that differ)\n",
			d.Devices, d.Links, verdict, d.Singles, d.SinglesExamined, d.Pairs, d.PairsExamined)
	}
	errors, warnings := count(r.Diagnostics)
	t.printf("proved lossless: %d; errors: %d; warnings: %d\n", len(proved), errors, warnings)
}

func (s *switchVerdict) print(t *terminal) {
	chip := s.Chip
	if chip == "" {
		chip = "unknown chip"
	}
	t.printf("%s: %d × %s, %s, %s: %s", abbreviate(s.Names), len(s.Names), chip, targetTitle(s.Kind), numbered(s.Ports, "port", "ports"), s.Verdict)
	if s.Because != "" {
		t.printf(": %s", s.Because)
	}
	t.printf("\n")
	if len(s.Obligations) == 0 {
		t.printf("\n")
		return
	}
	s.printObligations(t)
	for _, assumption := range s.Assumptions {
		t.printf("  assumed: %s\n", assumption)
	}
	if s.timeline != "" {
		t.printf("%s\n", s.timeline)
	}
}

func (s *switchVerdict) printObligations(t *terminal) {
	var rows table
	rows.add("  OBLIGATION", "WHERE", "LEFT", "", "RIGHT", "SLACK")
	for i := range s.Obligations {
		o := &s.Obligations[i]
		if o.Verdict == proof.Unjudged {
			rows.add("  "+o.ID, o.Where, "cannot be judged", "", o.Because)
			continue
		}
		sign, slack := "≤", amountOf(o.Slack(), o.Unit)
		if o.Verdict == proof.Fails {
			sign, slack = "≰", fmt.Sprintf("FAILS by %s", amountOf(-o.Slack(), o.Unit))
		}
		rows.add("  "+o.ID, o.Where, amountOf(o.Left.Value, o.Unit), sign, amountOf(o.Right.Value, o.Unit), slack)
	}
	t.printf("%s\n", rows)
}
