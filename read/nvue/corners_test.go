package nvue

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
)

// A leaf that commands set several times has the value of the last of them, and the others are
// nothing. The MTU of a port is that of IP: a frame has 14 B of
// header, 4 B of VLAN tag and 4 B of checksum more.
func TestTheLastCommandCounts(t *testing.T) {
	readtest.Tales(t, Format(), []readtest.Tale{
		{"two", "nv set interface swp1 link mtu 9000\nnv set interface swp1 link mtu 5000\n", "Ports[0].MTU = 5022B; 1:1-36(0) interface swp1 link mtu 9000: neutral by overridden; link mtu 5000: modelled"},
		{"three", "nv set interface swp1 link mtu 9000\nnv set interface swp1 link mtu 5000\nnv set interface swp1 link mtu 7000\n", "Ports[0].MTU = 7022B; link mtu 9000: neutral by overridden; link mtu 5000: neutral by overridden; link mtu 7000: modelled"},
		{"the first once more", "nv set interface swp1 link mtu 9000\nnv set interface swp1 link mtu 5000\nnv set interface swp1 link mtu 9000\n", "Ports[0].MTU = 9022B; link mtu 5000: neutral by overridden; 3:1-36(72) interface swp1 link mtu 9000: modelled"},
	})
}

// What is set and then taken away is nothing, and what is set after that is as if it were the first.
func TestSetBehindUnset(t *testing.T) {
	const set, unset = "- set:\n    interface:\n      swp1: {link: {mtu: %d}}\n", "- unset:\n    interface:\n      swp1: {link: {mtu: {}}}\n"
	readtest.Tales(t, Format(), []readtest.Tale{
		{"taken away", fmt.Sprintf(set, 9000) + unset, "!MTU = 9022B; interface swp1 link mtu 9000: neutral by unset"},
		{"and set again", fmt.Sprintf(set, 9000) + unset + fmt.Sprintf(set, 5000), "Ports[0].MTU = 5022B; link mtu 9000: neutral by unset; link mtu 5000: modelled"},
		{"nothing to take away", unset + fmt.Sprintf(set, 5000), "Ports[0].MTU = 5022B; neutral by unset-nothing"},
		{"an alias for all that is set", "- set: &all\n    interface:\n      swp1: {link: {mtu: 5000}}\n- set: *all\n", "Ports[0].MTU = 5022B"},
	})
}

// QoS and lists of a bond are those of its members, whatever it is called; interfaces that carry no
// packets of the fabric through the buffer have none.
func TestInterfacesWithoutABuffer(t *testing.T) {
	var tales []readtest.Tale
	for name, ports := range map[string]string{
		"storage": "neutral by not-a-port", "eth0": "neutral by not-a-port", "lo": "neutral by not-a-port",
		"bond1": "not modelled", "vlan10": "not modelled", "swp1x": "not modelled", "pair": "not modelled: a list of rules can drop, mark and police packets of the port; touches ports [swp5 swp6]",
	} {
		text := "- set:\n    interface:\n      pair: {bond: {member: {swp5: {}, swp6: {}}}}\n      " + name + ": {acl: {rules: {inbound: {}}}}\n"
		if name == "pair" {
			text = strings.Replace(text, "      pair: {acl: ", "      other: {acl: ", 1)
			text = strings.Replace(text, "{bond: {member: {swp5: {}, swp6: {}}}}", "{bond: {member: {swp5: {}, swp6: {}}}, acl: {rules: {inbound: {}}}}", 1)
		}
		tales = append(tales, readtest.Tale{name, text, "interface " + name + " acl rules inbound: " + ports})
	}
	for name, want := range map[string]string{"eth0": "neutral by not-a-port", "swp1x": "not modelled"} {
		tales = append(tales, readtest.Tale{name, "- set:\n    interface:\n      " + name + ": {}\n", "interface " + name + ": " + want})
	}
	readtest.Tales(t, Format(), tales)
}

