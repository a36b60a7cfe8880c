package typist

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

const (
	attribute = `^( +)([a-z_]{3,})( += )`
	topBlock  = `^()(fabric|traffic_class|nic|switch|clos|locals|server|marking|pfc_watchdog)( )`
	inBlock   = `^( +)(port_group|targets|incast|rule)( )`
	quoted    = `^( +[a-z_]+ += ")([^"\n$]+)(".*)$`
)

// typing returns slips of fingers, and words from other languages.
func typing() []slip {
	in := func(kind, at string, edit func(*rand.Rand, string) string) slip {
		return word("typing", kind, at, edit)
	}
	whole := func(kind, at string, edit func(r *rand.Rand, m []string) string) slip {
		return slip{"typing", kind, regexp.MustCompile("(?m)" + at), edit}
	}
	return []slip{
		in("attribute", attribute, misspell),
		in("attribute", attribute, misspell),
		in("attribute in other letters", attribute, cased),
		in("attribute in the plural", `^( +)(cable|speed|peer|ports|queue|weight|chip|lower_ports|links_per_pair|switches|gpus|queue_pairs)( += )`, plural),
		in("attribute joined otherwise", `^( +)([a-z]+_[a-z_]+)( += )`, joined),
		in("attribute by another name", attribute, called(map[string][]string{
			"cable": {"length", "cable_length"}, "speed": {"rate", "bandwidth", "link_speed"}, "ports": {"interfaces", "port_range"},
			"medium": {"media", "cable_type"}, "peer": {"neighbor", "neighbour", "remote"}, "model": {"type", "card"}, "pfc": {"priority", "pfc_priority"},
			"weight": {"dwrr_weight", "share"}, "dscp": {"code_points", "dscps"}, "queue": {"queue_id", "tc"}, "chip": {"asic", "silicon"}, "os": {"nos", "system"},
			"links_per_pair": {"links", "links_per_spine"}, "lower": {"leaf", "bottom"}, "upper": {"spine", "top"}, "max_rate": {"rate_limit", "shaper"},
			"congestion_control": {"cc", "congestion"}, "scheduling": {"scheduler", "sched"}, "roce_mtu": {"mtu_roce", "payload"},
		})),
		in("block", topBlock, misspell),
		in("nested block", inBlock, misspell),
		in("block in the plural", topBlock, plural),
		in("block in other letters", topBlock, cased),
		in("block joined otherwise", `^( *)(port_group|traffic_class|pfc_watchdog)( )`, joined),
		in("block by another name", `^( *)(port_group|traffic_class|switch|nic|clos)( )`, called(map[string][]string{
			"port_group": {"ports", "group", "interface"}, "traffic_class": {"class", "priority_class"}, "switch": {"device", "node"}, "nic": {"card", "adapter"}, "clos": {"topology", "wiring"},
		})),
		in("quote at the end", `^(.* = "[^"\n]*)(")()$`, without),
		in("quote at the beginning", `^( +[a-z_]+ += )(")(.*)$`, without),
		whole("other quotes", `^( +[a-z_]+ += )"([^"\n]+)"`, func(r *rand.Rand, m []string) string {
			pair := []string{"''", "“”", "``"}[r.IntN(3)]
			marks := []rune(pair)
			return m[1] + string(marks[0]) + m[2] + string(marks[1])
		}),
		whole("brace", `^ *\}\n`, func(*rand.Rand, []string) string { return "" }),
		whole("brace too many", `^ *\}\n`, func(_ *rand.Rand, m []string) string { return m[0] + m[0] }),
		in("opening brace", `^(.*[a-z"] )(\{)()$`, without),
		in("brace in the next line", `^([a-z_]+ "[^"\n]+")( \{)()$`, instead("\n{")),
		in("bracket at the end", `^(.* = \[[0-9, ]*)(\])(.*)$`, without),
		in("bracket at the beginning", `^( +[a-z_]+ += )(\[)(.*)$`, without),
		in("parenthesis", `^( +dscp += )(\[[0-9, ]+\])(.*)$`, func(_ *rand.Rand, w string) string { return "(" + strings.Trim(w, "[]") + ")" }),
		in("no list", `^( +dscp += )(\[[0-9]+\])(.*)$`, func(r *rand.Rand, w string) string {
			return []string{`"` + strings.Trim(w, "[]") + `"`, "{" + strings.Trim(w, "[]") + "}"}[r.IntN(2)]
		}),
		in("equals", `^( +[a-z_]+ +)(= )(.*)$`, without),
		in("another sign for equals", `^( +[a-z_]+ *)(=)( .*)$`, instead(":", "==", ":=", "=>", "->")),
		in("sign at the end", `^( +[a-z_]+ += [^#\n]*[^# \n])()()$`, instead(",", ";")),
		in("value forgotten", `^( +[a-z_]+ +=)( [^{\n]+)()$`, without),
		whole("two lines in one", `^( +[a-z_]+ += [^#{\n]+)\n +([a-z_]+ += [^#{\n]+)$`, func(_ *rand.Rand, m []string) string { return m[1] + " " + m[2] }),
		in("reference", `^(.*(?:nic|switch|local|var)\.)([a-z0-9_-]{3,})()$`, misspell),
		in("root of a reference", `^( +(?:peer|lower|upper) += )(nic|switch)(\..*)$`, func(r *rand.Rand, w string) string {
			return []string{misspell(r, w), plural(r, w), cased(r, w)}[r.IntN(3)]
		}),
		in("dot of a reference", `^( +(?:peer|lower|upper) += (?:nic|switch))(\.)(.*)$`, instead("-", "_", ":", "/", " ")),
		in("word of a list", `^( +(?:os|medium|scheduling|purpose|congestion_control|load_balancing|action) += *"?)([a-z]{3,})("?.*)$`, misspell),
		in("word in other letters", `^( +(?:os|medium|scheduling|purpose|congestion_control|load_balancing|action) += *"?)([a-z]{3,})("?.*)$`, cased),
		in("word by another name", `^( +(?:os|medium|scheduling|purpose|congestion_control|action) += *"?)([a-z]{3,})("?.*)$`, called(map[string][]string{
			"fiber": {"fibre", "optic", "smf"}, "dac": {"twinax", "passive"}, "strict": {"sp", "priority"}, "training": {"ai", "train"}, "storage": {"nvme", "nfs"}, "cumulus": {"cumulus-linux", "nvue"},
			"junos": {"juniper", "junos-evo"}, "eos": {"arista"}, "srlinux": {"nokia", "sr-linux"}, "sonic": {"sonic-os", "community-sonic"}, "dcqcn": {"ecn", "qcn"}, "drop": {"discard"}, "forward": {"pass"},
		})),
		whole("line twice", `^ +[a-z_]+ += .*\n`, func(_ *rand.Rand, m []string) string { return m[0] + m[0] }),
		whole("line twice, in two ways", `^( +[a-z_]+ += "?)([0-9]+)(.*\n)`, func(r *rand.Rand, m []string) string { return m[0] + m[1] + digits(r, m[2]) + m[3] }),
		whole("block twice", `^(?:traffic_class|nic|switch) "[^\n]*\{\n(?:[ #].*\n|\n)*\}\n`, func(_ *rand.Rand, m []string) string { return m[0] + "\n" + m[0] }),
		whole("nested block twice", `^  port_group "[^\n]*\{\n(?:    .*\n)*  \}\n`, func(_ *rand.Rand, m []string) string { return m[0] + m[0] }),
		whole("line in the next block", `^(  (?:dscp|queue|pfc|weight|model|roce_mtu|chip|os|max_rate) += .*\n)((?:.*\n)*?)([a-z_]+ "[^"\n]+" \{\n)`, func(_ *rand.Rand, m []string) string { return m[2] + m[3] + m[1] }),
		whole("line outside of its group", `^(  port_group "[^"\n]+" \{\n)(    (?:ports|speed|breakout) .*\n)`, func(_ *rand.Rand, m []string) string { return m[2][2:] + m[1] }),
		whole("line forgotten", `^ +(?:dscp|queue|weight|model|chip|os|ports|lower|upper|lower_ports|upper_ports|max_rate) += .*\n`, func(*rand.Rand, []string) string { return "" }),
		in("label", `^(nic |switch |traffic_class |  port_group )("[^"\n]+")( .*)$`, without),
		in("label without quotes", `^((?:nic|switch|traffic_class) )("[^"\n]*[\[][^"\n]*")( .*)$`, func(_ *rand.Rand, w string) string { return strings.Trim(w, `"`) }),
		in("label with equals", `^(nic|switch|traffic_class)( )("[^"\n]+" \{)$`, instead(" = ")),
		in("number as a word", `^( +(?:queue|pfc|weight|links_per_pair|gpus|nics) += )([0-9]+)()$`, instead("three", `"many"`, "O", "l2")),
		in("yes", `^( +(?:routed|direct_placement) += )(true)()$`, instead("yes", `"on"`, "ture", "enabled", "1")),
		in("range", `^(.*"[^"\n]*\[[0-9]+)(\.\.)([0-9]+.*)$`, instead("-", ":", ".", "...", " to ", ",.")),
		in("range in other brackets", `^(.*"[^"\n]*)(\[[0-9]+\.\.[0-9/]+\])(.*)$`, func(r *rand.Rand, w string) string {
			w = strings.Trim(w, "[]")
			return []string{"(" + w + ")", "{" + w + "}", w, "[" + w}[r.IntN(4)]
		}),
		whole("range backwards", `^(.*"[^"\n]*\[)([0-9]+)\.\.([0-9]+)(.*)$`, func(_ *rand.Rand, m []string) string { return m[1] + m[3] + ".." + m[2] + m[4] }),
		in("peer in quotes", `^( +peer +=  *)(?:nic|switch)\.([a-z0-9-]+)()$`, func(_ *rand.Rand, w string) string { return `"` + w + `"` }),
		in("peer without its kind", `^( +peer +=  *)(?:nic|switch)\.([a-z]+)()$`, func(_ *rand.Rand, w string) string { return w }),
		in("all other code points", `^( +dscp +=  *)("?rest"?)(.*)$`, instead(`"*"`, "default", "any", `"others"`, "all", "else")),
	}
}

