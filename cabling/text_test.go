package cabling

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// cablesIn returns the cables of a text, a line for each cable.
func cablesIn(t *testing.T, text string) (lines []string, found int) {
	t.Helper()
	if !Recognizes([]byte(text)) {
		t.Fatalf("%.80q is not recognized", text)
	}
	seen, wrong := Read("leaf-1.txt", []byte(text))
	for _, s := range seen {
		if !s.Heard || s.At.Start.Line == 0 {
			t.Errorf("%+v", s)
		}
		lines = append(lines, fmt.Sprintf("%s:%s %s:%s", s.A.Device, s.A.Port, s.B.Device, s.B.Port))
	}
	return lines, len(wrong)
}

const (
	nxosText = "Capability codes:\n  (R) Router\n\nChassis id: 0000.0000.0001\nPort id: Ethernet1/49\nLocal Port id: Eth1/1\nPort Description: not advertised\nSystem Name: spine-1.example.net\n" +
		"System Description: Cisco Nexus\nTAC support: http://x\n\nChassis id: 0000.0000.0002\nPort id: 0000.0000.0003\nLocal Port id: mgmt0\nSystem Name: not advertised\n\nTotal entries displayed: 2\n"
	eosText = "Interface Ethernet1/1 detected 1 LLDP neighbors:\n\n  Neighbor 0000.0000.0001/\"Ethernet5/1\", age 12 seconds\n  - Port ID type: Interface name (5)\n    Port ID     : \"Ethernet5/1\"\n  - System Name: \"spine-1\"\n" +
		"  - IEEE802.1/IEEE802.3 Link Aggregation\n    Port ID                : 0\n\nInterface Ethernet2/1 detected 0 LLDP neighbors:\n\nInterface Ethernet3/1 detected 2 LLDP neighbors:\n  Neighbor a/b, age 1 seconds\n    Port ID : \"x\"\n  Neighbor c/d, age 1 seconds\n    Port ID : \"y\"\n"
	eosRows = "Last table change time   : 0:12:33 ago\nNumber of table inserts  : 3\n\nPort          Neighbor Device ID       Neighbor Port ID    TTL\n---------- ------------------------ ---------------------- ---\n" +
		"Et1           spine1.lab               Ethernet1           120\nEt2/1         spine2.lab               Ethernet1/1         120\n"
	lldpText = "-----\nLLDP neighbors:\n-----\nInterface:    Ethernet0, via: LLDP, RID: 1, Time: 0 day, 00:01:35\n  Chassis:\n    ChassisID:    mac 00:11:22:33:44:55\n    SysName:      spine-1\n  Port:\n    PortID:       ifname Ethernet1\n    TTL:          120\n" +
		"-----\nInterface:    Ethernet4, via: LLDP, RID: 2, Time: 0 day, 00:01:35\n  Chassis:\n    ChassisID:    mac 00:11:22:33:44:56\n  Port:\n    PortID:       mac 00:11:22:33:44:57\n-----\n"
	junosText = "Local Interface    Parent Interface    Chassis Id          Port info          System Name\net-0/0/1           -                   00:00:00:00:00:01   et-0/0/9           spine-1\net-0/0/2           ae1                 00:00:00:00:00:02   port 7 of it       server-2\n"
)

func TestTextOfDevices(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{nxosText, "leaf-1:Ethernet1/1 spine-1.example.net:Ethernet1/49; leaf-1:mgmt0 0000.0000.0002:0000.0000.0003"},
		{eosText, "leaf-1:Ethernet1/1 spine-1:Ethernet5/1; leaf-1:Ethernet3/1 a:x; leaf-1:Ethernet3/1 c:y"},
		{eosRows, "leaf-1:Ethernet1 spine1.lab:Ethernet1; leaf-1:Ethernet2/1 spine2.lab:Ethernet1/1"},
		{lldpText, "leaf-1:Ethernet0 spine-1:Ethernet1; leaf-1:Ethernet4 00:11:22:33:44:56:00:11:22:33:44:57"},
		{junosText, "leaf-1:et-0/0/1 spine-1:et-0/0/9; leaf-1:et-0/0/2 server-2:port 7 of it"},
	} {
		for _, text := range []string{c.text, strings.ReplaceAll(c.text, "\n", "\r\n")} {
			lines, found := cablesIn(t, text)
			if got := strings.Join(lines, "; "); got != c.want || found != 0 {
				t.Errorf("told %s, %d findings; want %s", got, found, c.want)
			}
		}
	}
}

// Output that is cut off is a finding: its cables would be taken for missing ones.
func TestTextIsWhole(t *testing.T) {
	for _, text := range []string{
		strings.TrimSuffix(nxosText, "Total entries displayed: 2\n"), strings.Replace(nxosText, "displayed: 2", "displayed: 3", 1),
		eosText[:strings.LastIndex(eosText, "  Neighbor")], strings.Replace(eosText, "detected 0", "detected 1", 1), strings.Replace(junosText, " spine-1", "", 1),
		strings.TrimSuffix(eosRows, "     Ethernet1/1         120\n"), strings.TrimSuffix(lldpText, "-----\n"),
	} {
		if _, found := cablesIn(t, text); found != 1 {
			t.Errorf("%d findings about\n%s", found, text)
		}
	}
}

// Outputs of devices, as ntc-templates has them: the counts are those of its parsed samples.
func TestTextOfNTCTemplates(t *testing.T) {
	for name, want := range map[string]struct {
		cables int
		first  string
	}{
		"cisco_nxos_show_lldp_neighbors_detail.raw": {4, "leaf-1:mgmt0 Switch.cisco.com:Fa1/0/9"},
		"arista_eos_show_lldp_neighbors_detail.raw": {0, "leaf-1:Ethernet1 spine2.company.com:Ethernet1"},
		"juniper_junos_show_lldp_neighbors.raw":     {0, "leaf-1:ge-0/0/1 vmx2:ge-0/0/1"},
	} {
		text := must.Get(os.ReadFile(oracle.Data(t, "lldp/"+name)))(t)
		lines, found := cablesIn(t, string(text))
		if found != 0 || len(lines) == 0 || lines[0] != want.first || want.cables > 0 && len(lines) != want.cables {
			t.Errorf("%s: %d findings, %d cables, %q", name, found, len(lines), lines)
		}
	}
}
