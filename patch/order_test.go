package patch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/patch"
)

// config is a switch of one port; pg are rows of BUFFER_PG by indices. A pool with
// headroom serves all PGs of a profile; without it each owns its own.
func config(t *testing.T, pool, pfc string, pg map[string]string) patch.DB {
	rows := make([]string, 0, len(pg))
	for indices, profile := range pg {
		rows = append(rows, fmt.Sprintf(`"Ethernet0|%s": {"profile": %q}`, indices, profile))
	}
	return running(t, fmt.Appendf(nil, `{
		"PORT": {"Ethernet0": {"lanes": "1", "speed": "100000"}},
		"BUFFER_POOL": {"ingress": {"mode": "dynamic", "type": "ingress", %s}},
		"BUFFER_PROFILE": {
			"lossy": {"pool": "ingress", "size": "0", "dynamic_th": "0"},
			"near": {"pool": "ingress", "size": "0", "dynamic_th": "0", "xoff": "40000"},
			"far": {"pool": "ingress", "size": "0", "dynamic_th": "0", "xoff": "90000"}
		},
		"BUFFER_PG": {%s},
		"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": %q}}
	}`, pool, strings.Join(rows, ","), pfc)).DB
}

// with changes the headroom of a profile.
func with(db patch.DB, profile, xoff string) patch.DB {
	db["BUFFER_PROFILE"][profile]["xoff"] = patch.Value{Text: xoff}
	return db
}

// mapped adds the PG of priority 3 and that of traffic class 3.
func mapped(db patch.DB, priority, class string) patch.DB {
	db["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"] = patch.Table{"AZURE": {"3": {Text: priority}}}
	db["TC_TO_PRIORITY_GROUP_MAP"] = patch.Table{"AZURE": {"3": {Text: class}}}
	db["PORT_QOS_MAP"]["Ethernet0"]["pfc_to_pg_map"] = patch.Value{Text: "AZURE"}
	db["PORT_QOS_MAP"]["Ethernet0"]["tc_to_pg_map"] = patch.Value{Text: "AZURE"}
	return db
}

const (
	owning  = `"size": "1000000"`
	sharing = `"size": "900000", "xoff": "100000"`
	larger  = `"size": "700000", "xoff": "300000"`
)

