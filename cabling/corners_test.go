package cabling

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A file is of the device that it is called after, or whose folder it lies in.
func TestDeviceOfAFile(t *testing.T) {
	for name, want := range map[string]string{
		"leaf-1.json": "leaf-1", "leaf-1.lldp.json": "leaf-1", "lldp/leaf-1.txt": "leaf-1", "leaf-1/lldp.json": "leaf-1", "x/leaf-1/Show-LLDP-Table.TXT": "leaf-1", "leaf-1/dump.json0": "leaf-1",
		"leaf-1.dc1.json": "leaf-1.dc1", ".json": ".json", "lldp.json": "lldp", "./lldp.json": "lldp", "../lldp.json": "lldp", "/lldp.json": "lldp", "leaf-1/other.json": "other",
	} {
		must.Equalf(t, deviceOf(name), want, "%s is of", name)
	}
	for name, want := range map[string]string{"Leaf-1": "leaf-1", " leaf-1 ": "leaf-1", "leaf-1.dc1.example": "leaf-1.dc1.example leaf-1", ".dc1": ".dc1", "leaf-1.": "leaf-1. leaf-1", "": ""} {
		must.Equalf(t, strings.Join(spellings(name), " "), want, "%q is spelt", name)
	}
}

// EEPROMs tell whole metres, or tenths; 255 is "255 m or more" (SFF-8636 byte 146).
func TestMetres(t *testing.T) {
	for s, want := range map[string]units.Length{
		"3": 3 * units.Metre, "2.5": 2500 * units.Millimetre, "254": 254 * units.Metre, "254.9": 254_900 * units.Millimetre, "255": 0, "256": 0, "0": 0, "": 0, "3m": 0, "1.2.3": 0, "-1": 0,
	} {
		must.Equalf(t, metres(s), want, "%q is", s)
	}
}

// The names of MAU types begin with the rate (IEEE 802.3, 30.5.1.1.2), without a unit in Mb/s.
func TestSpeedOfAMAU(t *testing.T) {
	for name, want := range map[string]units.BitRate{
		"10GigBaseLR - R fiber": 10 * units.Gbps, "1000BaseTFD": units.Gbps, "100GBASE-CR4": 100 * units.Gbps, "40GbeBaseSR4": 40 * units.Gbps, "100baseTX": 100 * units.Mbps,
		"BaseT": 0, "10xBaseT": 0, "x10BaseT": 0, "": 0, "other": 0, "10": 10 * units.Mbps, "1.5gbaseT": 0,
	} {
		must.Equalf(t, mauSpeed(name), want, "%q is", name)
	}
}

// A length is in its own unit, in that of the column, or in metres: a foot is 0.3048 m, an inch
// 25.4 mm, a mile 1,609.344 m (NIST SP 811, B.8). Fractions of a millimetre count as one.
func TestLengthsOfInventories(t *testing.T) {
	for text, want := range map[string]units.Length{
		"5": 5 * units.Metre, "5 m": 5 * units.Metre, "5 meters": 5 * units.Metre, "250 cm": 2500 * units.Millimetre, "250 centimeters": 2500 * units.Millimetre, "1 km": 1000 * units.Metre, "2 kilometers": 2000 * units.Metre,
		"10 ft": 3048 * units.Millimetre, "10 FEET": 3048 * units.Millimetre, "100 in": 2540 * units.Millimetre, "1 in": 26 * units.Millimetre, "100 inches": 2540 * units.Millimetre, "1 mi": 1_609_344 * units.Millimetre, "1 miles": 1_609_344 * units.Millimetre,
		"5m cm": 5 * units.Metre, "5 furlongs": -1, "x m": -1,
	} {
		length, unit, _ := strings.Cut(text, " ")
		if got, err := parseLength(length, unit); (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("%s is %v, %v, want %v", text, got, err, want)
		}
	}
	for kind, want := range map[string]string{"dac-passive": "dac", "DAC-active": "dac", "aoc": "aoc", "mmf-om4": "fiber", "smf-os2": "fiber", "cat6a": "copper", "power": "", "": ""} {
		must.Equalf(t, mediumOf(kind), want, "%s is", kind)
	}
}

