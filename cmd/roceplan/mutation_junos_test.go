package main

import "strings"

// junosHarm are the harmful edits of Junos' configuration, by the name of the kind.
func junosHarm() map[string]edit {
	headroom := func(of func(int64) int64) edit {
		return number(` *buffer-partition lossless-headroom \{\n *percent (\d+);`, of)
	}
	return map[string]edit{
		"headroom halved":                     headroom(over(2)),
		"headroom zero":                       headroom(set(0)),
		"headroom left out":                   reline(` *buffer-partition lossless-headroom \{\n.*\n *\}`, ""),
		"cable doubled":                       number(` *cable-length (\d+);`, times(2)),
		"cable of 0m":                         number(` *cable-length (\d+);`, set(0)),
		"MTU of 1000":                         number(` *mtu (\d+);`, set(1000)),
		"pool halved":                         number(` *buffer-partition lossless \{\n *percent (\d+);`, over(2)),
		"pool grown past the chip":            number(` *buffer-partition lossless \{\n *percent (\d+);`, set(200)),
		"alpha one step down":                 number(` *dynamic-threshold (\d+);`, add(-1)),
		"alpha of 1/128":                      number(` *dynamic-threshold (\d+);`, set(0)),
		"alpha beyond the range":              number(` *dynamic-threshold (\d+);`, set(11)),
		"threshold left out":                  reline(` *dynamic-threshold \d+;`, ""),
		"PFC off at one end":                  reline(` *pfc;`, ""),
		"PFC for another priority":            reline(`( *class rdma queue-num 3 no-loss pfc-priority) 3;`, "$1 4;"),
		"PFC left out":                        reline(` *congestion-notification-profile servers;`, ""),
		"a port is not watched":               reline(` *pfc-watchdog \{\n(?:.*\n){4} *\}`, ""),
		"detection after 1 ms":                number(` *poll-interval (\d+);`, set(1)),
		"detection after a minute":            number(` *detection (\d+);`, set(600)),
		"lossless DSCP moved to the rest":     junosDSCP("011010", "rdma", "rest"),
		"a DSCP of the rest made lossless":    junosDSCP("000000", "rest", "rdma"),
		"CNPs with the rest":                  junosDSCP("110000", "cnp", "rest"),
		"CNPs made lossless":                  junosDSCP("110000", "cnp", "rdma"),
		"the class leaves from another queue": reline(`( *class rdma queue-num) 3`+`(.*)`, "$1 1$2"),
		"two classes in one queue":            reline(`( *class rest queue-num) 0;`, "$1 3;"),
		"a port that trusts nobody":           reline(` *classifiers \{\n *dscp roce;\n *\}`, ""),
		"Kmin above Kmax":                     reline(`( *fill-level \[) (\d+) (\d+) \];`, "$1 $3 $2 ];"),
		"Pmax zero":                           reline(`( *drop-probability \[ 0) \d+ \];`, "$1 0 ];"),
		"marking off":                         reline(` *explicit-congestion-notification;`, ""),
		"cap removed":                         reline(` *shaping-rate .*;`, ""),
		"cap tenfold":                         number(` *shaping-rate (\d+)g;`, times(10)),
		"CNPs share by weight":                reline(`( *)priority strict-high;`, "${1}priority low;\n${1}transmit-rate percent 1;"),
		"the lossless class gets nothing":     number(` *transmit-rate percent (80);`, set(1)),
		"the lossless class strict":           reline(` *transmit-rate percent 80;\n( *)priority low;`, "${1}priority strict-high;"),
		"weight of 0":                         number(` *transmit-rate percent (80);`, set(0)),
		"a unit in a number":                  reline(`( *cable-length \d+);`, "${1}m;"),
		"a number out of range":               number(` *mtu (\d+);`, set(99999)),
		"the end of the file is missing":      truncated,
		"a profile that is not there":         reline(`( *congestion-notification-profile) servers;`, "$1 missing;"),
		"a word that is none":                 reline(`( *)priority low;`, "${1}priority lowest;"),
		"a port that is gone":                 reline(`( *)et-0/0/0 \{\n( *)congestion`, "${1}et-0/0/99 {\n${2}congestion"),
	}
}

// junosQuiet are the harmless ones.
func junosQuiet() []mutation {
	only := func(e edit) map[string]func(string) string { return map[string]func(string) string{"junos": e} }
	renamed := strings.NewReplacer("servers", "to-servers", "spines", "to-spines")
	return []mutation{
		{"Junos: remarks", only(func(s string) string { return "/* a remark */\n" + strings.ReplaceAll(s, "pfc;", "pfc; # one more") })},
		{"Junos: lines end with CR LF", only(func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") })},
		{"Junos: empty lines", only(func(s string) string { return strings.ReplaceAll(s, "\n", "\n\n") })},
		{"Junos: tabs", only(func(s string) string { return strings.ReplaceAll(s, "    ", "\t") })},
		{"Junos: profiles of other names", only(renamed.Replace)},
		{"Junos: a description", only(reline(`    et-0/0/0 \{`, "    et-0/0/0 {\n        description \"to gpu-17\";"))},
		{"Junos: BGP beside", only(func(s string) string { return s + "protocols {\n    lldp {\n        interface all;\n    }\n}\n" })},
		{"Junos: an unused profile", only(reline(`    drop-profiles \{`, "    drop-profiles {\n        spare {\n            interpolate {\n                fill-level [ 50 100 ];\n                drop-probability [ 0 100 ];\n            }\n        }"))},
	}
}

// junosDSCP moves a code point from one forwarding class of the classifier to another.
func junosDSCP(bits, from, to string) edit {
	list := func(class string, of func(points []string) []string) edit {
		return func(text string) string {
			head := "forwarding-class " + class + " {\n                loss-priority low code-points "
			before, rest, ok := strings.Cut(text, head)
			if !ok {
				return text
			}
			points, after, _ := strings.Cut(rest, ";")
			left := of(strings.Fields(strings.Trim(points, "[ ]")))
			if left == nil { // a class without code points has no statement
				_, after, _ = strings.Cut(after, "}\n")
				return strings.TrimRight(before, " ") + after
			}
			return before + head + "[ " + strings.Join(left, " ") + " ];" + after
		}
	}
	take := list(from, func(points []string) (left []string) {
		for _, p := range points {
			if p != bits {
				left = append(left, p)
			}
		}
		return left
	})
	return both(take, list(to, func(points []string) []string { return append(points, bits) }))
}
