package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Each figure of a certificate that the file gives is compared with it, and named where it
// differs: one more of it, and one less. What the file leaves open may be anything.
func TestEachInputIsCompared(t *testing.T) {
	const metadata = `"DEVICE_METADATA": {"localhost": {"hostname": "leaf-1"}}`
	text := strings.ReplaceAll(string(sample(t)), `"xon_offset": "4608"`, `"xon_offset": "4608", "xon": "5120"`)
	certificate := certified(t, []byte(text))
	pg := func(c *model.Switch) *mmu.PG { return &c.Config.Ports[1].PGs[5] }
	const of = " of priority group 5 of Ethernet4 is"
	for _, c := range []struct {
		name  string
		want  string // of the complaint; empty: there is none
		forge func(c *model.Switch, by int64)
	}{
		{"cells", "cells of the certificate have", func(c *model.Switch, by int64) { c.Config.CellBytes += units.Bytes(by) }},
		{"rate", "the rate of Ethernet4 is", func(c *model.Switch, by int64) { c.Ports[1].Link.Rate += units.BitRate(by) }},
		{"frame", "the largest frame of Ethernet4 is", func(c *model.Switch, by int64) { c.Ports[1].Link.PortFrame += units.Bytes(by) }},
		{"pausable", "which groups PFC pauses of Ethernet4 is", func(c *model.Switch, by int64) { c.Ports[1].Pausable += uint8(by) }},
		{"headroom", "the headroom" + of, func(c *model.Switch, by int64) { pg(c).HeadroomCells += units.Cells(by) }},
		{"static threshold", "the threshold" + of, func(c *model.Switch, by int64) { pg(c).Limit.StaticCells += units.Cells(by) }},
		{"alpha", "the threshold" + of, func(c *model.Switch, by int64) { pg(c).Limit.Alpha += units.Alpha(by) }},
		{"reserve", "the reserve" + of, func(c *model.Switch, by int64) { pg(c).ReservedCells += units.Cells(by) }},
		{"resume", "the resume level" + of, func(c *model.Switch, by int64) { pg(c).XonCells += units.Cells(by) }},
		{"resume offset", "the resume offset" + of, func(c *model.Switch, by int64) { pg(c).XonOffsetCells += units.Cells(by) }},
		{"pool", "the pool" + of, func(c *model.Switch, by int64) { pg(c).Pool += int(by) }}, // there is one
		{"pool of headroom", "the headroom of ingress_lossless_pool is", func(c *model.Switch, by int64) { c.Config.IngressPools[0].HeadroomCells += units.Cells(by) }},
		{"a lossy group", "", func(c *model.Switch, by int64) { c.Config.Ports[1].PGs[0].HeadroomCells += units.Cells(by) }},
		{"the cable, which a caller may declare", "", func(c *model.Switch, by int64) { c.Ports[1].Link.Cable += units.Length(by) }},
		{"the response, which nobody writes into a file", "", func(c *model.Switch, by int64) { c.Ports[1].Link.Response += units.Time(by) }},
	} {
		for _, by := range []int64{1, -1} {
			forged := must.Get(ParseCertificates(certificate))(t)
			c.forge(forged.Shapes[0].Model, by)
			shapes := must.Get(Read([]File{Text("config_db.json", []byte(text))}, cellOf(forged.Shapes[0])))(t)
			errs := sameInputs(forged.Shapes[0], shapes[0])
			if c.want == "" && len(errs) > 0 || c.want != "" && (len(errs) == 0 || !strings.HasPrefix(errs[0].Error(), c.want)) || len(errs) > 1 && c.name != "cells" {
				t.Errorf("%s by %d: %v, want %q", c.name, by, errs, c.want)
			}
		}
	}
	forged, _ := ParseCertificates(certificate)
	other, _ := Read([]File{Text("config_db.json", []byte(strings.Replace(text, metadata, strings.Replace(metadata, "leaf-1", "leaf-2", 1), 1)))}, 0)
	if errs := sameInputs(forged.Shapes[0], other[0]); len(errs) != 1 || errs[0].Error() != "the certificate is of [leaf-1], but the file is of [leaf-2]" {
		t.Errorf("another device: %v", errs)
	}
	forged.Shapes[0].Model.Ports = forged.Shapes[0].Model.Ports[:1]
	same, _ := Read([]File{Text("config_db.json", []byte(text))}, 0)
	if errs := sameInputs(forged.Shapes[0], same[0]); len(errs) != 1 || errs[0].Error() != "the file has the port Ethernet4, but the certificate lacks it" {
		t.Errorf("a port less: %v", errs)
	}
	forged.Shapes[0].Model = nil
	if errs := sameInputs(forged.Shapes[0], same[0]); len(errs) > 0 {
		t.Errorf("without figures: %v", errs)
	}
}