// inUnits returns slips in quantities.
func inUnits() []slip {
	in := func(kind, at string, edit func(*rand.Rand, string) string) slip { return word("units", kind, at, edit) }
	const rate = `^( +(?:speed|max_rate|nvlink|uplink) += *"[0-9.]+)`
	return []slip{
		in("left out", `^(.* = "[0-9.]+)(m|us|ms|B|MB|Gbps|Mbps|%)(".*)$`, without),
		in("left out, without quotes", `^(  .* = )("[0-9.]+(?:m|us|ms|B|MB|Gbps|Mbps)")(.*)$`, func(_ *rand.Rand, w string) string { return strings.Trim(w, `"muskMBGbp`) }),
		in("without quotes", `^(  .* = )("[0-9.]+(?:m|us|ms|B|MB|Gbps|Mbps|%)")(.*)$`, func(_ *rand.Rand, w string) string { return strings.Trim(w, `"`) }),
		in("a letter too many", `^(.* = "[0-9.]+)(m|us|B|Gbps|Mbps)(".*)$`, func(r *rand.Rand, w string) string { return w + []string{"x", "s.", "'", w[len(w)-1:]}[r.IntN(4)] }),
		in("rate as of Ethernet", rate+`(Gbps)(".*)$`, instead("GbE", "GE", "Gb", "Gig", "GBASE", "Gbit", "Gbit/s", "gig", "gbps", "Gps")),
		in("rate in bytes", rate+`(bps|Gbps|Mbps)(".*)$`, called(map[string][]string{"Gbps": {"GB", "GB/s", "GBps"}, "Mbps": {"MB", "MB/s", "MBps"}})),
		in("rate a thousand times", rate+`(Gbps)(".*)$`, instead("Mbps", "Tbps", "kbps", "bps")),
		in("bytes in bits", `^( +(?:mtu|roce_mtu|lossless_frame|lossy_pool) += *"[0-9.]+)(B|MB|kB)(".*)$`, called(map[string][]string{"B": {"b", "bits", "bytes", "byte"}, "MB": {"Mb", "mb", "M"}, "kB": {"kb", "Kb", "k"}})),
		in("bytes a thousand times", `^( +(?:mtu|roce_mtu|lossless_frame|lossy_pool) += *"[0-9.]+)(B|MB|kB)(".*)$`, called(map[string][]string{"B": {"kB", "KB", "kb", "KiB", "MB"}, "MB": {"B", "GB", "kB", "TB"}, "kB": {"MB", "B"}})),
		in("bytes as one says them", `^( +(?:mtu|roce_mtu|lossless_frame) += *")([0-9]{4})B(".*)$`, func(r *rand.Rand, w string) string {
			return []string{w[:1] + "k", w[:1] + "K", w[:1] + "." + w[1:2] + "k", w[:1] + "," + w[1:] + "B"}[r.IntN(4)]
		}),
		in("time a thousand times", `^( +(?:detection|restoration|poll|expected_delay|tolerable_delay|max_latency|usual_latency) += *"[0-9.]+)(us|ms)(".*)$`, called(map[string][]string{"us": {"ms", "s", "ns"}, "ms": {"us", "s", "ns"}})),
		in("time", `^( +(?:detection|restoration|poll|expected_delay|tolerable_delay|max_latency|pause_response) += *"[0-9.]+)(us|ms|ns)(".*)$`, func(r *rand.Rand, w string) string {
			return []string{w + "ec", strings.ToUpper(w), w[:1] + "sec", w[:1], "sec", "micros"}[r.IntN(6)]
		}),
		in("length", `^( +(?:cable|servers_cable|spine_cable|default) += *"[0-9.]+)(m)(".*)$`, instead("M", "meter", "metres", "ft", "'", "mtr", "feet", "yd", "inch")),
		in("length a thousand times", `^( +(?:cable|servers_cable|spine_cable|default) += *"[0-9.]+)(m)(".*)$`, instead("km")),
		in("length without a number", `^( +cable +=  *")([0-9]+m)(".*)$`, instead("m", "-3m", "m3", "short", "three m")),
		in("share as a fraction", `^( +(?:throughput|headroom_margin) +=  *")([0-9]+)%(".*)$`, func(r *rand.Rand, w string) string {
			n, _ := strconv.Atoi(w)
			return []string{strconv.FormatFloat(float64(n)/100, 'g', -1, 64), w + " percent", w + "pct"}[r.IntN(3)]
		}),
		in("share above all", `^( +throughput +=  *")([0-9]+%)(".*)$`, instead("195%", "950%", "-5%")),
		in("share for a number", `^( +weight +=  *)([0-9]+)()$`, func(_ *rand.Rand, w string) string { return `"` + w + `%"` }),
		in("fraction for a number", `^( +weight +=  *)([0-9]+)()$`, func(_ *rand.Rand, w string) string { return "0." + w }),
		in("comma for a point", `^( +[a-z_]+ +=  *"[0-9])()([0-9]*(?:m|us|ms|B|MB|Gbps|Mbps)".*)$`, instead(",")),
		in("space for a quantity", `^( +breakout += *"[0-9]x[0-9]+)(G)(".*)$`, instead("", "GB", "Gb", "GbE", "M")),
	}
}

