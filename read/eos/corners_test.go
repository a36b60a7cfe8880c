package eos

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/cli"
	"github.com/roceplan/roceplan/units"
)

// Lines that mean something by what stands around them.
func TestLinesTogether(t *testing.T) {
	const profile, curve = "qos profile P\n   uc-tx-queue 3\n", "      random-detect ecn minimum-threshold 150 kbytes maximum-threshold 3000 kbytes\n"
	const port = "interface Ethernet1\n   service-profile P\n   uc-tx-queue 3\n"
	const contrary = "no random-detect ecn: not modelled: the port's profile has the opposite, and it is not published which of the two EOS obeys; touches ports [Ethernet1]"
	readtest.Tales(t, Format(), []readtest.Tale{
		{"a curve that the port takes back", profile + curve + port + "      no random-detect ecn\n", contrary},
		{"a profile without one", profile + port + "      no random-detect ecn\n", "!which of the two EOS obeys"},
		{"a curve of another queue", strings.Replace(profile, "queue 3", "queue 4", 1) + curve + port + "      no random-detect ecn\n", "!which of the two EOS obeys"},
		{"the port's own curve", profile + curve + port + curve, "!which of the two EOS obeys"},
		{"counters that are taken back", profile + curve + port + "      no random-detect ecn count\n", "!which of the two EOS obeys"},
		// A section of the switch is one entry, but for lines that cannot belong to it.
		{"a line of two words that leaves a section", "router bgp 65001\n   qos profile\ninterface Ethernet1\n", "the form of this line is not known: qos profile"},
		{"a line of one word that does not", "router bgp 65001\n   qos\ninterface Ethernet1\n", "!the form of this line"},
		{"what a section has itself", "router bgp 65001\n   qos other\n   neighbor 192.0.2.1 remote-as 1\ninterface Ethernet1\n", "!neighbor; !qos other"},
		// A remark stands as deep as the port that is open, and the line behind it is of the port.
		{"lines as deep as the port's", "interface Ethernet1\nmtu 9214\ndescription a\nno switchport\nspeed 100g-2\n", "Ports[0].Speed = 100Gbps; Ports[0].Routed = true; description a: neutral by port-remarks"},
		{"the largest shaper, 2⁴⁰ kb/s", "interface Ethernet1\n   uc-tx-queue 3\n      shape rate 1099511627776 kbps\n", "Scheduler.MaxRate = 1099511627.776Mbps"},
	})
}

// What two policies share acts on the ports of both, in their order and each once; of more than 64 it
// is the whole switch.
func TestPortsOfTwoPolicies(t *testing.T) {
	for _, c := range []struct {
		one, other string
		want       users
	}{
		{"", "b a", users{ports: []string{"b", "a"}}}, {"a", "", users{ports: []string{"a"}}}, {"b d", "c a", users{ports: []string{"a", "b", "c", "d"}}},
		{"a b", "a b", users{ports: []string{"a", "b"}}}, {"b c", "a b", users{ports: []string{"a", "b", "c"}}},
	} {
		got := users{ports: strings.Fields(c.one)}.with(users{ports: strings.Fields(c.other)})
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%q and %q: %v, want %v", c.one, c.other, got, c.want)
		}
	}
	many := func(n int, name string) (u users) {
		for i := range n {
			u.ports = append(u.ports, fmt.Sprintf("%s%02d", name, i))
		}
		return u
	}
	// The ports of one alone are not counted: they are a list already.
	for _, pair := range [][2]users{{many(0, "a"), many(65, "b")}, {many(65, "b"), many(0, "a")}, {many(65, "b"), many(65, "b")}} {
		if got := pair[0].with(pair[1]); got.whole || len(got.ports) != 65 {
			t.Errorf("%d ports and %d: %v", len(pair[0].ports), len(pair[1].ports), got)
		}
	}
	for other, whole := range map[int]bool{32: false, 33: true} {
		if got := many(32, "a").with(many(other, "b")); got.whole != whole || !whole && len(got.ports) != 32+other {
			t.Errorf("32 ports and %d: %v", other, got)
		}
	}
	if all := (users{whole: true}); !all.with(users{ports: []string{"a"}}).whole || !(users{ports: []string{"a"}}).with(all).whole {
		t.Error("the whole switch and a port are not the whole switch")
	}
}

// A rate stands with the lanes that carry it, or with a duplex: `speed ?` of the DCS-7060X6.
func TestSpeedWords(t *testing.T) {
	for word, want := range map[string]string{
		"400g-8": "400Gbps", "400g-4": "400Gbps", "100g-2": "100Gbps", "1600g-8": "1600Gbps", "100gfull": "100Gbps", "1000full": "1Gbps", "100mhalf": "100Mbps", "25g": "25Gbps", "10full": "10Mbps",
		"400g-3": "", "400g-": "", "400g-x": "", "30g": "", "25": "", "25m-1": "", "g": "", "": "", "99999999999999999999g": "", "2305843009213694352g": "", "1000m-1": "", "25gfast": "",
	} {
		got, ok := parseSpeed(word)
		if ok != (want != "") || ok && got.String() != want {
			t.Errorf("%q is %v, %t, want %q", word, got, ok, want)
		}
	}
}

// From 100 Gb/s on lanes are of 25, 50, 100 or 200 Gb/s, and of 10 Gb/s where ten carry 100; slower
// rates are as EOS' list names them.
func TestLanesOfSpeeds(t *testing.T) {
	for _, rate := range []int{100, 200, 400, 800, 1600} {
		for lanes := range 33 {
			want := slices.Contains([]int{1, 2, 4, 8}, lanes) && slices.Contains([]int{25, 50, 100, 200}, rate/max(1, lanes)) || rate == 100 && lanes == 10
			if _, ok := parseSpeed(fmt.Sprintf("%dg-%d", rate, lanes)); ok != want {
				t.Errorf("%dg-%d: %t, want %t", rate, lanes, ok, want)
			}
		}
	}
	slow := strings.Fields("1g-1 5g-1 10g-1 25g-1 40g-1 40g-2 40g-4 50g-1 50g-2")
	for _, rate := range []int{1, 5, 10, 25, 40, 50} {
		for lanes := range 9 {
			word := fmt.Sprintf("%dg-%d", rate, lanes)
			if _, ok := parseSpeed(word); ok != slices.Contains(slow, word) {
				t.Errorf("%s: %t", word, ok)
			}
		}
	}
	for word, want := range map[string]units.BitRate{"2500full": 2500 * units.Mbps, "5000full": 5 * units.Gbps, "5g": 5 * units.Gbps, "40gfull": 40 * units.Gbps, "50gfull": 50 * units.Gbps, "10gfull": 10 * units.Gbps} {
		if got, ok := parseSpeed(word); !ok || got != want {
			t.Errorf("%s is %v, %t", word, got, ok)
		}
	}
}

// An amount that is refused is none.
func TestRefusedNumbers(t *testing.T) {
	r := &reader{}
	line := cli.Line{Src: "x", Words: []string{"x"}}
	if n, ok := r.number(line, "x", 1, 7); n != 0 || ok {
		t.Errorf("a word is %d, %t", n, ok)
	}
	if n, ok := r.depth(line, "5", "segments"); n != 0 || ok {
		t.Errorf("segments are %d, %t", n, ok)
	}
	for _, words := range []string{"5 percent", "kbps", "5 6 kbps"} {
		if n, ok := r.rate(line, strings.Fields(words)); n != 0 || ok {
			t.Errorf("%q is %d, %t", words, n, ok)
		}
	}
}
