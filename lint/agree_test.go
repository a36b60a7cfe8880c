package lint_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// compiled returns the switch that a fabric compiles to, edited: each old text and its new one.
func compiled(t *testing.T, edits ...string) *plan.Switch {
	t.Helper()
	archive := must.Get(txtar.ParseFile(filepath.Join(badInputs, "fabric-port-differs.txtar")))(t)
	file := archive.Files[1]
	for i := 0; i < len(edits); i += 2 {
		if !bytes.Contains(file.Data, []byte(edits[i])) {
			t.Fatalf("the file has no %s", edits[i])
		}
		file.Data = bytes.ReplaceAll(file.Data, []byte(edits[i]), []byte(edits[i+1]))
	}
	return read(t, file)
}

// Names of pools, the scale of weights and the usual values of lines that are left out mean
// nothing to the switch.
func TestAgreeOnEqual(t *testing.T) {
	for name, edits := range map[string][]string{
		"renamed pools":  {"ingress_lossless_pool", "service_pool_in", "egress_lossless_pool", "service_pool_out"},
		"3 to 2":         {`"weight": "40"`, `"weight": "2"`, `"weight": "60"`, `"weight": "3"`},
		"66 to 99":       {`"weight": "40"`, `"weight": "66"`, `"weight": "60"`, `"weight": "99"`},
		"poll left out":  {`"GLOBAL": {"POLL_INTERVAL": "100"},`, ""},
		"nothing at all": nil,
	} {
		if found := lint.Agree(compiled(t, edits...), compiled(t)); len(found) > 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// What looks like these and is not the same is told.
func TestAgreeOnUnequal(t *testing.T) {
	for name, c := range map[string]struct {
		code  diag.Code
		edits []string
	}{
		"renamed and resized":   {lint.FabricThresholdDiffers, []string{"ingress_lossless_pool", "service_pool_in", "10875072", "10875280"}},
		"3 to 3":                {lint.FabricSchedulingDiffers, []string{`"weight": "40"`, `"weight": "3"`, `"weight": "60"`, `"weight": "3"`}},
		"one weight":            {lint.FabricSchedulingDiffers, []string{`"weight": "40"`, `"weight": "41"`}},
		"another poll interval": {lint.FabricWatchdogDiffers, []string{`"POLL_INTERVAL": "100"`, `"POLL_INTERVAL": "200"`}},
	} {
		found := lint.Agree(compiled(t, c.edits...), compiled(t))
		if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == c.code }) {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// Rewriting is compared by what it does: a rule that writes what stands there is none.
func TestAgreeOnRewriting(t *testing.T) {
	class3 := func(dscp uint8) *plan.Rewrite { return &plan.Rewrite{TCs: 1 << 3, DSCP: [8]uint8{3: dscp}} }
	for _, c := range []struct {
		got, want *plan.Rewrite
		found     int
	}{{nil, nil, 0}, {class3(26), nil, 0}, {nil, class3(26), 0}, {class3(27), nil, 1}, {nil, class3(27), 1}, {class3(27), class3(26), 1}} {
		got, want := compiled(t), compiled(t)
		got.Ports[0].QoS.Rewrite, want.Ports[0].QoS.Rewrite = c.got, c.want
		if found := lint.Agree(got, want); len(found) != c.found || c.found > 0 && found[0].Code != lint.FabricClassDiffers {
			t.Errorf("%+v against %+v: %v", c.got, c.want, found)
		}
	}
}

// Bounds of whole ports are compared; none is one without a limit.
func TestAgreeOnPortPools(t *testing.T) {
	bound := func(reserve units.Bytes, limit units.Bytes) []plan.PortPool {
		return []plan.PortPool{{Pool: "ingress_lossless_pool", Reserved: plan.Of(reserve, nil), Limit: plan.Of(plan.Limit{Static: limit}, nil)}}
	}
	for _, c := range []struct {
		got, want []plan.PortPool
		differ    bool
	}{
		{nil, nil, false}, {bound(0, plan.NoLimit), nil, false}, {nil, bound(0, plan.NoLimit), false}, {bound(208, plan.NoLimit), bound(0, plan.NoLimit), false},
		{bound(0, 2080), nil, true}, {nil, bound(0, 2080), true}, {bound(0, 2080), bound(0, 4160), true}, {bound(0, 2080), bound(208, 2080), true}, {nil, bound(208, plan.NoLimit), true},
	} {
		got, want := compiled(t), compiled(t)
		got.Ports[0].QoS.Pools, want.Ports[0].QoS.Pools = c.got, c.want
		found := lint.Agree(got, want)
		if (len(found) > 0) != c.differ || c.differ && found[0].Code != lint.FabricThresholdDiffers {
			t.Errorf("%v against %v: %v", c.got, c.want, found)
		}
	}
}

// A class that is rewritten on its way belongs, at the peer, to the class of its new code
// point, and is lost there if that is lossy.
func TestRewritingAcrossLink(t *testing.T) {
	archive := must.Get(txtar.ParseFile(filepath.Join(badInputs, "link-dscp-differs.txtar")))(t)
	archive.Files[0].Data = bytes.Replace(archive.Files[0].Data, []byte(`"27": "3"`), []byte(`"26": "3"`), 1)
	for _, c := range []struct {
		to    uint8
		found string
	}{{26, ""}, {27, "DSCP 26 is lossless with priority 3 at leaf-1 Ethernet0, which sends it on as DSCP 27, and that is lossy at its peer spine-1 Ethernet4"}} {
		ends := []*plan.Switch{read(t, archive.Files[0]), read(t, archive.Files[1])}
		ends[0].Ports[0].QoS.Rewrite = &plan.Rewrite{TCs: 1 << 3, DSCP: [8]uint8{3: c.to}}
		var told []string
		for _, d := range lint.Links(cable, func(device string) *plan.Switch {
			return ends[slices.IndexFunc(ends, func(sw *plan.Switch) bool { return sw.Names[0] == device })]
		}) {
			if d.Code == lint.LinkDSCPDiffers {
				told = append(told, d.Message)
			}
		}
		must.Equalf(t, strings.Join(told, "; "), c.found, "rewritten to %d:", c.to)
	}
}

// A pause of each of the eight priorities stops its own class: the last one too.
func TestLinkOfTheLastPriority(t *testing.T) {
	side := func(name string, pfc uint8) *plan.Switch {
		sw := &plan.Switch{Names: []string{name}, Ports: []plan.Port{{Name: "Ethernet0", QoS: &plan.PortQoS{PFC: 1 << 3}}, {Name: "Ethernet4", QoS: &plan.PortQoS{PFC: 1<<3 | 1<<pfc}}}}
		sw.Maps.DSCPToTC[26], sw.Maps.TCToPG[3] = 3, 3
		for i := range uint8(8) {
			sw.Maps.PFCToPG[i] = i
		}
		return sw
	}
	for _, c := range []struct {
		tc   uint8 // of DSCP 26 at the other end
		want string
	}{{3, ""}, {7, "DSCP 26 is lossless with priority 3 at leaf-1 Ethernet0 and lossless with priority 7 at its peer spine-1 Ethernet4"}} {
		ends := map[string]*plan.Switch{"leaf-1": side("leaf-1", 7), "spine-1": side("spine-1", 7)}
		ends["leaf-1"].Ports[0].QoS.PFC |= 1 << 7
		ends["spine-1"].Maps.DSCPToTC[26], ends["spine-1"].Maps.TCToPG[7] = c.tc, 7
		var told []string
		for _, d := range lint.Links(cable, func(device string) *plan.Switch { return ends[device] }) {
			if d.Code == lint.LinkDSCPDiffers {
				told = append(told, d.Message)
			}
		}
		must.Equalf(t, strings.Join(told, "; "), c.want, "traffic class %d:", c.tc)
	}
}

// Rules for ports that trust nobody are in both or in neither.
func TestAgreeOnMarking(t *testing.T) {
	for _, c := range []struct{ got, want bool }{{false, false}, {true, true}, {true, false}, {false, true}} {
		got, want := compiled(t), compiled(t)
		if c.got {
			got.Marking = &plan.Marking{}
		}
		if c.want {
			want.Marking = &plan.Marking{}
		}
		found := lint.Agree(got, want)
		if (len(found) > 0) != (c.got != c.want) || len(found) > 0 && (found[0].Code != lint.FabricClassDiffers || !strings.HasPrefix(found[0].Message, "only one of file and fabric has rules for untrusted ports")) {
			t.Errorf("%+v: %v", c, found)
		}
	}
}

// Lanes that a file or the fabric leaves out differ from none.
func TestAgreeOnLanes(t *testing.T) {
	for _, c := range []struct {
		got, want []int
		differ    bool
	}{{[]int{1, 2}, []int{1, 2}, false}, {nil, []int{1, 2}, false}, {[]int{1, 2}, nil, false}, {[]int{1, 2}, []int{1, 3}, true}, {[]int{1}, []int{2}, true}} {
		got, want := compiled(t), compiled(t)
		got.Ports[0].Lanes, want.Ports[0].Lanes = c.got, c.want
		found := lint.Agree(got, want)
		if (len(found) > 0) != c.differ || c.differ && found[0].Code != lint.FabricPortDiffers {
			t.Errorf("%v against %v: %v", c.got, c.want, found)
		}
	}
}

// A larger reserve of a queue is for the model to prove, unless the file does not say from how large a pool it is taken.
func TestAgreeOnLargerReserve(t *testing.T) {
	for _, c := range []struct {
		reserve units.Bytes
		pools   bool
		found   int
	}{{0, false, 0}, {208, false, 1}, {208, true, 0}} {
		got, want := compiled(t), compiled(t)
		if !c.pools {
			got.Pools, want.Pools = nil, nil
		}
		own := *got.Ports[0].QoS
		own.Queues = slices.Clone(own.Queues)
		own.Queues[0].Reserved.Value += c.reserve
		got.Ports[0].QoS = &own
		found := lint.Agree(got, want)
		if len(found) != c.found || c.found > 0 && (found[0].Code != lint.FabricThresholdDiffers || found[0].Severity != diag.Warning) {
			t.Errorf("%v more, pools in the file %v: %v", c.reserve, c.pools, found)
		}
	}
}
