package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// harmless are edits after which a file says the same, or more than it has to.
func harmless() []mutation {
	all := append(harmlessJSON(), harmlessSONiC()...)
	all = append(all, harmlessEOS()...)
	all = append(all, harmlessOpenConfig()...)
	return slices.Concat(all, nvueQuiet(), junosQuiet(), srlinuxQuiet())
}

func jsonOnly(e edit) map[string]func(string) string { return by(e, nil, e) }
func eosOnly(e edit) map[string]func(string) string  { return by(nil, e, nil) }

// rewritten decodes a document, changes it, and lays it out again. Keys come out sorted.
func rewritten(indent string, change func(doc map[string]any)) edit {
	return func(text string) string {
		doc := map[string]any{}
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		if err := dec.Decode(&doc); err != nil {
			return text
		}
		change(doc)
		var out strings.Builder
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", indent)
		if err := enc.Encode(doc); err != nil {
			panic(err)
		}
		return out.String()
	}
}

func nothing(map[string]any) {}

// reversed turns the order of the top-level members around.
func reversed(text string) string {
	doc := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		return text
	}
	var names []string
	for name := range doc {
		names = append(names, name)
	}
	slices.Sort(names)
	slices.Reverse(names)
	var parts []string
	for _, name := range names {
		parts = append(parts, `"`+name+`": `+string(doc[name]))
	}
	return "{" + strings.Join(parts, ",\n") + "}\n"
}

// extra adds a table or a model that is none of roceplan's business.
func extra(name string, value any) edit {
	return rewritten("  ", func(doc map[string]any) { doc[name] = value })
}

func rows(key string, fields ...string) any {
	row := map[string]any{}
	for i := 0; i+1 < len(fields); i += 2 {
		row[fields[i]] = fields[i+1]
	}
	return map[string]any{key: row}
}