// A document is one of cables by the keys at its top, or of the objects in its list; a colon may stand
// 64 bytes behind a key.
func TestDocumentsOfCables(t *testing.T) {
	for text, want := range map[string]bool{
		`{"lldp": 1}`: true, "\ufeff\n [{\"lldp\": 1}]": true, `{"a": {"lldp": 1}}`: false, `[[{"lldp": 1}]]`: false, `{"x": "lldp"}`: false, `["lldp"]`: false, `{"a\"b": 1, "lldp": 1}`: true, `{"lldp`: false, `{"lldp"`: false,
		`{"LLDP_ENTRY_TABLE:Ethernet0": {}}`: true, `{"TRANSCEIVER_INFO|Ethernet0": {}}`: true, `{"LLDP": {}}`: false, `{"a": [1, {"b": 2}], "lldp": 1}`: true, `{"\\": 1, "lldp": 1}`: true,
		`{"lldp"` + strings.Repeat(" ", 63) + `: 1}`: true, `{"lldp"` + strings.Repeat(" ", 64) + `: 1}`: false,
	} {
		must.Equalf(t, listsCables([]byte(text)), want, "%s:", text)
	}
	for text, want := range map[string]bool{"graph {": true, "graph\"x\" {": true, "digraph g {": true, "strict graph\n{": true, "strict digraph{": true, "graph": false, "graphs {": false, "a graph {": false} {
		must.Equalf(t, isDOT([]byte(text)), want, "%q is DOT:", text)
	}
	for text, want := range map[string]bool{"switch,port": true, "\"Switch\" , PORT\r\n": true, "switch": false, "port,far": false, "a,b\nswitch,port": false} {
		must.Equalf(t, isCSV([]byte(text)), want, "%q is a table:", text)
	}
}

// tale returns what a file yields: sightings with their lines, and findings.
func tale(name, text string) string {
	seen, found := Read(name, []byte(text))
	var all []string
	for _, s := range seen {
		all = append(all, fmt.Sprintf("%d: %s", s.At.Start.Line, sightingText(s)))
	}
	for _, d := range found {
		all = append(all, fmt.Sprintf("%d:%d %s", d.Subject.Start.Line, d.Subject.Start.Column, d.Message))
	}
	return strings.Join(all, "\n")
}

