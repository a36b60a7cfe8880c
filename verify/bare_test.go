package verify

import (
	"strings"
	"testing"
)

// A port with PFC whose group has no headroom drops packets while the others of the switch are proved. A verdict on
// those is none on the switch. The group of a priority that no class uses may be lossy, as no packet reaches it. buffermgrd
// adds groups that have no row, with headroom of the pool that the others share: a condition.
func TestOnePortWithoutHeadroom(t *testing.T) {
	const row = "BUFFER_PG/Ethernet0|5"
	s := redSubjectOf(t, "ucloud-pod/leaf-1/config_db.json")
	for what, c := range map[string]struct {
		edit  func(string) string
		wants string // empty: as before
	}{
		"no row":                       {put(row, ""), "if Ethernet0 has PFC for priority 5, and the file has no priority group for it: the device adds one"},
		"a lossy profile":              {put(row+"/profile", `"ingress_lossy_profile"`), "Ethernet0 has PFC for priority 5, and the priority group there has no headroom"},
		"a priority that nothing uses": {each(put("PORT_QOS_MAP/Ethernet0/pfc_enable", `"4,5"`), put("BUFFER_PG/Ethernet0|4", `{"profile":"ingress_lossy_profile"}`)), ""},
		"and one without a row":        {put("PORT_QOS_MAP/Ethernet0/pfc_enable", `"4,5"`), "if Ethernet0 has PFC for priority 4, and"},
	} {
		edited := c.edit(s.text)
		if edited == s.text {
			t.Fatalf("%s: the edit changes nothing", what)
		}
		for _, o := range s.options {
			sw := judge(t, o, Text(s.name, []byte(edited))).Switches[0]
			why, verdict := "", NotJudged
			for _, r := range sw.Because {
				why += r.Message + "\n"
			}
			for _, c := range sw.Conditions {
				why += "if " + c.Assumes + "\n"
			}
			if c.wants == "" || strings.HasPrefix(c.wants, "if ") {
				verdict = Conditional
			}
			if sw.Verdict != verdict || !strings.Contains(why, c.wants) || c.wants == "" && strings.Contains(why, "has PFC") {
				t.Errorf("%s: %v, because %s", what, sw.Verdict, why)
			}
			for _, g := range sw.Groups {
				if g.Verdict > Conditional {
					t.Errorf("%s: %s is %v", what, g.Where, g.Verdict)
				}
			}
		}
	}
}