// boards returns settings that do not fit the box or the chip.
func boards() []slip {
	in := func(kind, at string, edit func(*rand.Rand, string) string) slip {
		return word("boards", kind, at, edit)
	}
	whole := func(kind, at string, edit func(r *rand.Rand, m []string) string) slip {
		return slip{"boards", kind, regexp.MustCompile("(?m)" + at), edit}
	}
	return []slip{
		in("chip", `^( +chip +=  *")([a-z0-9-]{6,})(".*)$`, letters),
		in("chip with its vendor", `^( +chip +=  *")([a-z0-9-]+)(".*)$`, func(r *rand.Rand, w string) string {
			return []string{"broadcom-", "bcm-", "nvidia-", "mellanox-", "Broadcom ", "brcm_"}[r.IntN(6)] + w
		}),
		in("chip as one says it", `^( +chip +=  *")([a-z]+-?)([0-9].*)$`, func(r *rand.Rand, w string) string {
			w = strings.TrimSuffix(w, "-")
			short := w[:1] + "h"
			if w == "tomahawk" {
				short = "tmh" // th5 is a name of tomahawk5, and no mistake
			}
			return []string{w + ".", w + "x", short, w + "s"}[r.IntN(4)]
		}),
		in("chip of another generation", `^( +chip +=  *"[a-z]+-?)([0-9])(".*)$`, instead("7", "8", "9", "11")),
		in("another chip", `^( +chip +=  *")([a-z0-9-]+)(".*\n(?: +os .*\n)? +platform)`, instead("tomahawk", "trident3", "spectrum2", "jericho2")),
		in("chip without its number", `^( +chip +=  *"[a-z]+)(-?[0-9].*)(".*)$`, without),
		in("platform", `^( +platform +=  *")([A-Za-z0-9_-]{6,})(".*)$`, func(r *rand.Rand, w string) string {
			return []string{misspell(r, w), digits(r, w), strings.TrimSuffix(w, "-r0"), strings.TrimPrefix(w, "x86_64-")}[r.IntN(4)]
		}),
		in("hwsku", `^( +hwsku +=  *")([A-Za-z0-9_-]{6,})(".*)$`, func(r *rand.Rand, w string) string {
			return []string{misspell(r, w), digits(r, w), strings.ToLower(w), w + "-C64"}[r.IntN(4)]
		}),
		in("hwsku of another box", `^( +hwsku +=  *")([A-Za-z0-9_-]+)(".*)$`, instead("ACS-MSN2700", "Arista-7060CX-32S-C32", "DellEMC-Z9332f-O32", "Mellanox-SN5600-C224O8", "Accton-AS9716-32D")),
		in("platform of another box", `^( +platform +=  *")(x86_64-[A-Za-z0-9_-]+)(".*)$`, instead("x86_64-mlnx_msn2700-r0", "x86_64-arista_7060_cx32s", "x86_64-dellemc_z9332f_d1508-r0", "x86_64-nvidia_sn5600-r0")),
		in("hwsku with the platform's name", `^( +hwsku +=  *")([A-Za-z0-9_-]+)(".*)$`, instead("x86_64-arista_7060x6_64pe", "x86_64-nvidia_sn5600-r0")),
		in("another system", `^( +os += *"?)([a-z]+)("?.*)$`, instead("nxos", "ios-xr", "os10", "dnos")),
		in("speed that no port has", `^( +speed +=  *")([0-9]+Gbps)(".*)$`, instead("30Gbps", "77Gbps", "4Gbps", "300Gbps", "500Gbps", "0Gbps", "50000Gbps")),
		in("speed of another generation", `^( +speed +=  *")([0-9]+Gbps)(".*)$`, instead("1600Gbps", "3200Gbps", "1Gbps")),
		whole("digit of a speed", `^( +speed +=  *")([0-9]+)(Gbps".*)$`, func(r *rand.Rand, m []string) string {
			return m[1] + []string{m[2] + "0", strings.TrimSuffix(m[2], "0"), digits(r, m[2])}[r.IntN(3)] + m[3]
		}),
		in("breakout without a unit", `^( +breakout +=  *)("[0-9]x[0-9]+G")(.*)$`, func(r *rand.Rand, w string) string {
			return []string{strings.TrimSuffix(w, `G"`) + `"`, strings.Trim(w, `"G`), strings.Trim(w, `"`)}[r.IntN(3)]
		}),
		in("breakout in other signs", `^( +breakout +=  *"[0-9])(x)(.*)$`, instead("*", "×", "X", " x ", "-", "by")),
		whole("breakout backwards", `^( +breakout +=  *")([0-9])x([0-9]+G)(.*)$`, func(_ *rand.Rand, m []string) string { return m[1] + m[3] + "x" + m[2] + m[4] }),
		in("breakout into too many", `^( +breakout +=  *")([0-9])(x.*)$`, instead("3", "16", "5", "0")),
		in("breakout that the cage has not", `^( +breakout +=  *")([0-9]x[0-9]+G)(".*)$`, instead("8x400G", "2x800G", "4x400G", "4x10G", "1x1600G")),
		in("breakout of a whole port", `^(    speed +=  *"(?:400|800|100)Gbps".*\n)()((?:    cable|    medium|    peer))`, instead("    breakout = \"2x400\"\n", "    breakout = 2x400G\n", "    breakout = \"16x10G\"\n")),
		in("more ports than the box has", `^( +ports +=  *"[^"\n]*[0-9]+\.\.)([0-9]+)([\]/].*)$`, func(r *rand.Rand, w string) string {
			n, _ := strconv.Atoi(w)
			return strconv.Itoa(n*[]int{4, 10, 8}[r.IntN(3)] + 600)
		}),
		in("ports of another group", `^( +ports +=  *"[A-Za-z-]+(?:0/0/)?(?:1/)?\[)([1-9][0-9]+)(\.\..*)$`, instead("0", "1", "4")),
		in("another step of ports", `^( +ports +=  *"[^"\n]*\.\.[0-9]+/)([248])(\].*)$`, instead("1", "3", "5")),
		in("ports from one on", `^( +ports +=  *"Ethernet\[)(0)(\.\.[0-9]+/[48]\].*)$`, instead("1", "2")),
		in("names of ports", `^( +ports +=  *")(Ethernet|swp|et-0/0/|ethernet-1/)(.*)$`, func(r *rand.Rand, w string) string {
			names := []string{"eth", "swp", "Eth", "ethernet", "xe-0/0/", "Ethrnet", "Hu"}
			if w == "swp" {
				names = []string{"Ethernet", "sw", "spw", "eth"}
			}
			return names[r.IntN(len(names))]
		}),
		// Groups of one speed may have each other's ports.
		whole("layout reversed", `^(    ports +=  *"[^"\n]+")(\n(?:.*\n)*?)(    ports +=  *"[^"\n]+")(\n    speed .*)?$`, func(_ *rand.Rand, m []string) string {
			if m[4] != "" && strings.Contains(m[2], m[4]) {
				return m[0]
			}
			return m[3] + m[2] + m[1] + m[4]
		}),
		whole("speeds of two groups exchanged", `^(    speed +=  *"[^"\n]+")(\n(?:.*\n)*?)(    speed +=  *"[^"\n]+")`, func(_ *rand.Rand, m []string) string { return m[3] + m[2] + m[1] }),
		in("lanes", `^(    speed +=  *"[0-9]+Gbps".*\n)()()`, instead("    lanes = 0\n", "    lanes = 32\n")),
	}
}