func TestCorners(t *testing.T) {
	const unknown = "1:1 no cables were found in a known format"
	const table = "LocalPort  RemoteDevice  RemotePortID\n"
	for _, c := range []struct{ name, file, text, want string }{
		{"DOT: lines within quotes and comments", "f", "graph {\nx [label=\"a\nb\"] b:1 -- c:2; # x -- y\n/* \n */ d:3 -> e:4\n}", "3: b:1 c:2\n5: d:3 e:4"},
		{"DOT: a chain", "f", "graph {\na:1 -- b:2 -- c:3; d:4 -- e:5 f:6 -- g:7}", "2: a:1 b:2\n2: b:2 c:3\n2: d:4 e:5\n2: f:6 g:7"},
		{"DOT: quotes within quotes", "f", `graph { "a\"b":1 -- "":2 }`, `1: a"b:1`},
		{"DOT: attributes", "f", "graph { a:1 -- b:2 [color=red, len=3]; c:3 -- d:4 [length=\"2.5m\" len2=9]; e:5 -- f:6 [\"len\"=\"]\"]; node [len=7]; x = y; g:7 -- h:8 }", "1: a:1 b:2, 3m\n1: c:3 d:4, 2.5m\n1: e:5 f:6\n1: g:7 h:8"},
		{"DOT: attributes without a semicolon", "f", "graph { a:1 -- b:2 [len=3] c:3 -- d:4 [] e:5 -- f:6\n}", "1: a:1 b:2, 3m\n1: c:3 d:4\n1: e:5 f:6"},
		{"DOT: an end without a port", "f", "graph { a -- b:2; a:1 -- b; :1 -- c:2 }", ""},
		{"DOT: what does not end", "f", "graph { a:1 -- b:2 /* ", "1: a:1 b:2"},
		{"DOT: a mark that opens a comment alone", "f", "graph { a:1 -- b:2 /*/ c:1 -- d:2 \n */ e:1 -- f:2 }", "1: a:1 b:2\n2: e:1 f:2"},
		{"DOT: a remark at the end", "f", "graph { a:1 -- b:2 // x", "1: a:1 b:2"},
		{"DOT: attributes that do not end", "f", "graph { a:1 -- b:2 [len=3", "1: a:1 b:2, 3m"},
		{"DOT: a quote that does not end", "f", "graph { a:1 -- b:\"2\\", "1: a:1 b:2\\"},
		{"a table", "leaf.txt", table + "---------  ------------  ------------\r\nEthernet0  spine-1       Ethernet4\r\nEthernet8  a\nEthernet9\n\nTotal entries displayed:  2\n", "3: leaf:Ethernet0 spine-1:Ethernet4\n4: leaf:Ethernet8 a:"},
		{"a table with dashes above", "leaf.txt", "------  ----  ----\n" + table + "---------  ------------  ------------\nEthernet0  spine-1       Ethernet4\n", "4: leaf:Ethernet0 spine-1:Ethernet4"},
		{"a table with dashes of other columns", "leaf.txt", table + "---------  ------------\nEthernet0  spine-1       Ethernet4\n", "1:1 there is no line of dashes under LocalPort RemoteDevice …"},
		{"a table without a port", "leaf.txt", "LocalPort  RemoteDevice\n---------  ------------\nEthernet0  spine-1\n", "3: leaf:Ethernet0 spine-1:"},
		{"a quote that stands alone", "f", "switch,port,far\na,1,b:2\nc,\"3,d:4\ne,5,f:6\n", "2: a:1 b:2\n3: c:3,d:4\ne,5,f:6\n3:1 a quote that does not end joins the lines below to a cell of this row; they are not read"},
		{"a quote within a cell", "f", "switch,port,far\na,1\" ,b:2\n", "2: a:1\" b:2"},
		{"a cell of two lines", "f", "switch,port,type,far\na,1,\"x\ny\",b:2\n\nc,3,,d:4\n", "2: a:1 b:2\n5: c:3 d:4"},
		{"rows that are short", "f", "port,switch,far\n1,a\n2\n", "2: a:1\n3:1 this row names no device and port"},
		{"a cable of power", "f", `{"results": [{"a_terminations": [{"object": {"name": "PSU 1"}}], "b_terminations": []}]}`, ""},
		{"one end that is a port", "f", `[{"termination_a": {"name": "circuit"}, "termination_b": {"device": {"name": "b"}, "name": "2"}, "length": "x"}]`, "1: b:2\n1:108 \"x\" is not a length: it does not start with a number; write it like \"100m\""},
		{"both without a device", "f", `{"results": [{"a_terminations": [], "b_terminations": []}, {"termination_a": {}}]}`, ""},
		{"results of something else", "f", `{"results": [{"id": 1}]}`, unknown},
		{"nothing", "f", "{}", unknown},
		{"several neighbours behind one port", "leaf.json", `{"lldp": {"interface": {"p1": [{"via": "LLDP", "chassis": {"a": {}}, "port": {"id": "1"}}, {"chassis": {"b": {}}, "port": {"id": "2"}}, 5]}}}`, "1: leaf:p1 a:1\n1: leaf:p1 b:2"},
		{"a chassis of two", "leaf.json", `{"lldp": {"interface": {"p1": {"chassis": {"a": {}, "b": {}}, "port": []}}}}`, "1: leaf:p1"},
		{"an alias that says where", "leaf.json", `{"lldp": {"interface": {"p1": {"chassis": {"a": {}}, "port": {"id": {"value": ["x"]}, "descr": "a: y"}}}}}`, `1: leaf:p1 a:x also ["a: y" "y"]`},
		{"nulls and nothing", "leaf.json", `{"lldp": {"interface": {"p1": {"chassis": {"name": {"value": " a "}}, "port": {"id": null, "descr": []}}}}}`, "1: leaf:p1 a:"},
		{"a topology that is cut", "f", "topology:\n  links:\n    - endpoints: [\n", "1:1 yaml: line 4: did not find expected node content"},
		{"ports of containers", "f", "topology:\n  nodes:\n    c: {kind: ceos}\n    v: {kind: arista_veos}\n    s: {kind: sonic-vs}\n    n: {kind: srl}\n    x: {kind: linux}\n  links:\n" +
			"    - endpoints: [\"c:eth1_2_3\", \"v:ma1\"]\n    - endpoints: [\"s:eth1\", \"n:e1-2-3\"]\n    - endpoints: [\"s:eth0\", \"x:eth1\"]\n    - endpoints: [\"s:eth1048576\", \"n:x\"]\n    - endpoints: [\"s:eth1048575\", \"x:y\"]\n    - endpoints: [\"c:1\"]\n    - endpoints: [\"c\", \"s:eth1\"]\n    - endpoints: [{node: c}, \"s:eth1\"]\n    - endpoints: [{node: c, interface: eth9}, \"s:\"]\n",
			"9: c:eth1_2_3 v:ma1\n10: s:eth1 n:e1-2-3 also [\"ethernet-1/2-3\"]\n11: s:eth0 x:eth1\n12: s:eth1048576 n:x\n13: s:eth1048575 x:y\n17: c:eth9 s:\n15:19 an end is written NODE:PORT, or with node and interface\n16:19 an end is written NODE:PORT, or with node and interface"},
	} {
		if got := tale(c.file, c.text); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	seen, _ := Read("f", []byte("topology:\n  nodes: {c: {kind: ceos}, s: {kind: sonic-vs}}\n  links:\n    - endpoints: [\"c:eth1_2_3\", \"s:eth1\"]\n    - endpoints: [\"s:eth1048575\", \"s:eth0\"]\n"))
	if got := fmt.Sprint(seen[0].A.Also, seen[0].B.Also, seen[1].A.Also, seen[1].B.Also); got != "[Ethernet1/2/3] [Ethernet0] [Ethernet4194296] []" {
		t.Errorf("ports are also called %s", got)
	}
}

// A topology has 4 MiB at most.
func TestLargestTopology(t *testing.T) {
	const text = "topology:\n  links:\n    - endpoints: [\"a:1\", \"b:2\"]\n#"
	for more, refused := range map[int]bool{0: false, 1: true} {
		got := tale("f", text+strings.Repeat("x", 4<<20-len(text)+more))
		if (got == "3: a:1 b:2") == refused || strings.HasPrefix(got, "1:1 the topology has 4194305 bytes; more than 4194304 are not read") != refused {
			t.Errorf("%d bytes more: %s", more, got)
		}
	}
}

// MACs have twelve digits, in whichever groups.
func TestIsMAC(t *testing.T) {
	for name, want := range map[string]bool{"00:11:22:aa:BB:9f": true, "0011.22aa.bb9f": true, "00-11-22-aa-bb-9f": true, "001122aabb9f": true, "00:11:22:aa:bb": false, "00:11:22:aa:bb:9f:0": false, "00:11:22:aa:bb:9g": false, "eth0": false, "/0/0/0/0/0/0/0/0/0/0/0/0": false, "GG1122aabb9f": false, "@01122aabb9f": false, "`01122aabb9f": false} {
		must.Equalf(t, isMAC(name), want, "%s:", name)
	}
	for names, want := range map[string]string{"a": "a", "b a": "a or b", "a10 a2 a1": "a1, a2 or a10", "d c b a": "a, b and 2 others", "e d c b a": "a, b and 3 others"} {
		must.Equalf(t, someOf(strings.Fields(names)), want, "%s:", names)
	}
}

// pair is two leaves with two cables to a spine, 30 m by the leaves and 19.5 m by the spine, and three
// ports for servers; spare is a port of the spine that has no cable.
func pair() *plan.Plan {
	ports := func(cable units.Length, names string) (all []plan.Port) {
		for _, name := range strings.Fields(names) {
			all = append(all, plan.Port{Name: name, Cable: cable, Speed: 400 * units.Gbps})
		}
		return all
	}
	end := func(text string) plan.LinkEnd {
		device, port, _ := strings.Cut(text, ":")
		return plan.LinkEnd{Switch: device, Port: port}
	}
	p := &plan.Plan{Switches: []*plan.Switch{
		{Names: []string{"leaf-1", "leaf-2"}, Ports: append(ports(30*units.Metre, "u1 u2"), ports(3*units.Metre, "h1 h2 h3")...)},
		{Names: []string{"spine-1"}, Ports: append(ports(19_500*units.Millimetre, "d1 d2 d3 d4"), ports(0, "spare")...)},
	}}
	for _, l := range []string{"leaf-1:u1 spine-1:d1", "leaf-1:u2 spine-1:d2", "leaf-2:u1 spine-1:d3", "leaf-2:u2 spine-1:d4", "leaf-1:h1 "} {
		a, b, _ := strings.Cut(l, " ")
		p.Links = append(p.Links, plan.Link{A: end(a), B: end(b)})
	}
	return p
}

// What is told of cables, one a line: A, B, metres, and Gb/s at A; and what follows from it.
func TestCheck(t *testing.T) {
	const right = "leaf-1:u1 spine-1:d1\nleaf-1:u2 spine-1:d2\nspine-1:d3 leaf-2:u1\nspine-1:d4 leaf-2:u2\n"
	const counts = "4 planned, 4 right, 0 unheard, %d servers, %d lengths\n"
	const servers = "leaf-1:h1 gpu-1:eth0\nleaf-1:h2 gpu-2:eth0\nleaf-1:h3 gpu-3:eth%d\nleaf-2:h1 gpu-1:eth1\nleaf-2:h2 gpu-2:eth1\nleaf-2:h3 gpu-3:eth%d\n"
	for _, c := range []struct{ name, seen, want string }{
		{"all right", right, fmt.Sprintf(counts, 0, 0)},
		{"whole metres of the shorter length", right + "leaf-1:u1 - 20\n", fmt.Sprintf(counts, 0, 1)},
		{"a metre more", right + "leaf-1:u1 - 21\n", fmt.Sprintf(counts, 0, 1) + "cabling-too-long: the cable at leaf-1:u1 is 21m long, but headroom is computed for 19.5m\n"},
		{"the longer of two lengths", right + "leaf-1:u1 - 21\nspine-1:d1 - 5\n", fmt.Sprintf(counts, 0, 1) + "cabling-too-long: the cable at leaf-1:u1 is 21m long, but headroom is computed for 19.5m\n"},
		{"a server's cable", right + "leaf-2:h1 gpu:eth0 3\nleaf-2:h2 gpu:eth1 4\n", fmt.Sprintf(counts, 2, 2) + "cabling-too-long: the cable at leaf-2:h2 is 4m long, but headroom is computed for 3m\n"},
		{"a port without a length", right + "spine-1:spare - 100\n", fmt.Sprintf(counts, 0, 1)},
		{"speeds of either end", right + "leaf-1:u1 - 0 400\nspine-1:d1 - 0 200\nleaf-1:u2 - 0 100\n", fmt.Sprintf(counts, 0, 0) + "cabling-wrong-speed: leaf-1:u2 runs at 100Gbps, but its buffer is computed for 400Gbps\ncabling-wrong-speed: spine-1:d1 runs at 200Gbps, but its buffer is computed for 400Gbps\n"},
		{"the first speed counts", right + "leaf-1:u1 - 0 400\nleaf-1:u1 - 0 100\n", fmt.Sprintf(counts, 0, 0)},
		{"no cable there", right + "leaf-1:h1 leaf-2:h1\n", fmt.Sprintf(counts, 0, 0) + "cabling-unplanned: leaf-1:h1 is connected to leaf-2:h1, and the fabric has no cable there\n"},
		{"a cable to a port without a length", right + "leaf-2:h2 spine-1:spare 4\n", fmt.Sprintf(counts, 0, 1) + "cabling-too-long: the cable at leaf-2:h2 is 4m long, but headroom is computed for 3m\ncabling-unplanned: leaf-2:h2 is connected to spine-1:spare, and the fabric has no cable there\n"},
		{"others' cables", right + "gpu-1:eth0 gpu-2:eth0\nleaf-1:mgmt0 leaf-2:mgmt0\n", fmt.Sprintf(counts, 0, 0) +
			"cabling-not-compared: the fabric has no device \"gpu-1\", and none of the devices that it is connected to; these cables were not checked\n"},
		{"two places of a port", right + "leaf-1:u1 spine-1:spare\n", fmt.Sprintf(counts, 0, 0) + "cabling-contradiction: leaf-1:u1 is connected to spine-1:spare here, but leaf-1:u1 to spine-1:d1 in another source\n"},
		{"a neighbour without a port", right + "leaf-1:u1 gpu-1:\n", fmt.Sprintf(counts, 0, 0) + "cabling-contradiction: leaf-1:u1 is connected to gpu-1 here, but leaf-1:u1 to spine-1:d1 in another source\n"},
		{"rails", right + fmt.Sprintf(servers, 0, 1), fmt.Sprintf(counts, 6, 0)},
		{"two rails exchanged, of two thirds", right + fmt.Sprintf(servers, 1, 0), fmt.Sprintf(counts, 6, 0) + "cabling-wrong-rail: eth0 of gpu-3 is connected to leaf-2:h3, the leaf of eth1; eth0 belongs to leaf-1\ncabling-wrong-rail: eth1 of gpu-3 is connected to leaf-1:h3, the leaf of eth0; eth1 belongs to leaf-2\n"},
		{"a port of no rail", right + fmt.Sprintf(servers, 2, 1), fmt.Sprintf(counts, 6, 0)},
		{"a half is no rail", right + "leaf-1:h1 gpu-1:eth0\nleaf-1:h2 gpu-2:eth1\nleaf-2:h1 gpu-1:eth1\nleaf-2:h2 gpu-2:eth1\n", fmt.Sprintf(counts, 4, 0)},
		{"MACs are no rail", right + "leaf-1:h1 gpu-1:00:11:22:33:44:55\nleaf-1:h2 gpu-2:eth0\nleaf-1:h3 gpu-3:eth0\nleaf-2:h1 gpu-1:eth1\nleaf-2:h2 gpu-2:eth1\n", fmt.Sprintf(counts, 5, 0)},
	} {
		var seen []Sighting
		for i, line := range strings.Split(strings.TrimSpace(c.seen), "\n") {
			s := Sighting{Heard: true, At: diag.Range{Filename: "f"}}
			s.At.Start.Line = i + 1
			var a, b string
			var metres, gbps int64
			fmt.Sscan(line, &a, &b, &metres, &gbps)
			s.Cable, s.Speed = units.Length(metres)*units.Metre, units.BitRate(gbps)*units.Gbps
			s.A.Device, s.A.Port, _ = strings.Cut(a, ":")
			if b != "-" {
				s.B.Device, s.B.Port, _ = strings.Cut(b, ":")
			}
			seen = append(seen, s)
		}
		r := Check(pair(), seen)
		got := fmt.Sprintf("%d planned, %d right, %d unheard, %d servers, %d lengths\n", r.Planned, r.Right, r.Unheard, r.Servers, r.Lengths)
		var lines []string
		for _, d := range r.Found {
			lines = append(lines, fmt.Sprintf("%s: %s\n", d.Code, d.Message))
		}
		if got += strings.Join(lines, ""); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
}

// Neighbours that a device lists are heard, with what they say that they are; what inventories and
// transceivers tell is not.
func TestWhoIsHeard(t *testing.T) {
	for text, want := range map[string]string{
		`{"LLDP_ENTRY_TABLE:p": {"lldp_rem_sys_name": "a", "lldp_rem_port_id": "1", "lldp_rem_sys_desc": "SONiC"}}`:                                           "true SONiC",
		`{"TRANSCEIVER_INFO|p": {"cable_type": "Length Cable Assembly(m)", "cable_length": "2"}}`:                                                             "false ",
		`{"lldp": {"interface": {"p": {"chassis": {"a": {"descr": "Linux"}}, "port": {"id": "1"}}}}}`:                                                         "true Linux",
		`{"lldpNeighbors": {"p": {"lldpNeighborInfo": [{"systemName": "a", "systemDescription": "EOS", "neighborInterfaceInfo": {"interfaceId_v2": "1"}}]}}}`: "true EOS",
		`{"lldpNeighbors": [{"port": "p", "neighborDevice": "a", "neighborPort": "1"}]}`:                                                                      "true ",
		"LocalPort  RemoteDevice\n---------  ------------\np          a\n":                                                                                    "true ",
		"switch,port,far\nx,p,a:1\n": "false ",
		`{"termination_a": {"device": {"name": "x"}, "name": "p"}, "termination_b": {}}`: "false ",
		"graph { x:p -- a:1 }": "false ",
	} {
		seen, found := Read("x.json", []byte(text))
		if len(seen) != 1 || len(found) > 0 || seen[0].A.Device != "x" || seen[0].A.Port != "p" || fmt.Sprint(seen[0].Heard, " ", seen[0].System) != want {
			t.Errorf("%s: %+v, %v, want %s", text, seen, found, want)
		}
	}
}

// Ports of others make no link; of a device the first of two spellings counts, and its own name.
func TestBooks(t *testing.T) {
	b := NewBook()
	b.Add([]string{"a.x", "a.y", "a"}, []plan.Port{{Name: "1"}})
	for name, want := range map[string]string{"a.x": "a.x", "A.Y": "a.y", "a": "a", "a.z": "a", "b": ""} {
		if got, ok := b.Device(name); got != want || ok != (want != "") {
			t.Errorf("%s is %q, %t", name, got, ok)
		}
	}
	for _, end := range []End{{Device: "b", Port: "1"}, {Device: "a", Port: "2"}} {
		if links, found := b.Links([]Sighting{{A: end, Cable: units.Metre}, {A: end, B: end}}); len(links) > 0 || len(found) > 0 {
			t.Errorf("%v: %v, %v", end, links, found)
		}
	}
	// Two ends of one cable, told from both and in either order.
	links, _ := b.Links([]Sighting{{A: End{Device: "a.y", Port: "1"}, B: End{Device: "a", Port: "1"}, System: "s"}, {A: End{Device: "a", Port: "1"}, B: End{Device: "a.y", Port: "1"}, Medium: "dac", System: "t", Speed: units.Gbps}})
	if len(links) != 1 || links[0].A.Switch != "a" || links[0].B.Switch != "a.y" || !links[0].Inside || links[0].System != "s" || links[0].Medium != "dac" || links[0].Speed != units.Gbps || links[0].FarSpeed != 0 {
		t.Errorf("%+v", links)
	}
}

// A fabric that says nothing of its cables has none that is not planned, and says that it compared nothing.
func TestNoCablesPlanned(t *testing.T) {
	p := pair()
	p.Links = nil
	r := Check(p, []Sighting{{A: End{Device: "leaf-1", Port: "u1"}, B: End{Device: "spine-1", Port: "d1"}, Heard: true}})
	if len(r.Found) != 1 || r.Found[0].Code != NotCompared || r.Found.HasErrors() || r.Planned != 0 || r.Servers != 0 {
		t.Errorf("%+v", r)
	}
}

// Neighbours of a device that the fabric does not have, and that none of its switches is, are compared
// with nothing; a stranger that a switch of the fabric is connected to is one of its neighbours.
func TestStrangers(t *testing.T) {
	seen := []Sighting{
		{A: End{Device: "other", Port: "u1"}, B: End{Device: "elsewhere", Port: "d1"}, Heard: true},
		{A: End{Device: "other", Port: "u2"}, B: End{Device: "elsewhere", Port: "d2"}, Heard: true},
	}
	told := func(r *Report) (n int) {
		for _, d := range r.Found {
			if d.Code == NotCompared {
				n++
			}
		}
		return n
	}
	if r := Check(pair(), seen); told(r) != 1 {
		t.Errorf("%+v", r)
	}
	seen[1].B.Device = "leaf-1"
	if r := Check(pair(), seen); told(r) != 0 {
		t.Errorf("%+v", r)
	}
}