// What is not known of a queue touches that queue, and what names none the whole port.
func TestWhatAQueueLeafTouches(t *testing.T) {
	var tales []readtest.Tale
	for _, c := range []struct{ word, trim, other string }{
		{"0", "touches queues 1\n", "; touches queues 1\n"}, {"7", "queues 10000000\n", "; touches queues 10000000\n"}, {"8", "touches ports [swp1]\n", "touches ports [swp1]\n"}, {"x", "touches ports [swp1]\n", "touches ports [swp1]\n"},
	} {
		tales = append(tales, readtest.Tale{c.word, "- set:\n    interface:\n      swp1: {packet-trim: {egress-eligibility: {traffic-class: {'" + c.word + "': {}}}}}\n", "packet-trim egress-eligibility traffic-class " + c.word + ": not modelled; " + strings.TrimPrefix(c.trim, "; ")})
		tales = append(tales, readtest.Tale{"a curve of " + c.word, "- set:\n    interface:\n      swp1: {type: swp}\n    qos:\n      congestion-control:\n        default-global: {traffic-class: {'" + c.word + "': {other: 5}}}\n", "traffic-class " + c.word + " other 5: not modelled; " + strings.TrimPrefix(c.other, "; ")})
	}
	readtest.Tales(t, Format(), tales)
}

// Numbers have no sign, a list of them no more than 64.
func TestNumberNames(t *testing.T) {
	long := "0"
	for i := 1; i < 64; i++ {
		long += fmt.Sprint(" ", i)
	}
	for key, want := range map[string]string{"0-3,5": "0 1 2 3 5", "3-3": "3", "0-63": long, "0-64": "0-64", "5-3": "5-3", "300-301": "300 301", "+1-3": "+1-3", "1-+3": "1-+3", "-3": "-3", "3-": "3-", "x-y": "x-y"} {
		must.Equalf(t, strings.Join(numberNames(key), " "), want, "%s stands for", key)
	}
	for name, want := range map[string]string{"bulk": "0 true", "service1": "1 true", "service7": "7 true", "service0": "false", "service8": "false", "service+3": "false", "1": "false", "service": "false", "other": "false"} {
		id, ok := new(reader).groupID(name)
		if got := fmt.Sprint(id, ok); got != want && (ok || want != "false") {
			t.Errorf("%s is the group %s, want %s", name, got, want)
		}
	}
}

// Ports of a list are at most 1,024.
func TestPortNames(t *testing.T) {
	for key, want := range map[string]int{"swp1-1024": 1024, "swp1-1025": 1, "swp0-1024": 1, "swp2-1": 1, "swp2-2": 1, "swp1-swp4": 4, "swp1s0-3": 4, "bond1-2": 2} {
		if got := len(portNames(key)); got != want {
			t.Errorf("%s has %d names, want %d", key, got, want)
		}
	}
}

// What all ports have unless they say otherwise is for nobody where each says otherwise.
func TestGlobalProfileOfNobody(t *testing.T) {
	const own = "- set:\n    interface:\n      swp1: {qos: {congestion-control: {profile: own}}}\n    qos:\n      congestion-control:\n        own: {traffic-class: {'3': {min-threshold: 1000}}}\n        default-global: {traffic-class: {'3': {other: 5}}}\n"
	const leaf = "qos congestion-control default-global traffic-class 3 other 5: "
	readtest.Tales(t, Format(), []readtest.Tale{
		{"one port with its own", own, leaf + "neutral by unused"},
		{"another without", strings.Replace(own, "    qos:\n", "      swp2: {type: swp}\n    qos:\n", 1), leaf + "not modelled"},
		{"no ports", "- set:\n" + own[strings.Index(own, "    qos:\n"):], leaf + "not modelled"},
		{"containers of a command", "nv set interface swp1\nnv set qos congestion-control own\n", "interface swp1: ; qos congestion-control own: neutral by empty"},
		{"a leaf of a command", "nv set interface swp1 link mtu 9000\nnv set qos congestion-control default-global other 5\n", "default-global other 5: not modelled"},
	})
}

// A file has at most 4 MiB; the first operation comes within 4,096 bytes.
func TestSizes(t *testing.T) {
	const set = "- set:\n    interface:\n      swp1: {link: {mtu: 9000}}\n"
	for size, ok := range map[int]bool{4 << 20: true, 4<<20 + 1: false} {
		text := set + strings.Repeat("#"+strings.Repeat("x", 1022)+"\n", (size-len(set))/1024)
		text += strings.Repeat("\n", size-len(text))
		r := readFile("f", []byte(text))
		must.Equalf(t, len(r.Switch.Ports) == 1 && !r.Found.HasErrors(), ok, "%d bytes are read:", size)
	}
	for pad, ok := range map[int]bool{4096 - len("- set:"): true, 4097 - len("- set:"): false} {
		must.Equalf(t, Format().Recognize([]byte(strings.Repeat("\n", pad)+set)) != nil, ok, "behind %d bytes it is recognized:", pad)
	}
}
