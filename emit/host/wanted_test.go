package host

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// What the script of a NIC has, and what is said of it, with one change. The ToS is the code point
// with ECT(0) below it, RFC 3168: 26 times four and two. The driver of ConnectX takes cables of
// 1,000 m at most; a register of bytes counts 64 of them.
func TestWanted(t *testing.T) {
	given := &plan.Why{Kind: plan.Given}
	for name, c := range map[string]struct {
		model  string
		change func(*plan.Host)
		has    []string
		found  []diag.Code
	}{
		"as it is":                                    {"connectx-7", func(*plan.Host) {}, []string{"106"}, nil},
		"no marking":                                  {"connectx-7", func(h *plan.Host) { h.Classes[1].ECN = false }, []string{"104"}, nil},
		"a cable of 1,000 m":                          {"connectx-7", func(h *plan.Host) { h.Cable = 1000 * units.Metre }, []string{"1000"}, nil},
		"a millimetre more":                           {"connectx-7", func(h *plan.Host) { h.Cable = 1000*units.Metre + units.Millimetre }, nil, []diag.Code{Rounded}},
		"a long cable of a Thor":                      {"thor2", func(h *plan.Host) { h.Cable = 2000 * units.Metre }, nil, nil},
		"a name of 128 letters":                       {"connectx-7", func(h *plan.Host) { h.Name = strings.Repeat("x", 128) }, []string{strings.Repeat("x", 128)}, nil},
		"a name of 129":                               {"connectx-7", func(h *plan.Host) { h.Name = strings.Repeat("x", 129) }, nil, []diag.Code{Name}},
		"a nanosecond between CNPs":                   {"connectx-7", func(h *plan.Host) { h.CNPInterval.Value = units.Nanosecond }, nil, []diag.Code{Rounded}},
		"of a NIC that takes any":                     {"other", func(h *plan.Host) { h.CNPInterval.Value = units.Nanosecond }, nil, nil},
		"a register in whole steps":                   {"connectx-7", func(h *plan.Host) { h.Reaction.ByteReset = plan.Of(units.Bytes(640), given) }, []string{`put 10 "$ecn/roce_rp/rpg_byte_reset"`}, nil},
		"a byte more than that":                       {"connectx-7", func(h *plan.Host) { h.Reaction.ByteReset = plan.Of(units.Bytes(641), given) }, []string{`put 11 "$ecn/roce_rp/rpg_byte_reset"`}, []diag.Code{Rounded}},
		"of a NIC that has no such register":          {"thor2", func(h *plan.Host) { h.Reaction.ByteReset = plan.Of(units.Bytes(641), given) }, nil, []diag.Code{Congestion}},
		"a NIC that is not known":                     {"connectx-99", func(*plan.Host) {}, nil, nil},
		"a control of software":                       {"connectx-7", func(h *plan.Host) { h.Classes[1].CongestionControl = "" }, nil, nil},
		"one that no NIC has":                         {"connectx-7", func(h *plan.Host) { h.Classes[1].CongestionControl = "swift" }, nil, []diag.Code{Congestion}},
		"a control of a class that RDMA does not use": {"connectx-7", func(h *plan.Host) { h.Classes[0].CongestionControl = "swift" }, nil, nil},
		"of CNPs":                                     {"connectx-7", func(h *plan.Host) { h.Classes[2].CongestionControl, h.Classes[2].Used = "swift", true }, nil, nil},
		"a Thor in another fabric":                    {"thor2", func(h *plan.Host) { h.Classes = h.Classes[:1] }, nil, nil},
		"round trips where they are measured":         {"connectx-6", func(h *plan.Host) { h.Classes[1].CongestionControl = "rttcc" }, nil, nil},
		"where they are not":                          {"connectx-5", func(h *plan.Host) { h.Classes[1].CongestionControl = "rttcc" }, nil, []diag.Code{Congestion}},
		"classes that cannot share a priority":        {"connectx-7", func(h *plan.Host) { h.Classes[0].Priority = 3 }, nil, []diag.Code{Priority}},
		"a strict one beside":                         {"connectx-7", func(h *plan.Host) { h.Classes[2].Priority = 0 }, nil, []diag.Code{Priority}},
		"a third one like the first": {"connectx-7", func(h *plan.Host) {
			h.Classes[2].Priority = 0
			h.Classes = append(h.Classes, plan.HostClass{Name: "more"})
		}, nil, []diag.Code{Priority}},
		"two that can": {"connectx-7", func(h *plan.Host) { h.Classes = append(h.Classes, plan.HostClass{Name: "more", Priority: 0, Share: 5}) }, nil, nil},
	} {
		h := nic(c.model)
		c.change(h)
		files, found := Emit(h)
		var codes []diag.Code
		for _, d := range found {
			codes = append(codes, d.Code)
		}
		if len(codes) != len(c.found) || len(codes) > 0 && codes[0] != c.found[0] {
			t.Errorf("%s: found %v, want %v", name, found, c.found)
		}
		for _, want := range c.has {
			if len(files) == 0 || !strings.Contains(string(files[0].Body.AppendFor(nil, "")), want) {
				t.Errorf("%s: the script lacks %s", name, want)
			}
		}
	}
}