// wiring returns settings that do not fit the other end.
func wiring() []slip {
	in := func(kind, at string, edit func(*rand.Rand, string) string) slip {
		return word("wiring", kind, at, edit)
	}
	whole := func(kind, at string, edit func(r *rand.Rand, m []string) string) slip {
		return slip{"wiring", kind, regexp.MustCompile("(?m)" + at), edit}
	}
	more := func(r *rand.Rand, w string) string {
		n, _ := strconv.Atoi(w)
		return strconv.Itoa(n + 1 + r.IntN(6))
	}
	return []slip{
		in("peer that is not there", `^( +peer += )((?:nic|switch)\.[a-z0-9-]+)()$`, instead("switch.core", "switch.superspine", "nic.h100", "nic.host", "switch.leafs", "switch.server")),
		in("peer of another kind", `^( +peer += )((?:nic|switch)\.[a-z0-9-]+)()$`, func(_ *rand.Rand, w string) string {
			if name, ok := strings.CutPrefix(w, "nic."); ok {
				return "switch." + name
			}
			return "nic." + strings.TrimPrefix(w, "switch.")
		}),
		whole("peers exchanged", `^(    peer +=  *switch\.[a-z]+)(\n(?:.*\n)*?)(    peer +=  *switch\.[a-z]+)`, func(_ *rand.Rand, m []string) string { return m[3] + m[2] + m[1] }),
		in("links", `^( +links_per_pair +=  *)([0-9]+)(.*)$`, instead("0", "33", "100", "-1")),
		in("links that do not divide", `^( +links_per_pair +=  *)([0-9]+)(.*)$`, more),
		in("links that are too few", `^( +links_per_pair +=  *)([2-9]|[0-9]{2})(.*)$`, func(r *rand.Rand, w string) string {
			n, _ := strconv.Atoi(w)
			return strconv.Itoa(n - 1)
		}),
		in("wired group", `^( +(?:lower|upper)_ports +=  *")([a-z]+)(".*)$`, misspell),
		in("another wired group", `^( +(?:lower|upper)_ports +=  *")([a-z]+)(".*)$`, instead("servers", "downlinks", "uplink", "gpus")),
		whole("wired groups exchanged", `^( +lower_ports +=  *)("[a-z]+")(\n +upper_ports +=  *)("[a-z]+")`, func(_ *rand.Rand, m []string) string { return m[1] + m[4] + m[3] + m[2] }),
		whole("lower and upper exchanged", `^( +lower +=  *)(switch\.[a-z]+)(\n +upper +=  *)(switch\.[a-z]+)`, func(_ *rand.Rand, m []string) string { return m[1] + m[4] + m[3] + m[2] }),
		in("lower as upper", `^( +(?:lower|upper) += )(switch\.[a-z]+)()$`, func(_ *rand.Rand, w string) string {
			if w == "switch.leaf" || w == "switch.tor" {
				return "switch.spine"
			}
			return "switch.leaf"
		}),
		in("more switches", `^(switch "[a-z]+-\[0?[0-9]\.\.)([0-9]+)(\]".*)$`, func(r *rand.Rand, w string) string {
			n, _ := strconv.Atoi(w)
			return pad(n+1+r.IntN(4), len(w))
		}),
		// Fewer ports of servers are right: fewer servers.
		in("ports that are not wired", `^(    ports +=  *"[^"\n]*\[[0-9]+\.\.)([0-9]+)([\]/].*\n(?:.*\n){0,4}?    peer +=  *switch.*)$`, func(r *rand.Rand, w string) string {
			n, _ := strconv.Atoi(w)
			return strconv.Itoa(max(0, n-8*(1+r.IntN(3))))
		}),
		whole("one side's speed", `^(    speed +=  *")([0-9]+Gbps)("\n(?:.*\n){0,3}?    peer +=  *switch)`, func(r *rand.Rand, m []string) string {
			return m[1] + []string{"100Gbps", "200Gbps", "400Gbps", "800Gbps"}[r.IntN(4)] + m[3]
		}),
		whole("one side's cable", `^(    cable +=  *")([0-9]+)(m"\n(?:.*\n){0,3}?    peer +=  *switch)`, func(r *rand.Rand, m []string) string {
			n, _ := strconv.Atoi(m[2])
			return m[1] + strconv.Itoa([]int{n + 100, 2 * n, n / 2, n + 5}[r.IntN(4)]) + m[3]
		}),
		in("servers' switches", `^(  switches += ")([a-z]+)(-.*)$`, instead("gpu", "laef", "spines", "rack")),
		in("servers' NICs", `^(  (?:nics|gpus|rails) += )([0-9]+)()$`, instead("0", "300", "7")),
		in("incast of more ports than there are", `^(    (?:from|to) += )([0-9]+)()$`, instead("0", "70000", "100000")),
		// One link per pair is the default: without that line the fabric is the same.
		whole("clos without links", `^  (?:links_per_pair += (?:[2-9]|[0-9]{2})|lower += |upper += |lower_ports +=|upper_ports +=).*\n`, func(*rand.Rand, []string) string { return "" }),
		whole("group twice", `^(  port_group ")([a-z]+)(" \{\n(?:.*\n)*?  port_group ")([a-z]+)(" \{)$`, func(_ *rand.Rand, m []string) string { return m[1] + m[2] + m[3] + m[2] + m[5] }),
	}
}

