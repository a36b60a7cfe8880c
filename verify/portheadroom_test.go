package verify

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// A dump of STATE_DB, nested or flat, of one device or of all; what is wrong is told by port.
func TestReadHeadroomLimits(t *testing.T) {
	end := func(device, port string) plan.LinkEnd { return plan.LinkEnd{Switch: device, Port: port} }
	for _, c := range []struct {
		name, text string
		want       HeadroomLimits
		says       string // of the only finding; empty: none
	}{
		{"leaf-1/state.json", `{"BUFFER_MAX_PARAM_TABLE": {"Ethernet0": {"max_headroom_size": "100"}, "global": {"mmu_size": "5"}}}`, HeadroomLimits{end("leaf-1", "Ethernet0"): 100}, ""},
		{`site\leaf-1\state.json`, `{"BUFFER_MAX_PARAM_TABLE|Ethernet4": {"value": {"max_headroom_size": "0"}}}`, HeadroomLimits{end("leaf-1", "Ethernet4"): 0}, ""},
		{"state.json", `{"BUFFER_MAX_PARAM_TABLE|Ethernet4": {"max_headroom_size": "7"}, "OTHER|Ethernet8": {"max_headroom_size": "8"}}`, HeadroomLimits{end("", "Ethernet4"): 7}, ""},
		{"/state.json", `{"BUFFER_MAX_PARAM_TABLE": {"a": {"max_headroom_size": "1"}}, "BUFFER_MAX_PARAM_TABLE|b": {"max_headroom_size": "2"}}`, HeadroomLimits{end("", "a"): 1, end("", "b"): 2}, ""},
		{"s.json", `[]`, HeadroomLimits{}, "this is not a dump of STATE_DB"},
		{"s.json", `{}`, HeadroomLimits{}, "it has no port in BUFFER_MAX_PARAM_TABLE"},
		{"s.json", `{"BUFFER_MAX_PARAM_TABLE": 5}`, HeadroomLimits{}, "it has no port in BUFFER_MAX_PARAM_TABLE"},
		{"s.json", `{"BUFFER_MAX_PARAM_TABLE": {"global": {"mmu_size": "5"}}}`, HeadroomLimits{}, "it has no port in BUFFER_MAX_PARAM_TABLE"},
		{"s.json", `{"BUFFER_MAX_PARAM_TABLE": {"a": {"max_headroom_size": "-1"}}}`, HeadroomLimits{}, "max_headroom_size of a is not a number of bytes"},
		{"s.json", `{"BUFFER_MAX_PARAM_TABLE": {"a": {}}}`, HeadroomLimits{}, "max_headroom_size of a is not a number of bytes"},
		{"s.json", `{"BUFFER_MAX_PARAM_TABLE": {"a": 5, "b": {"max_headroom_size": "6"}}}`, HeadroomLimits{end("", "b"): 6}, "max_headroom_size of a is not a number of bytes"},
	} {
		limits := HeadroomLimits{}
		found := limits.Read(c.name, []byte(c.text))
		must.NoDiffIn(t, cmp.Diff(c.want, limits), "%s %s (-want +got):", c.name, c.text)
		switch {
		case c.says == "" && len(found) > 0:
			t.Errorf("%s: %v", c.text, found)
		case c.says != "" && (len(found) != 1 || found[0].Code != HeadroomLimitsInvalid || found[0].Subject.Filename != c.name || !strings.Contains(found[0].Message, c.says)):
			t.Errorf("%s: %v, want %q", c.text, found, c.says)
		}
	}
}