// Broadcom's NICs carry all but RDMA and CNPs in traffic class 0, RDMA in 1 and CNPs in 2 (bnxt_re README,
// DCB Settings), and what RDMA does not get is for all else. The last priority can be lossless too.
func TestTrafficClassesOfBroadcom(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*plan.Host)
		has    []string
	}{
		"RDMA and CNPs": {func(*plan.Host) {}, []string{
			"prio-tc all:0 3:1 6:2 tc-tsa 0:ets 1:ets 2:strict tc-bw 0:40 1:60\n", "--up2tc 0:0,1:0,2:0,3:1,4:0,5:0,6:2,7:0 --tcbw 40,60\n", "prio-pfc all:off 3:on\n"}},
		"neither": {func(h *plan.Host) { h.Classes = h.Classes[:1] }, []string{
			"prio-tc all:0 tc-tsa 0:ets 1:ets 2:strict tc-bw 0:100 1:0\n", "--up2tc 0:0,1:0,2:0,3:0,4:0,5:0,6:0,7:0 --tcbw 100,0\n", "prio-pfc all:off\n"}},
		"RDMA in the last priority": {func(h *plan.Host) { h.Classes[1].Priority = 7 }, []string{
			"prio-tc all:0 7:1 6:2 ", "7:1 --tcbw 40,60\n", "prio-pfc all:off 7:on\n"}},
		"and in the first": {func(h *plan.Host) { h.Classes[1].Priority, h.Classes[0].Priority = 0, 1 }, []string{"prio-tc all:0 0:1 6:2 ", "--up2tc 0:1,1:0,", "prio-pfc all:off 0:on\n"}},
	} {
		h := nic("thor2")
		c.change(h)
		roce, _ := scripts(t, h)
		for _, want := range c.has {
			if !strings.Contains(roce, want) {
				t.Errorf("%s: the script lacks %q:\n%s", name, want, roce)
			}
		}
	}
}

// Two classes that share a priority are called by what they differ in.
func TestKindsOfClasses(t *testing.T) {
	for want, c := range map[string]plan.HostClass{
		"lossy, by weight": {}, "lossless, by weight": {Lossless: true}, "lossy, strict": {Strict: true}, "lossless, strict": {Lossless: true, Strict: true},
	} {
		must.Equalf(t, kind(&c), want, "%+v is", c)
	}
	for name, want := range map[string]string{"clamp_tgt_rate_after_time_inc": "clamp_tgt_rate_ati", "clamp_tgt_rate": "clamp_tgt_rate", "rpg_ai_rate": "ai_rate"} {
		if got := kernelName(name); got != want {
			t.Errorf("%s is %s in debugfs, want %s", name, got, want)
		}
	}
}

