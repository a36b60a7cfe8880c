package srlinux

import (
	"os"
	"strings"
	"testing"

	row "github.com/roceplan/roceplan/format/srlinux"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// Numbers from the least to the most of Nokia's models: srl_nokia-qos has 12 queues and 8 classes,
// weights of a byte, timers and amounts as its ranges say.
func TestNumbers(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/everything.json"))(t)
	const tib = 1 << 40
	readtest.Bounds(t, Format(), string(text), map[string][2]int64{
		`"mtu": @`: {1450, 9500}, `"interface": "ethernet-1/1", "subinterface": @`: {0, 9999}, `"num-breakout-ports": "@"`: {1, 8}, `"rdma", "queue-index": @`: {0, 11},
		`"cnp", "forwarding-class-index": @`: {0, 7}, `"value": @, "forwarding-class": "cnp"`: {0, 63}, `"dscp": @`: {0, 63},
		`["rdma"], "pfc-pause-frame-priority": @`: {0, 7}, `"queue-name": "rdma", "pfc-pause-frame-priority": @`: {0, 7},
		`"min-threshold": "@"`: {0, tib}, `"max-threshold": "@"`: {0, tib}, `"400000", "max-drop-probability-percent": @`: {0, 100},
		`"name": "0", "input": {"pfc-buffer-reservation": @`: {0, 100}, `"slot": @`: {1, 1}, `"sequence": @, "input"`: {0, 1}, `"weight": @}, {`: {1, 255}, `"peak-rate-percent": @`: {1, 100},
	}, Number)
	readtest.Bounds(t, Format(), strings.ReplaceAll(string(text), "pfc3", "own"), map[string][2]int64{`"own", "queue-index": @`: {0, 7}}, Number)
}

// What a text of a client says at a path that another has otherwise, and lines that say things in ways
// of their own.
func TestCorners(t *testing.T) {
	const ports = `{"srl_nokia-interfaces:interface": [{"name": "ethernet-1/1", "mtu": 9000}]}`
	const bound = `, {"path": "/qos/interfaces/interface[interface-id=ethernet-1/1]", "value": {"interface-ref": {"interface": "ethernet-1/1"}}}, {"path": "/qos/interfaces/interface[interface-id=ethernet-1/2]", "value": {"interface-ref": {"interface": "ethernet-1/2"}}}]}`
	const flat = "set / qos interfaces interface ethernet-1/1 interface-ref interface ethernet-1/1\n"
	update := func(parts ...string) string { return `{"update": [` + strings.Join(parts, ", ") + bound }
	part := func(path, value string) string { return `{"path": "` + path + `", "value": ` + value + `}` }
	const sub = "set / qos interfaces interface ethernet-1/1.0 interface-ref interface ethernet-1/1\nset / qos interfaces interface ethernet-1/1.0 interface-ref subinterface 0\nset / qos interfaces interface ethernet-1/1.0 input classifiers dscp-policy roce\n"
	readtest.Tales(t, Format(), []readtest.Tale{
		{"a classifier of the only subinterface", "set / interface ethernet-1/1 subinterface 0\n" + flat + sub, "!other subinterfaces; !has no subinterface"},
		{"packets come in by another one", "set / interface ethernet-1/1 subinterface 0\nset / interface ethernet-1/1 subinterface 100\n" + flat + sub, "not modelled: the port has other subinterfaces than 0"},
		{"a classifier of one that is not there", "set / interface ethernet-1/1 subinterface 100\n" + flat + sub, "not modelled: the port has other subinterfaces than 0"},
		{"a file without subinterfaces", "set / interface ethernet-1/1 mtu 9000\n" + flat + sub, "!other subinterfaces; !has no subinterface"},
		{"an entry by its path", update(part("/interface[name=ethernet-1/1]", `{"mtu": 9000}`)), "Ports[0].Name = ethernet-1/1; Ports[0].MTU = 9004B"},
		{"a leaf by its path", update(part("/interface[name=ethernet-1/1]/mtu", `9000`)), "Ports[0].Name = ethernet-1/1; Ports[0].MTU = 9004B"},
		{"two entries of two lists", update(part("/", ports), part("/", strings.Replace(ports, "1/1", "1/2", 1))), "Ports[0].Name = ethernet-1/1; Ports[1].Name = ethernet-1/2"},
		{"an entry of what is no list", update(part("/interface", `{"description": "x"}`), part("/interface[name=ethernet-1/1]", `{"mtu": 9000}`)), "error[srlinux-read-shape]"},
		{"an entry without its key", update(part("/", `{"interface": [{"mtu": 9000}]}`), part("/interface[name=ethernet-1/1]", `{"mtu": 9000}`)), "error[srlinux-read-shape]; Ports[0].MTU = 9004B"},
		{"a path with a key and a bracket", update(part("/interface[name=ethernet-1/1]/ethernet/port-speed", `"100G"`)), "Ports[0].Speed = 100Gbps"},
		{"a queue called as its key", "set / qos queues queue queue-name queue-index 5\nset / qos queues queue name queue-index 6\n" + flat, "!error; qos queues queue name queue-name; queue queue-index 5; qos queues queue name name; queue queue-index 6"},
		{"lines around a transaction", "enter candidate\nset / interface ethernet-1/1 mtu 9000\ncommit stay\ncommit\n" + flat, "Ports[0].MTU = 9004B; !error"},
		{"more behind them", "enter candidate private\nset / interface ethernet-1/1 mtu 9000\n", "1:1-24(0) error[srlinux-read-shape] this line does not set a leaf"},
		{"another line", "quit now\nset / interface ethernet-1/1 mtu 9000\n", "1:1-9(0) error[srlinux-read-shape] this line does not set a leaf"},
		{"a value that becomes a container", "set / interface ethernet-1/1 ethernet x\nset / interface ethernet-1/1 ethernet port-speed 100G\n" + flat, "Ports[0].Speed = 100Gbps; interface ethernet x: neutral by empty"},
		{"a container that gets a value", "set / interface ethernet-1/1 ethernet port-speed 100G\nset / interface ethernet-1/1 ethernet x\n" + flat, "Ports[0].Speed = 100Gbps; interface ethernet x x: not modelled"},
		{"a value that becomes a list", "set / interface ethernet-1/1\nset / qos queues\nset / qos queues queue\nset / qos queues queue rdma queue-index 3\n" + flat, "the line names no entry of the list queue; qos queues queue name rdma"},
		// A policy of 7220 IXR writes DSCP 0 into packets of classes that it leaves out (QoS guide 24.3): fc3 has DSCP 26.
		{"a rewriting that leaves a class out", "set / interface ethernet-1/1 subinterface 0\n" + flat + sub + "set / qos classifiers dscp-policy roce dscp 26 forwarding-class fc3\nset / qos rewrite-rules dscp-policy out map fc0 dscp 8\nset / qos interfaces interface ethernet-1/1.0 output rewrite-rules dscp-policy out\n",
			"Ports[0].QoS.Rewritten.Rewrite.TCs = 9; Ports[0].QoS.Rewritten.Rewrite.DSCP = 0-0: 8, 1-7: 0"},
		{"pfc0 with another index", "set / qos queues pfc-queue pfc0 queue-index 1\n" + flat, "the name pfc0 is reserved for the index 0, not 1"},
		{"pfc7 with another index", "set / qos queues pfc-queue pfc7 queue-index 1\n" + flat, "the name pfc7 is reserved for the index 7, not 1"},
		{"pfc7 with its own", "set / qos queues pfc-queue pfc7 queue-index 7\n" + flat, "!reserved"},
		{"names that are not reserved", "set / qos queues pfc-queue pfc8 queue-index 1\nset / qos queues pfc-queue pfc/ queue-index 1\nset / qos queues pfc-queue pfc11 queue-index 1\n" + flat, "!reserved"},
		{"an update of gNMI's", `{"update": [{"path": "/interface[name=ethernet-1/1]", "val": {"mtu": 9000}}` + bound, "Ports[0].MTU = 9004B"},
		{"an interface without QoS", ports, "Ports[0].MTU = 9004B; !Ports[0].QoS; interface mtu 9000: modelled"},
		{"its speed", `{"srl_nokia-interfaces:interface": [{"name": "ethernet-1/1", "ethernet": {"port-speed": "100G"}, "breakout-mode": {"breakout-port-speed": "25G"}}]}`, "Ports[0].Speed = 100Gbps; port-speed 100G: modelled; breakout-port-speed 25G: neutral by no-qos"},
		{"a bundle whose frames are smaller than RoCE's", `{"srl_nokia-interfaces:interface": [{"name": "lag1", "mtu": 4201}, {"name": "lag2", "mtu": 4202}]}`, "interface mtu 4201: not modelled; interface mtu 4202: neutral by no-qos"},
		{"a port whose parts have QoS", "set / interface ethernet-1/1 breakout-mode breakout-port-speed 25G\n" + strings.ReplaceAll(flat, "ethernet-1/1", "ethernet-1/1/2"), "Ports[0].Name = ethernet-1/1/2; Ports[0].Speed = 25Gbps; breakout-port-speed 25G: modelled"},
	})
}

// The words of a client come within the first 2,048 bytes.
func TestEnvelope(t *testing.T) {
	const list = `"update": [`
	for pad, want := range map[int]bool{2048 - len(list): true, 2049 - len(list): false} {
		must.Equalf(t, isEnvelope([]byte(strings.Repeat(" ", pad)+list+`{"path": "/qos/"}]`)), want, "behind %d bytes the list is found:", pad)
	}
}

// The name of a device stands within the first MiB.
func TestDeviceWithinAMebibyte(t *testing.T) {
	const line = "set / system name host-name leaf"
	for pad, want := range map[int]string{1<<20 - len(line) - 1: "leaf", 1<<20 - len(line): "lea"} {
		if got, _ := Format().Device([]byte(strings.Repeat(" ", pad) + "\n" + line + "\n")); got != want && !(want == "leaf" && got == want) {
			t.Errorf("behind %d bytes the device is %q, want %q", pad, got, want)
		}
	}
}

// A file has at most 262,144 lines that set a leaf.
func TestManyLines(t *testing.T) {
	const line, most = "set / a b\n", 262_144
	for lines, want := range map[int]int{most: 0, most + 1: 1} {
		found := 0
		for _, d := range Format().Read("f", []byte(strings.Repeat(line, lines)), read.Options{}).Found {
			if d.Code == TooLarge && d.Subject.Start.Line == most+1 {
				found++
			}
		}
		must.Equalf(t, found, want, "%d lines: times found to be too many:", lines)
	}
}

// A chip without a box of Nokia's is named, and leaves the switch as it was read.
func TestCompleteWithoutABox(t *testing.T) {
	sw := &plan.Switch{Pools: []plan.Pool{{Percent: 50}}}
	_, err := Complete(sw, "no-such-chip")
	if err == nil || !strings.Contains(err.Error(), "no-such-chip") || sw.Pools[0].Size.Why != nil {
		t.Errorf("%v, and a pool of %v", err, sw.Pools[0].Size.Value)
	}
}

// A tenth of the buffer is the headroom of all groups, and a tenth of that what one may take that says
// nothing; a group that says how much has that, and a lossy one none.
func TestCompleteByHand(t *testing.T) {
	box, ok := row.Boxes().Of("tomahawk5")
	if !ok {
		t.Fatal("no box has a Tomahawk 5")
	}
	own := plan.Of(units.Bytes(5000), &plan.Why{Name: "said"})
	qos := &plan.PortQoS{PGs: []plan.PG{{ID: 3, Lossless: true}, {ID: 4, Lossless: true, Headroom: own}, {ID: 5}}}
	sw := &plan.Switch{Pools: []plan.Pool{{Direction: plan.Ingress, Percent: 50, HeadroomPercent: 10}, {Direction: plan.Egress, Percent: 60}}, Ports: []plan.Port{{}, {QoS: qos}, {QoS: qos}}}
	must.Get(Complete(sw, "tomahawk5"))(t)
	part := func(percent int64) units.Bytes {
		return units.Bytes(int64(box.Shared)*percent/100) / box.Cell * box.Cell
	}
	if in, out := sw.Pools[0], sw.Pools[1]; in.Size.Value != part(60) || in.Headroom.Value != part(10) || out.Size.Value != part(60) || out.Headroom.Why != nil || in.Size.Why.Kind != plan.Standard {
		t.Errorf("%+v", sw.Pools)
	}
	groups := qos.PGs
	if got := groups[0].Headroom; got.Value != part(10)/10/box.Cell*box.Cell || got.Why.Kind != plan.Standard || groups[1].Headroom != own || groups[2].Headroom.Why != nil {
		t.Errorf("%+v", groups)
	}
}

// A priority whose pauses no queue obeys stops none, however many ports have the mapping.
func TestMappingOfTwoPorts(t *testing.T) {
	const text = `set / qos queues queue rdma queue-index 3
set / qos queues pfc-queue pfc3 queue-index 3
set / qos forwarding-classes forwarding-class rdma forwarding-class-index 3
set / qos pfc-mapping-profile m received-traffic unicast-mapping pfc-queue pfc3 pfc-pause-frame-priority 3
set / qos scheduler-policies scheduler-policy s scheduler 0 priority strict
set / qos interfaces interface ethernet-1/1 pfc pfc-mapping-profile m
set / qos interfaces interface ethernet-1/1 pfc pfc-enable true
set / qos interfaces interface ethernet-1/2 pfc pfc-mapping-profile m
set / qos interfaces interface ethernet-1/2 pfc pfc-enable true
set / qos interfaces interface ethernet-1/2 output scheduler scheduler-policy s
`
	got := Format().Read("f", []byte(text), read.Options{})
	if stops, at := got.Switch.Maps.PFCToQueue[3], got.Switch.Places.PFCToQueue[3].Start.Line; stops != plan.NoQueue || at != 4 {
		t.Errorf("a pause of priority 3 stops queue %d by line %d", stops, at)
	}
	const rest = "set / qos pfc-mapping-profile m received-pfc-pause-frames queue rdma pfc-pause-frame-priority 3\nset / qos pfc-mapping-profile m received-pfc-pause-frames queue rdma enable-pfc "
	for obeys, want := range map[string]uint8{"false": plan.NoQueue, "true": 3} {
		if stops := Format().Read("f", []byte(text+rest+obeys+"\n"), read.Options{}).Switch.Maps.PFCToQueue[3]; stops != want {
			t.Errorf("enable-pfc %s: a pause of priority 3 stops queue %d", obeys, stops)
		}
	}
}