// pad writes a number with leading zeros.
func pad(n, width int) string {
	text := strconv.Itoa(n)
	return strings.Repeat("0", max(0, width-len(text))) + text
}

// physics returns settings that buffers, cables, cards and frames do not allow.
func physics() []slip {
	in := func(kind, at string, edit func(*rand.Rand, string) string) slip {
		return word("physics", kind, at, edit)
	}
	const (
		lossless = `^(  pfc +=.*\n)()()`
		ports    = `^(    ports +=.*\n)()()`
		fabric   = `^(fabric "[^"\n]+" \{\n)()()`
	)
	curve := func(kmin, kmax, pmax string) string {
		return "\n  ecn {\n    kmin = \"" + kmin + "\"\n    kmax = \"" + kmax + "\"\n    pmax = \"" + pmax + "\"\n  }\n"
	}
	return []slip{
		in("copper too long", `^( +(?:cable|servers_cable|default) +=  *")([1-5]m)("\n +(?:medium += (?:dac|copper)|description).*)$`, instead("2km", "40m", "100m", "30m")),
		in("cable too long", `^( +(?:cable|servers_cable|spine_cable|default) +=  *")([1-9][0-9]*m)(".*)$`, instead("40km", "200km", "30km", "3000km", "900m")),
		in("copper for fibre", `^(    cable +=  *"[1-9][0-9]+m"\n +medium +=  *)(fiber|aoc)()$`, instead("dac", "copper")),
		in("frame above mtu", `^( +lossless_frame +=  *")([0-9]+)(B".*)$`, instead("92160", "12000", "9300")),
		in("mtu", `^(  mtu +=  *")([0-9]+)(B".*)$`, instead("100", "92160", "64", "10240")),
		in("mtu below the frame", `^(  mtu +=  *")(9216)(B".*)$`, instead("1000", "600", "900")),
		in("roce_mtu above mtu", `^(  roce_mtu +=  *")([0-9]+)(B".*)$`, instead("9216", "8192", "16384")),
		in("roce_mtu that is none", `^(  roce_mtu +=  *")([0-9]+)(B".*)$`, instead("4000", "1500", "4069", "9000", "0")),
		in("code point", `^( +dscp +=  *\[)([0-9]+)(\].*)$`, instead("260", "64", "-1")),
		in("code point twice", `^( +dscp +=  *\[)(26|46)(\].*)$`, instead("48")),
		in("code point twice in one list", `^( +dscp +=  *\[)([0-9]+)(\].*)$`, func(_ *rand.Rand, w string) string { return w + ", " + w }),
		in("code point of another class too", `^( +dscp +=  *\[)(26|46)(\].*)$`, instead("26, 48", "48, 26")),
		in("queue", `^( +(?:queue|pfc) +=  *)([0-7])(.*)$`, instead("8", "30", "-1", "7.5")),
		in("queue twice", `^( +queue +=  *)(3|5)(.*)$`, instead("6")),
		in("priority twice", `^(traffic_class "rest" \{\n)()()`, instead("  pfc = 3\n")),
		in("weight", `^( +weight +=  *)([0-9]+)(.*)$`, instead("0", "800", "101", "-5")),
		in("weight of a strict class", `^(  scheduling += "?strict"?.*\n)()()`, instead("  weight = 10\n")),
		in("cap above all", `^(  max_rate +=  *")([0-9.]+[GM]bps)(".*)$`, instead("0Gbps", "0Mbps", "900Tbps")),
		in("code point of CNPs", `^(  cnp_dscp += )([0-9]+)()$`, instead("64", "-1", "26", "100")),
		in("priority of CNPs", `^(  cnp_pfc += )([0-9]+)()$`, instead("8", "9", "-1")),
		in("model", `^( +model +=  *")([a-z0-9-]{4,})(".*)$`, letters),
		in("model as one says it", `^( +model +=  *")([a-z]+)(-?[0-9].*)$`, func(r *rand.Rand, w string) string {
			return []string{"mellanox-" + w, "nvidia " + w, w + " ", w + "x", "mcx"}[r.IntN(5)]
		}),
		in("model that is not there", `^( +model +=  *"[a-z]+-?)([0-9]+)(".*)$`, instead("99", "17", "12")),
		{"physics", "model forgotten", regexp.MustCompile(`(?m)^  model += .*\n`), func(*rand.Rand, []string) string { return "" }},
		in("card slower than its port", `^( +model +=  *")(connectx-[78]|bluefield-3|thor-ultra|pollara-400|thor2)(".*)$`, instead("connectx-4", "connectx-5", "connectx-4")),
		in("marking backwards", lossless, func(r *rand.Rand, _ string) string {
			return []string{curve("2MB", "200kB", "5%"), curve("1500kB", "150kB", "10%"), curve("60MB", "1MB", "5%")}[r.IntN(3)]
		}),
		in("marking of nothing", lossless, func(r *rand.Rand, _ string) string {
			return []string{curve("150kB", "1500kB", "0%"), curve("400kB", "1600kB", "0%")}[r.IntN(2)]
		}),
		in("marking of more than all", lossless, func(r *rand.Rand, _ string) string {
			return []string{curve("150kB", "1500kB", "150%"), curve("150kB", "1500kB", "0.05"), curve("150kB", "1500kB", "5")}[r.IntN(3)]
		}),
		in("marking without a bound", lossless, func(r *rand.Rand, _ string) string {
			return []string{"\n  ecn {\n    kmin = \"150kB\"\n    pmax = \"5%\"\n  }\n", "\n  ecn {\n    kmin = \"150kB\"\n    kmax = \"1500kB\"\n  }\n"}[r.IntN(2)]
		}),
		in("marking above the buffer", lossless, func(r *rand.Rand, _ string) string {
			return []string{curve("200MB", "400MB", "5%"), curve("150kB", "600MB", "5%")}[r.IntN(2)]
		}),
		in("alpha", lossless, instead("  alpha = \"1/4096\"\n", "  alpha = 0\n", "  alpha = 4096\n", "  alpha = \"1/3\"\n", "  alpha = -1\n", "  alpha = 5\n")),
		in("alpha that starves", lossless, instead("  alpha = \"1/1024\"\n", "  alpha = 1024\n")),
		in("headroom that does not fit", ports, instead("    headroom = \"200MB\"\n", "    headroom = \"80MB\"\n", "    headroom = \"3GB\"\n")),
		in("headroom that is too small", ports, instead("    headroom = \"2kB\"\n", "    headroom = \"0B\"\n", "    headroom = \"100B\"\n")),
		in("pause response", ports, instead("    pause_response = \"40s\"\n", "    pause_response = \"0ns\"\n", "    pause_response = \"3ms\"\n")),
		in("fan-in", ports, instead("    fan_in = 0\n", "    fan_in = 100000\n", "    fan_in = -2\n")),
		in("isolation", fabric, instead("  isolation = 0\n", "  isolation = 9000\n", "  isolation = \"two\"\n")),
		in("margin", fabric, instead("  headroom_margin = 5\n", "  headroom_margin = \"900%\"\n", "  headroom_margin = 0.05\n", "  headroom_margin = \"2GB\"\n")),
		in("delays backwards", fabric, instead("  expected_delay  = \"80us\"\n  tolerable_delay = \"20us\"\n", "  expected_delay  = \"1ms\"\n  tolerable_delay = \"30us\"\n")),
		in("sharing", fabric, instead("  headroom_sharing = \"0 groups\"\n", "  headroom_sharing = \"1:2\"\n", "  headroom_sharing = 2\n", "  headroom_sharing = \"half\"\n")),
		in("method", fabric, instead("  headroom_method = \"worst\"\n", "  headroom_method = \"table\"\n", "  headroom_method = \"802.3\"\n")),
		in("small packets", fabric, instead("  small_packets = \"150%\"\n", "  small_packets = 5\n", "  small_packets = 0.1\n")),
		in("watchdog", `^(  (?:detection|restoration) += ")([0-9]+ms)(".*)$`, instead("0ms", "1us", "99s", "1h")),
		in("lossy class with priority", `^(traffic_class "cnp" \{\n)()()`, instead("  pfc = 6\n")),
		in("lossy pool", `^(switch "[^"\n]+" \{\n)()()`, instead("  lossy_pool = \"3GB\"\n", "  lossy_pool = \"900MB\"\n", "  lossy_pool = \"100B\"\n")),
		in("shared pool", `^(switch "[^"\n]+" \{\n)()()`, instead("  shared_pool = \"3GB\"\n", "  shared_pool = \"900MB\"\n", "  headroom_pool = \"2GB\"\n")),
		in("spreading without placement", fabric, instead("  load_balancing = \"spraying\"\n", "  load_balancing = \"ecpm\"\n", "  load_balancing = \"round_robin\"\n")),
		in("no queue pairs", lossless, instead("  queue_pairs = 0\n", "  queue_pairs = -1\n", "  queue_pairs = \"16k\"\n")),
	}
}