// The NICs that are known by name: NVIDIA's and Broadcom's are told by their own tools, and the first
// measure round trips from ConnectX-6 on (NVIDIA forum, Scaling Zero Touch RoCE Technology).
func TestModels(t *testing.T) {
	for name, want := range map[string]model{
		"connectx-4": {family: connectX}, "connectx-5": {family: connectX}, "connectx-6": {family: connectX, rtt: true}, "connectx-7": {family: connectX, rtt: true}, "connectx-8": {family: connectX, rtt: true},
		"bluefield-2": {family: connectX, rtt: true}, "bluefield-3": {family: connectX, rtt: true}, "thor": {family: broadcom}, "thor2": {family: broadcom}, "other": {}, "somebody's": {},
	} {
		want.name = name
		must.Equalf(t, modelOf(name), want, "%s is", name)
	}
}

// What the head of a script says of a class; one without code points has no ToS.
func TestDescribe(t *testing.T) {
	for want, c := range map[string]plan.HostClass{
		"lossy, 0 %": {Used: true}, "lossless, 60 %, RDMA with ToS 106": {Used: true, Lossless: true, Share: 60, DSCPs: []uint8{26, 27}, ECN: true}, "lossy, strict, CNPs": {CNP: true, Strict: true, Used: true, DSCPs: []uint8{48}}, "lossy, 40 %": {Share: 40, DSCPs: []uint8{0}},
	} {
		must.Equalf(t, describe(&c).What, want, "%+v:", c)
	}
}

// Folders of configfs are made for Broadcom's NICs, and where RDMA has a ToS, of which 0 is one.
func TestFolders(t *testing.T) {
	for _, c := range []struct {
		family string
		tos    int
		opens  bool
		writes bool
	}{{"generic", -1, false, false}, {"generic", 0, true, true}, {"broadcom", -1, true, true}, {"connectx", -1, false, true}} {
		if v := (&view{Family: c.family, ToS: c.tos}); v.OpensFolders() != c.opens || v.WritesFiles() != c.writes {
			t.Errorf("%+v: folders %v, files %v", c, v.OpensFolders(), v.WritesFiles())
		}
	}
}

// The driver of ConnectX is told the cable in whole metres, rounded up, and none that is longer than it takes.
func TestLengthsOfCables(t *testing.T) {
	for cable, want := range map[units.Length]string{0: "", 1: " --cable_len 1", units.Metre: " --cable_len 1", units.Metre + 1: " --cable_len 2", 1000 * units.Metre: " --cable_len 1000", 1000*units.Metre + 1: ""} {
		h := nic("connectx-7")
		h.Cable = cable
		roce, _ := scripts(t, h)
		_, after, _ := strings.Cut(roce, "run mlnx_qos -i \"$if\" --pfc 0,0,0,1,0,0,0,0")
		line, _, _ := strings.Cut(after, "\n")
		if line != want || strings.Contains(roce, ":on delay ") != (want != "") {
			t.Errorf("%v: %q, want %q", cable, line, want)
		}
	}
}

// RDMA has Broadcom's traffic class 1 with whatever ToS, of which 0 is one, and CNPs have 2; without a ToS there is no RDMA.
func TestBroadcomTC(t *testing.T) {
	for _, c := range []struct {
		tos  int
		cnps bool
		want [8]int
	}{{-1, true, [8]int{6: 2}}, {-1, false, [8]int{}}, {0, true, [8]int{3: 1, 6: 2}}, {1, false, [8]int{3: 1}}} {
		v := &view{ToS: c.tos, RoCEPrio: 3, CNPPrio: 6, CNPClass: c.cnps}
		for p, want := range c.want {
			must.Equalf(t, v.BroadcomTC(p), want, "%+v: priority %d in class", c, p)
		}
	}
}