// What a Spectrum-4 adds up of a port of 4 lanes with one lossless group of 100,000 B: 4 KiB, its
// latency of 19 KiB, 20 KiB of mirroring and the profile: 144,032 B. As much as it has is too much.
func TestPortHeadroomIsAddedUp(t *testing.T) {
	catalogue, _ := chips.Load()
	spectrum, _ := catalogue.Find("spectrum-4")
	tomahawk, _ := catalogue.Find("tomahawk")
	const need = 43*1024 + 100_000
	lossless := &plan.PortQoS{PFC: 1 << 3, PGs: []plan.PG{{ID: 3, Lossless: true, Reserved: plan.Of(units.Bytes(100_000), nil)}}}
	ports := func() []plan.Port {
		return []plan.Port{
			{Name: "a", Lanes: []int{1, 2, 3, 4}, QoS: lossless}, {Name: "b", Lanes: []int{5, 6, 7, 8}, QoS: lossless}, {Name: "c", Lanes: []int{9}, QoS: &plan.PortQoS{PGs: []plan.PG{{}}}}, {Name: "d"},
		}
	}
	most := func(v units.Bytes) *units.Bytes { return &v }
	for _, c := range []struct {
		name    string
		chip    *chips.Chip
		model   plan.BufferModel
		missing bool
		limits  HeadroomLimits
		want    []PortHeadroom
		above   []string
	}{
		{"nobody says what it has", spectrum, plan.DynamicModel, false, nil, []PortHeadroom{{[]string{"a", "b"}, need, nil}}, nil},
		{"a byte more", spectrum, plan.DynamicModel, false, HeadroomLimits{{Port: "a"}: need + 1, {Port: "b"}: need + 1}, []PortHeadroom{{[]string{"a", "b"}, need, most(need + 1)}}, nil},
		{"just as much", spectrum, plan.DynamicModel, false, HeadroomLimits{{Switch: "leaf", Port: "a"}: need}, []PortHeadroom{{[]string{"a"}, need, most(need)}, {[]string{"b"}, need, nil}}, []string{"a"}},
		{"too little on both", spectrum, plan.DynamicModel, false, HeadroomLimits{{Port: "a"}: 1, {Port: "b"}: 2}, []PortHeadroom{{[]string{"a"}, need, most(1)}, {[]string{"b"}, need, most(2)}}, []string{"a", "b"}},
		{"the traditional model", spectrum, plan.Traditional, false, HeadroomLimits{{Port: "a"}: 1}, nil, nil},
		{"another family", tomahawk, plan.DynamicModel, false, HeadroomLimits{{Port: "a"}: 1}, nil, nil},
		{"no chip", nil, plan.DynamicModel, false, HeadroomLimits{{Port: "a"}: 1}, nil, nil},
		{"numbers that are the switch's", spectrum, plan.DynamicModel, true, HeadroomLimits{{Port: "a"}: 1}, nil, nil},
	} {
		s := &Switch{Names: []string{"leaf"}, Plan: &plan.Switch{BufferModel: c.model, Ports: ports()}, chip: c.chip}
		if c.missing {
			s.unfilled = errors.New("no numbers")
		}
		v := &Verifier{Options: Options{HeadroomLimits: c.limits}}
		v.addUpHeadroom(s)
		must.NoDiffIn(t, cmp.Diff(c.want, s.PortHeadroom), "%s (-want +got):", c.name)
		var above []string
		for _, d := range s.Findings {
			if d.Code == HeadroomAboveDevice {
				above = append(above, strings.Fields(d.Message)[3])
			}
		}
		if !cmp.Equal(above, c.above) || len(s.Findings) != len(c.above) {
			t.Errorf("%s: %v, want %v", c.name, s.Findings, c.above)
		}
	}
	must.Equal(t, (PortHeadroom{[]string{"a"}, 1, most(2)}).String(), "headroom of a together 1B; the device has 2B")
	if got := (PortHeadroom{[]string{"a"}, 1, nil}).String(); !strings.HasPrefix(got, "headroom of a together 1B: the device accepts it if its max_headroom_size") {
		t.Errorf("%s", got)
	}
}

// What lossless packets see of a switch that sends some back in a tunnel: queues into which they
// are put and from which they leave, classes out of it, and code points of each classification.
func TestLosslessOfTunnels(t *testing.T) {
	sw := &plan.Switch{Ports: []plan.Port{
		{Name: "a", QoS: &plan.PortQoS{PGs: []plan.PG{{ID: 3, Lossless: true}, {ID: 2, Lossless: true}}, DSCPToTC: &[64]uint8{7: 3}}}, {Name: "b"},
	}}
	for i := range uint8(8) {
		sw.Maps.TCToQueue[i] = i
	}
	sw.Maps.TCToPG[3], sw.Maps.DSCPToTC[26] = 3, 3
	sw.Tunnel = &plan.Tunnel{TCToQueue: [8]uint8{3: 15, 4: 4}, TCToPG: [8]uint8{3: 0, 4: 2}}
	sw.Tunnel.DSCPToTC[63] = 4
	l := losslessOf(sw)
	want := &lossless{ports: map[string]uint8{"a": 1<<3 | 1<<2, "b": 0}, groups: 1<<3 | 1<<2, tcs: 1<<3 | 1<<4, queues: 1<<15 | 1<<3 | 1<<4, dscps: 1<<26 | 1<<7 | 1<<63}
	must.NoDiffIn(t, cmp.Diff(fmt.Sprint(want), fmt.Sprint(l)), "(-want +got):")
	// A file without maps: traffic class d/8, its queue and its group.
	l = losslessOf(&plan.Switch{Ports: []plan.Port{{Name: "a", QoS: &plan.PortQoS{PGs: []plan.PG{{ID: 7, Lossless: true}}}}}})
	if l.tcs != 1<<7 || l.queues != 1<<7 || l.dscps != 0xff<<56 {
		t.Errorf("%+v", l)
	}
	g := &Group{Group: proof.Group{PG: 7}}
	if !l.touches(read.Scope{DSCPs: 1 << 56, Queues: 1 << 7, TCs: 1 << 7, PGs: 1 << 7}, g) || l.touches(read.Scope{DSCPs: 1 << 55}, g) {
		t.Error("the edge of what it meets")
	}
}

// A size is a number of bytes, in a row or in the value of a dump.
func TestLimitOf(t *testing.T) {
	for row, want := range map[string]units.Bytes{
		`{"max_headroom_size": "0"}`: 0, `{"max_headroom_size": "165888"}`: 165888, `{"value": {"max_headroom_size": "5"}}`: 5, `{"max_headroom_size": "-1"}`: -1, `{"max_headroom_size": 5}`: -1, `5`: -1, `{}`: -1, `x`: -1,
	} {
		if got, ok := limitOf([]byte(row)); ok != (want >= 0) || ok && got != want || row == "5" && got != 0 {
			t.Errorf("%s: %v, %t", row, got, ok)
		}
	}
}