// Against a fresh proof, what stands behind a certificate must be equal, each part of it.
func TestStandingIsCompared(t *testing.T) {
	fresh := judge(t, trident3(t), Text("config_db.json", sample(t)))
	for name, forge := range map[string]func(c *proof.Certificate){
		"as it is":          func(*proof.Certificate) {},
		"coverage":          func(c *proof.Certificate) { c.Coverage.Neutral++ },
		"declared":          func(c *proof.Certificate) { c.Declared = append(c.Declared, "the weather") },
		"because":           func(c *proof.Certificate) { c.Because = append(c.Because, "line 1: it is late") },
		"figures":           func(c *proof.Certificate) { c.Obligations = slices.Clone(c.Obligations); c.Obligations[0].Left++ },
		"of other switches": func(c *proof.Certificate) { c.Switches = []string{"leaf-9"} },
	} {
		list := must.Get(fresh.Certificates())(t)
		forge(list.Shapes[0])
		r := &Rechecked{}
		r.compare(list.Shapes[0], fresh)
		if want := name != "as it is"; (len(r.Problems) == 1) != want || len(r.Problems) > 1 {
			t.Errorf("%s: %v", name, r.Problems)
		}
	}
}

// What a file leaves open of a group may be anything in a certificate, each figure by itself.
func TestOpenFiguresAreNotCompared(t *testing.T) {
	of := func(pg mmu.PG) *model.Switch {
		return &model.Switch{Ports: []model.Port{{Name: "p"}}, Config: &mmu.Config{CellBytes: 1, Ports: []mmu.Port{{PGs: []mmu.PG{pg}}}, IngressPools: []mmu.Pool{{Name: "a"}, {Name: "b"}}}}
	}
	certified := of(mmu.PG{Pool: 1, HeadroomCells: 1, ReservedCells: 1, XonCells: 1, XonOffsetCells: 1, Limit: mmu.Limit{StaticCells: 1}})
	file, why := of(mmu.PG{}), &plan.Why{}
	for want, pg := range map[string]plan.PG{
		"":                  {},
		"the pool":          {Pool: "a"},
		"the headroom":      {Headroom: plan.Of(units.Bytes(0), why)},
		"the threshold":     {Limit: plan.Of(plan.Limit{}, why)},
		"the reserve":       {Reserved: plan.Of(units.Bytes(0), why)},
		"the resume level":  {XOn: plan.Of(units.Bytes(0), why)},
		"the resume offset": {XOnOffset: plan.Of(units.Bytes(0), why)},
	} {
		pg.Lossless = true
		errs := samePort(&plan.Port{Name: "p", QoS: &plan.PortQoS{PGs: []plan.PG{pg}}}, certified, 0, file, 0)
		if want == "" && len(errs) > 0 || want != "" && (len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), want+" of priority group 0 of p is ")) {
			t.Errorf("%q: %v", want, errs)
		}
	}
}

// Each lossless group up to 7, the last, feeds in a certificate what it feeds by the file.
func TestQueuesOfEachGroup(t *testing.T) {
	of := func(queues uint16) *model.Switch {
		c := &model.Switch{Ports: []model.Port{{Name: "p"}}}
		for g := range c.Ports[0].Queues {
			c.Ports[0].Queues[g] = queues
		}
		return c
	}
	for id := range uint8(9) {
		for _, lossless := range []bool{true, false} {
			port := &plan.Port{Name: "p", QoS: &plan.PortQoS{PGs: []plan.PG{{ID: id, Lossless: lossless}}}}
			for certified, want := range map[uint16]bool{0b100: true, 0b110: false, 0b111: false} {
				errs := sameQueues(port, of(certified), 0, of(0b110), 0, map[string]int{"p": 0})
				if want = want && lossless && id < 8; len(errs) > 0 != want || want && !strings.Contains(errs[0].Error(), "feeds queue 1 of p in the file") {
					t.Errorf("group %d, %b: %v", id, certified, errs)
				}
			}
		}
	}
}

// Amounts in cells have the meaning that they had for a certificate.
func TestCellOfACertificate(t *testing.T) {
	for want, m := range map[units.Bytes]*model.Switch{254: {Config: &mmu.Config{CellBytes: 254}}, 0: {}} {
		must.Equal(t, cellOf(&proof.Certificate{Model: m}), want)
	}
	must.Equalf(t, cellOf(&proof.Certificate{}), 0, "without figures:")
}
