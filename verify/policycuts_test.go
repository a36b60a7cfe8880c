package verify_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/verify"
)

// Statements of policies that end after any of their words are read without a panic.
func TestPoliciesThatEndEarly(t *testing.T) {
	const ranges = "ip access-list CP 10 permit tcp any any eq bgp\nip access-list standard CP permit any\nip access-list CP deny udp any any range 1 9\nsystem control-plane ip access-group CP in\nip prefix-list L seq 10 permit 10.0.0.0/8 ge 9 le 24\nip prefix-list L permit 10.0.0.0/8 eq 9\nroute-map M permit 10 match ip address prefix-list L\nroute-map M permit 10 set community 1:1"
	for system, statements := range map[string]string{
		"eos": ranges, "nxos": ranges,
		"junos": `policy-options policy-statement P term T from route-filter 10.0.0.0/8 prefix-length-range /9-/24
policy-options policy-statement P term T from prefix-list-filter L orlonger
policy-options policy-statement P from protocol direct
policy-options policy-statement P term T then community add C
policy-options policy-statement P then accept
policy-options prefix-list L 10.0.0.0/8
protocols bgp group G neighbor 10.1.1.1 family inet6 unicast
protocols bgp group G family inet unicast
firewall family inet filter F term T from protocol udp
firewall family inet filter F term T then accept
interfaces et-0/0/0 unit 0 family inet filter input F
vlans V l3-interface irb.100`,
		"nvue": `router policy prefix-list L rule 10 match 10.0.0.0/8 max-prefix-len 24
router policy prefix-list L rule 10 match 9 min-prefix-len 24
router policy prefix-list L rule 10 action permit
router policy route-map M rule 10 match ip-prefix-list L
router policy route-map M rule 10 set community 1:1
router policy route-map M rule 10 action permit x
acl A rule 10 action permit
interface swp1 acl A inbound`,
		"sonic": `PREFIX L 10.0.0.0/8 9..24 action permit
ROUTE_MAP M 10 match_prefix_set L
ROUTE_MAP M 10 set_community 1:1`,
		"openconfig": `openconfig-routing-policy:routing-policy policy-definitions policy-definition statements statement conditions match-prefix-set config prefix-set L
openconfig-routing-policy:routing-policy defined-sets prefix-sets prefix-set prefixes prefix ip-prefix 10.0.0.0/8
openconfig-network-instance:network-instances network-instance protocols protocol bgp neighbors neighbor afi-safis afi-safi config enabled true`,
		"srlinux": `routing-policy policy statement match prefix prefix-set L
routing-policy policy default-action policy-result accept
routing-policy prefix-set prefix ip-prefix 10.0.0.0/8
srl_nokia-network-instance:network-instance interface name irb0.1
srl_nokia-interfaces:interface subinterface vlan encap single-tagged vlan-id 7
srl_nokia-bfd:bfd subinterface admin-state enable`,
	} {
		format, ok := verify.FormatOf(system)
		if !ok {
			t.Fatal(system)
		}
		for line := range strings.Lines(statements) {
			words := strings.Fields(line)
			for n := 1; n <= len(words); n++ {
				for _, text := range asFile(t, system, words[:n]) {
					format.Read(format.Files[0], text, read.Options{})
				}
			}
		}
	}
}

// asFile returns files of a system that have a statement: one, or for trees several.
func asFile(t *testing.T, system string, words []string) (texts [][]byte) {
	switch last := words[len(words)-1]; system {
	case "eos", "nxos":
		return [][]byte{[]byte("hostname a\n" + strings.Join(words, " ") + "\n")}
	case "junos":
		return [][]byte{[]byte("set system host-name a\nset " + strings.Join(words, " ") + "\n")}
	case "sonic":
		key, field := words[min(1, len(words)-1):], ""
		if len(words) > 2 {
			key, field = words[1:len(words)-2], words[len(words)-2]
		}
		return [][]byte{must.Get(json.Marshal(map[string]any{words[0]: map[string]any{strings.Join(key, "|"): map[string]any{field: last}}}))(t)}
	default:
		for _, value := range []any{last, nil, []any{last}, []any{map[string]any{"name": last}}, map[string]any{}} {
			for _, list := range []bool{false, true} {
				tree := value
				for i := len(words) - 2; i >= 0; i-- {
					if tree = map[string]any{words[i]: tree}; list && i > 0 {
						tree = []any{tree}
					}
				}
				if system == "nvue" {
					tree = []any{map[string]any{"set": tree}}
				}
				texts = append(texts, must.Get(json.Marshal(tree))(t)) // JSON is YAML
			}
		}
		return texts
	}
}