func harmlessJSON() []mutation {
	return []mutation{
		{"indented by two", jsonOnly(rewritten("  ", nothing))},
		{"indented by tabs", jsonOnly(rewritten("\t", nothing))},
		{"all on one line", jsonOnly(func(text string) string {
			return strings.Join(strings.Fields(rewritten("", nothing)(text)), " ")
		})},
		{"members in reverse order", jsonOnly(reversed)},
		{"lines end with CR LF", jsonOnly(func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") })},
		{"blank lines", jsonOnly(func(s string) string { return strings.ReplaceAll(s, "{\n", "{\n\n") })},
		{"spaces at line ends", jsonOnly(func(s string) string { return strings.ReplaceAll(s, "\n", "  \n") })},
		{"no newline at the end", jsonOnly(func(s string) string { return strings.TrimRight(s, "\n") })},
		{"newlines at the end", jsonOnly(func(s string) string { return s + "\n\n\n" })},
		{"blanks before colons", jsonOnly(func(s string) string { return strings.ReplaceAll(s, `": `, `" : `) })},
		{"letters escaped", jsonOnly(func(s string) string { return strings.ReplaceAll(s, `"Ethernet1`, `"\u0045thernet1`) })},
	}
}

// harmlessOpenConfig returns edits of what other models hold, and of names.
func harmlessOpenConfig() []mutation {
	only := func(e edit) map[string]func(string) string { return by(nil, nil, e) }
	named := func(from string) edit {
		is := regexp.MustCompile(`"` + from + `([^"]*)"`)
		return func(text string) string { return is.ReplaceAllString(text, `"mine-$1"`) }
	}
	return []mutation{
		{"OpenConfig: the system beside", only(extra("openconfig-system:system", map[string]any{"config": map[string]any{"hostname": "s"}}))},
		{"OpenConfig: BGP beside", only(extra("openconfig-network-instance:network-instances", map[string]any{"network-instance": []any{}}))},
		{"OpenConfig: curves of other names", only(named("ecn-"))},
		{"OpenConfig: classifiers of other names", only(named("trust-dscp-"))},
	}
}

func harmlessSONiC() []mutation {
	table := func(name, key string, fields ...string) map[string]func(string) string {
		return sonicOnly(extra(name, rows(key, fields...)))
	}
	return []mutation{
		{"a VLAN beside", table("VLAN", "Vlan100", "vlanid", "100")},
		{"members of a VLAN beside", table("VLAN_MEMBER", "Vlan100|Ethernet0", "tagging_mode", "untagged")},
		{"addresses beside", table("INTERFACE", "Ethernet0|10.0.0.1/31")},
		{"a loopback beside", table("LOOPBACK_INTERFACE", "Loopback0|10.1.0.1/32")},
		{"BGP neighbours beside", table("BGP_NEIGHBOR", "10.0.0.2", "asn", "65100", "name", "spine")},
		{"time servers beside", table("NTP_SERVER", "10.0.0.9")},
		{"a log server beside", table("SYSLOG_SERVER", "10.0.0.10")},
		{"a port channel beside", table("PORTCHANNEL", "PortChannel1", "admin_status", "up")},
		{"an access list beside", table("ACL_TABLE", "SNMP_ACL", "type", "CTRLPLANE", "policy_desc", "snmp")},
		{"SNMP beside", table("SNMP_COMMUNITY", "public", "TYPE", "RO")},
		{"features beside", table("FEATURE", "lldp", "state", "enabled")},
		{"a blank in a number", sonicOnly(field("BUFFER_PROFILE", pgLossless, "xoff", func(s string) string { return " " + s }))},
		{"forward error correction set", sonicOnly(addField("PORT", firstPort, "speed", "fec", "auto"))},
		{"an alias", sonicOnly(addField("PORT", firstPort, "speed", "alias", "port-1"))},
		{"an index", sonicOnly(addField("PORT", firstPort, "speed", "index", "77"))},
		{"a port shut down", sonicOnly(field("PORT", firstPort, "admin_status", to("down")))},
		{"another hardware SKU", sonicOnly(field("DEVICE_METADATA", "localhost", "hwsku", to("Other-SKU")))},
		{"another platform", sonicOnly(field("DEVICE_METADATA", "localhost", "platform", to("x86_64-other-r0")))},
		{"a MAC address", sonicOnly(addField("DEVICE_METADATA", "localhost", "hostname", "mac", "00:11:22:33:44:55"))},
		{"headroom pool a cell larger", sonicOnly(perCell(func(c int64) edit { return field("BUFFER_POOL", inPool, "xoff", text(add(c))) }))},
		{"a profile of another name", sonicOnly(rename("ingress_lossy_profile", "lossy_in"))},
		{"lossless profiles of other names", sonicOnly(func(s string) string { return strings.ReplaceAll(s, "pg_lossless_", "mine_") })},
		{"schedulers of other names", sonicOnly(func(s string) string { return strings.ReplaceAll(s, "scheduler.dwrr.", "share-") })},
		{"a curve of another name", sonicOnly(func(s string) string { return strings.ReplaceAll(s, `"ECN_`, `"CURVE_`) })},
		{"references in brackets", sonicOnly(func(s string) string {
			return regexp.MustCompile(`"profile": "([^"]+)"`).ReplaceAllString(s, `"profile": "[BUFFER_PROFILE|$1]"`)
		})},
		{"an unused profile", sonicOnly(rewritten("  ", func(doc map[string]any) {
			if profiles, ok := doc["BUFFER_PROFILE"].(map[string]any); ok {
				profiles["unused"] = map[string]any{"pool": inPool, "size": "0", "dynamic_th": "0"}
			}
		}))},
		{"an unused scheduler", sonicOnly(rewritten("  ", func(doc map[string]any) {
			if all, ok := doc["SCHEDULER"].(map[string]any); ok {
				all["unused"] = map[string]any{"type": "DWRR", "weight": "5"}
			}
		}))},
		{"an unused map", sonicOnly(rewritten("  ", func(doc map[string]any) {
			if all, ok := doc["DSCP_TO_TC_MAP"].(map[string]any); ok {
				all["ZZ_UNUSED"] = map[string]any{"0": "1"}
			}
		}))},
		{"rows of equal ports joined", sonicOnly(rewritten("  ", joinRows))},
	}
}

// joinRows writes rows of BUFFER_QUEUE that say the same of several ports as one row, as
// old releases of SONiC did.
func joinRows(doc map[string]any) {
	table, ok := doc["BUFFER_QUEUE"].(map[string]any)
	if !ok {
		return
	}
	groups := map[string][]string{}
	for key, row := range table {
		port, index, _ := strings.Cut(key, "|")
		body, _ := json.Marshal(row)
		groups[index+"\x00"+string(body)] = append(groups[index+"\x00"+string(body)], port)
	}
	joined := map[string]any{}
	for group, ports := range groups {
		index, body, _ := strings.Cut(group, "\x00")
		slices.Sort(ports)
		joined[strings.Join(ports, ",")+"|"+index] = json.RawMessage(body)
	}
	doc["BUFFER_QUEUE"] = joined
}

// beside adds lines to the end of a running-config.
func beside(lines string) map[string]func(string) string {
	return eosOnly(func(text string) string { return strings.TrimSuffix(text, "end\n") + lines })
}

// blocks cuts a running-config at its left edge.
func blocks(text string) (all []string) {
	for line := range strings.Lines(text) {
		if len(all) > 0 && strings.HasPrefix(line, " ") || len(all) == 0 {
			if len(all) == 0 {
				all = append(all, line)
				continue
			}
			all[len(all)-1] += line
			continue
		}
		all = append(all, line)
	}
	return all
}

// swapBlocks turns the order of the blocks that begin with a word around.
func swapBlocks(prefix string) edit {
	return func(text string) string {
		all := blocks(text)
		var at []int
		for i, b := range all {
			if strings.HasPrefix(b, prefix) {
				at = append(at, i)
			}
		}
		for i := 0; i < len(at)/2; i++ {
			j := at[len(at)-1-i]
			all[at[i]], all[j] = all[j], all[at[i]]
		}
		return strings.Join(all, "")
	}
}

func everyLine(of func(line string) string) edit {
	return func(text string) string {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		for i := range lines {
			lines[i] = of(lines[i])
		}
		return strings.Join(lines, "\n") + "\n"
	}
}

func harmlessEOS() []mutation {
	return []mutation{
		{"comments", eosOnly(everyLine(func(l string) string {
			if strings.HasPrefix(l, "interface ") {
				return "! a comment\n" + l
			}
			return l
		}))},
		{"lines end with CR LF in EOS", eosOnly(func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") })},
		{"blanks at line ends", eosOnly(everyLine(func(l string) string { return l + "  " }))},
		{"empty lines", eosOnly(everyLine(func(l string) string { return l + "\n" }))},
		{"deeper indentation", eosOnly(everyLine(func(l string) string { return strings.Repeat(" ", indent(l)) + l }))},
		{"two blanks between words", eosOnly(everyLine(func(l string) string {
			return strings.Repeat(" ", indent(l)) + strings.ReplaceAll(strings.TrimLeft(l, " "), " ", "  ")
		}))},
		{"a header", eosOnly(func(s string) string {
			return "! Command: show running-config\n! device: x (DCS-7060CX-32S, EOS-4.30.1F)\n" + s
		})},
		{"interfaces in reverse order", eosOnly(swapBlocks("interface "))},
		{"maps in reverse order", eosOnly(swapBlocks("qos map traffic-class "))},
		{"profile of another name", eosOnly(func(s string) string { return strings.ReplaceAll(s, "roceplan-", "mine-") })},
		{"buffer profile of another name", eosOnly(func(s string) string { return strings.ReplaceAll(s, "queue profile roceplan", "queue profile mine") })},
		{"a DSCP map in two lines", eosOnly(reline(`qos map dscp 0 1 (.*) to (.*)`, "qos map dscp 0 1 to $2\nqos map dscp $1 to $2"))},
		{"amounts with their unit", eosOnly(reline(`( *ingress headroom) (\d+)`, "$1 bytes $2"))},
		{"the other name of queues", eosOnly(func(s string) string {
			return regexp.MustCompile(`(?m)^   tx-queue`).ReplaceAllString(s, "   uc-tx-queue")
		})},
		{"a description", eosOnly(reline(`interface Ethernet1/1`, "interface Ethernet1/1\n   description to gpu-17"))},
		{"an address", eosOnly(reline(`interface Ethernet1/1`, "interface Ethernet1/1\n   no switchport\n   ip address 10.0.0.1/31"))},
		{"an interface shut down", eosOnly(reline(`interface Ethernet1/1`, "interface Ethernet1/1\n   shutdown"))},
		{"the watchdog's default left out", eosOnly(reline(`( *priority-flow-control priority 3 no-drop)\n *priority-flow-control pause watchdog`, "$1"))},
		{"load intervals", eosOnly(reline(`interface Ethernet1/1`, "interface Ethernet1/1\n   load-interval 5"))},
		{"VLANs beside in EOS", beside("vlan 100\n   name storage\n!\n")},
		{"routes beside", beside("ip route 0.0.0.0/0 10.0.0.2\n!\n")},
		{"BGP beside", beside("router bgp 65001\n   router-id 10.1.0.1\n   neighbor 10.0.0.2 remote-as 65100\n!\n")},
		{"users beside", beside("username admin privilege 15 role network-admin secret sha512 $6$x\n!\n")},
		{"a banner", beside("banner login\nqos profile nonsense\npriority-flow-control mode on\nEOF\n!\n")},
		{"management beside", beside("management api http-commands\n   no shutdown\n!\n")},
		{"a loopback in EOS", beside("interface Loopback0\n   ip address 10.1.0.1/32\n!\n")},
		{"spanning tree beside", beside("spanning-tree mode mstp\n!\n")},
		{"logging beside", beside("logging host 10.0.0.10\nntp server 10.0.0.9\n!\n")},
		{"an unrelated access list", beside("ip access-list standard MGMT\n   10 permit 10.0.0.0/8\n!\n")},
		{"an alias of the CLI", beside("alias qos show qos interfaces\n!\n")},
		{"a comment before the end", beside("! that was all\nend\n")},
	}
}