// Orders that were thought through one by one.
func TestOrders(t *testing.T) {
	type groups = map[string]string
	for name, test := range map[string]struct {
		from, to patch.DB
		want     []string
	}{
		"nothing": {config(t, sharing, "3", groups{"3": "near"}), config(t, sharing, "3", groups{"3": "near"}), nil},
		"a longer cable: the pool grows before the PG": {
			config(t, sharing, "3", groups{"3": "near"}), config(t, larger, "3", groups{"3": "far"}),
			[]string{
				"replace /BUFFER_POOL/ingress/size 700000", "replace /BUFFER_POOL/ingress/xoff 300000",
				"replace /BUFFER_PG/Ethernet0|3/profile far",
			},
		},
		"a shorter cable: the pool shrinks after the PG": {
			config(t, larger, "3", groups{"3": "far"}), config(t, sharing, "3", groups{"3": "near"}),
			[]string{
				"replace /BUFFER_PG/Ethernet0|3/profile near",
				"replace /BUFFER_POOL/ingress/xoff 100000", "replace /BUFFER_POOL/ingress/size 900000",
			},
		},
		"a class becomes lossless: headroom before PFC": {
			config(t, sharing, "3", groups{"3": "near", "4": "lossy"}), config(t, sharing, "3,4", groups{"3": "near", "4": "near"}),
			[]string{"replace /BUFFER_PG/Ethernet0|4/profile near", "replace /PORT_QOS_MAP/Ethernet0/pfc_enable 3,4"},
		},
		"a class becomes lossy: PFC before headroom": {
			config(t, sharing, "3,4", groups{"3": "near", "4": "near"}), config(t, sharing, "3", groups{"3": "near", "4": "lossy"}),
			[]string{"replace /PORT_QOS_MAP/Ethernet0/pfc_enable 3", "replace /BUFFER_PG/Ethernet0|4/profile lossy"},
		},
		"another class: the pool holds the headroom of one of them": {
			config(t, sharing, "3", groups{"3": "near", "0": "lossy"}), config(t, sharing, "5", groups{"5": "near", "0": "lossy"}),
			[]string{
				"remove /PORT_QOS_MAP/Ethernet0/pfc_enable", "remove /BUFFER_PG/Ethernet0|3",
				"add /BUFFER_PG/Ethernet0|5 near", "add /PORT_QOS_MAP/Ethernet0/pfc_enable 5",
			},
		},
		"another class with headroom of its own: there is no memory for both": {
			config(t, owning, "3", groups{"3": "near", "0": "lossy"}), config(t, owning, "5", groups{"5": "near", "0": "lossy"}),
			[]string{
				"remove /PORT_QOS_MAP/Ethernet0/pfc_enable", "remove /BUFFER_PG/Ethernet0|3",
				"add /BUFFER_PG/Ethernet0|5 near", "add /PORT_QOS_MAP/Ethernet0/pfc_enable 5",
			},
		},
		"a range loses a PG: no PFC while the row is another one": {
			config(t, sharing, "3,4", groups{"3-4": "near", "0": "lossy"}), config(t, sharing, "3", groups{"3": "near", "0": "lossy"}),
			[]string{
				"remove /PORT_QOS_MAP/Ethernet0/pfc_enable", "remove /BUFFER_PG/Ethernet0|3-4",
				"add /BUFFER_PG/Ethernet0|3 near", "add /PORT_QOS_MAP/Ethernet0/pfc_enable 3",
			},
		},
		"a range is split: its other half stays paused only while it has headroom": {
			config(t, sharing, "3,4,5", groups{"3-4": "near", "5": "near"}), config(t, sharing, "3,4,5", groups{"3": "near", "4": "far", "5": "near"}),
			[]string{
				"replace /PORT_QOS_MAP/Ethernet0/pfc_enable 5", "remove /BUFFER_PG/Ethernet0|3-4",
				"add /BUFFER_PG/Ethernet0|3 near", "add /BUFFER_PG/Ethernet0|4 far", "replace /PORT_QOS_MAP/Ethernet0/pfc_enable 3,4,5",
			},
		},
		"the profile that a PG leaves for a larger one shrinks for another PG": {
			config(t, sharing, "3,5", groups{"3": "near", "5": "near"}), with(config(t, larger, "3,5", groups{"3": "far", "5": "near"}), "near", "10000"),
			[]string{
				"replace /PORT_QOS_MAP/Ethernet0/pfc_enable 5", "remove /BUFFER_PG/Ethernet0|3", "replace /BUFFER_PROFILE/near/xoff 10000",
				"replace /BUFFER_POOL/ingress/size 700000", "replace /BUFFER_POOL/ingress/xoff 300000",
				"add /BUFFER_PG/Ethernet0|3 far", "replace /PORT_QOS_MAP/Ethernet0/pfc_enable 3,5",
			},
		},
		"a priority gets another PG: both ends have one of them": {
			mapped(config(t, sharing, "3", groups{"3": "near", "4": "lossy"}), "3", "3"), mapped(config(t, sharing, "3", groups{"3": "lossy", "4": "near"}), "4", "4"),
			[]string{
				"remove /PORT_QOS_MAP/Ethernet0/pfc_enable", "replace /TC_TO_PRIORITY_GROUP_MAP/AZURE/3 4",
				"replace /BUFFER_PG/Ethernet0|3/profile lossy", "replace /BUFFER_PG/Ethernet0|4/profile near",
				"replace /PFC_PRIORITY_TO_PRIORITY_GROUP_MAP/AZURE/3 4", "add /PORT_QOS_MAP/Ethernet0/pfc_enable 3",
			},
		},
		"traffic goes to a PG that comes: after it": {
			mapped(config(t, sharing, "", groups{"0": "lossy"}), "3", "0"), mapped(config(t, sharing, "3", groups{"0": "lossy", "3": "near"}), "3", "3"),
			[]string{"add /BUFFER_PG/Ethernet0|3 near", "replace /PORT_QOS_MAP/Ethernet0/pfc_enable 3", "replace /TC_TO_PRIORITY_GROUP_MAP/AZURE/3 3"},
		},
		"all profiles grow in place": {
			config(t, sharing, "3", groups{"3": "near"}), with(config(t, larger, "3", groups{"3": "near"}), "near", "80000"),
			[]string{"replace /BUFFER_POOL/ingress/size 700000", "replace /BUFFER_POOL/ingress/xoff 300000", "replace /BUFFER_PROFILE/near/xoff 80000"},
		},
		"all profiles shrink in place": {
			config(t, larger, "3", groups{"3": "near"}), with(config(t, sharing, "3", groups{"3": "near"}), "near", "20000"),
			[]string{"replace /BUFFER_PROFILE/near/xoff 20000", "replace /BUFFER_POOL/ingress/xoff 100000", "replace /BUFFER_POOL/ingress/size 900000"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			steps, hazard := patch.Between(test.from, test.to)
			must.Equal(t, hazard, "")
			var got []string
			for _, op := range (&patch.Patch{Steps: steps}).Operations() {
				line := op.Op + " " + op.Path
				switch v := op.Value.(type) {
				case patch.Value:
					line += " " + v.Text
				case patch.Row:
					line += " " + v["profile"].Text
				}
				got = append(got, line)
			}
			must.NoDiffIn(t, cmp.Diff(test.want, got), "(-want +got):")
		})
	}
}

// A hazard that was there before is not the patch's fault; a new one is.
func TestHazards(t *testing.T) {
	unpaused := map[string]string{"3": "near"}
	for name, test := range map[string]struct {
		from, to patch.DB
		want     string
	}{
		"PFC without headroom stays": {config(t, sharing, "3,4", unpaused), config(t, larger, "3,4", unpaused), ""},
		"PFC without headroom comes": {config(t, sharing, "3", unpaused), config(t, sharing, "3,4", unpaused), "PFC priority 4 of Ethernet0 pauses PG 4, which has no headroom"},
		"a profile is missing":       {config(t, sharing, "3", unpaused), config(t, sharing, "3", map[string]string{"3": "nowhere"}), "BUFFER_PG|Ethernet0|3 refers to nowhere, which BUFFER_PROFILE does not have"},
		"two rows for one PG":        {config(t, sharing, "3", unpaused), config(t, sharing, "3", map[string]string{"3": "near", "2-3": "near"}), "two rows of BUFFER_PG claim the same index of Ethernet0"},
	} {
		if _, got := patch.Between(test.from, test.to); !strings.Contains(got, test.want) || got != "" && test.want == "" {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
