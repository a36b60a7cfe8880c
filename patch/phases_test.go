package patch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
)

// of makes a configuration of rows "TABLE|KEY" with fields and values in turn.
func of(rows map[string][]string) DB {
	db := DB{}
	for name, fields := range rows {
		table, key, _ := strings.Cut(name, "|")
		row := Row{}
		for i := 0; i < len(fields); i += 2 {
			row[fields[i]] = Value{Text: fields[i+1]}
		}
		db.set(table, key, row)
	}
	return db
}

// What is edited in which phase, for each kind of change by itself: what shrinks makes room for
// what grows, PFC goes before headroom and comes after it, and the watchdog lets go first and
// watches last.
func TestPhases(t *testing.T) {
	type rows = map[string][]string
	held, more := []string{"pool", "in", "xoff", "100", "size", "10"}, []string{"pool", "in", "xoff", "200", "size", "10"}
	lossy := []string{"pool", "in", "size", "0"}
	profiles := func(add rows) rows {
		all := rows{"BUFFER_PROFILE|held": held, "BUFFER_PROFILE|more": more, "BUFFER_PROFILE|lossy": lossy, "BUFFER_PROFILE|made": {"headroom_type", "dynamic"}}
		for k, v := range add {
			all[k] = v
		}
		return all
	}
	pg := func(profile string) rows { return profiles(rows{"BUFFER_PG|Ethernet0|3": {"profile", profile}}) }
	paused := func(profile, pfc string) rows {
		all := pg(profile)
		all["PORT_QOS_MAP|Ethernet0"] = []string{"pfc_enable", pfc}
		return all
	}
	classes := func(class, pfc string) rows {
		all := profiles(rows{"DSCP_TO_TC_MAP|M": {"26", class}, "PORT_QOS_MAP|Ethernet0": {"dscp_to_tc_map", "M", "pfc_enable", pfc}})
		for group, profile := range map[string]string{"0": "lossy", "3": "held", "4": "held"} {
			all["BUFFER_PG|Ethernet0|"+group] = []string{"profile", profile}
		}
		return all
	}
	for _, c := range []struct {
		name     string
		from, to rows
		want     []string
	}{
		{"nothing changes", pg("held"), pg("held"), nil},
		{"a larger profile", pg("held"), pg("more"), []string{"bind BUFFER_PG|Ethernet0|3 profile more"}},
		{"a smaller profile", pg("more"), pg("held"), []string{"ease BUFFER_PG|Ethernet0|3 profile held"}},
		{"a lossy group becomes lossless", pg("lossy"), pg("held"), []string{"bind BUFFER_PG|Ethernet0|3 profile held"}},
		{"a lossless group becomes lossy", paused("held", "3"), paused("lossy", "3"), []string{"release PORT_QOS_MAP|Ethernet0 pfc_enable -", "clear BUFFER_PG|Ethernet0|3 profile lossy", "enable PORT_QOS_MAP|Ethernet0 pfc_enable 3"}},
		{"computed headroom", pg("held"), pg("made"), []string{"ease BUFFER_PG|Ethernet0|3 profile made"}},
		{"a new group", profiles(nil), pg("held"), []string{"bind BUFFER_PG|Ethernet0|3 +"}},
		{"a group goes", paused("held", "3"), profiles(rows{"PORT_QOS_MAP|Ethernet0": {"pfc_enable", ""}}), []string{"release PORT_QOS_MAP|Ethernet0 pfc_enable -", "clear BUFFER_PG|Ethernet0|3 -"}},
		{"PFC comes", paused("held", ""), paused("held", "3"), []string{"enable PORT_QOS_MAP|Ethernet0 pfc_enable 3"}},
		{"PFC comes as the plan spells it", paused("held", ""), paused("held", "4,3"), []string{"enable PORT_QOS_MAP|Ethernet0 pfc_enable 4,3"}},
		{"PFC goes", paused("held", "3,4"), paused("held", "3"), []string{"release PORT_QOS_MAP|Ethernet0 pfc_enable 3"}},
		{"PFC moves", paused("held", "3,4"), paused("held", "3,5"), []string{"release PORT_QOS_MAP|Ethernet0 pfc_enable 3", "enable PORT_QOS_MAP|Ethernet0 pfc_enable 3,5"}},
		{
			"the watchdog moves", rows{"PORT_QOS_MAP|Ethernet0": {"pfcwd_sw_enable", "3,4"}}, rows{"PORT_QOS_MAP|Ethernet0": {"pfcwd_sw_enable", "3,5"}},
			[]string{"quiet PORT_QOS_MAP|Ethernet0 pfcwd_sw_enable 3", "finish PORT_QOS_MAP|Ethernet0 pfcwd_sw_enable 3,5"},
		},
		{"a port with maps is new", rows{}, rows{"PORT_QOS_MAP|Ethernet0": {"pfc_enable", "3"}}, []string{"enable PORT_QOS_MAP|Ethernet0 +"}},
		{"a port with maps goes", rows{"PORT_QOS_MAP|Ethernet0": {"pfc_enable", "3"}}, rows{}, []string{"release PORT_QOS_MAP|Ethernet0 -"}},
		{"a port joins a map", rows{"PORT_QOS_MAP|p": {}}, rows{"PORT_QOS_MAP|p": {"pfc_to_pg_map", "M"}}, []string{"pair PORT_QOS_MAP|p pfc_to_pg_map M"}},
		{"a port leaves a map", rows{"PORT_QOS_MAP|p": {"pfc_to_queue_map", "M"}}, rows{"PORT_QOS_MAP|p": {}}, []string{"unpair PORT_QOS_MAP|p pfc_to_queue_map -"}},
		{"a port classifies otherwise", rows{"PORT_QOS_MAP|p": {"dscp_to_tc_map", "A"}}, rows{"PORT_QOS_MAP|p": {"dscp_to_tc_map", "B"}}, []string{"classify PORT_QOS_MAP|p dscp_to_tc_map B"}},
		{
			"a pool gives room to its headroom", rows{"BUFFER_POOL|a": {"size", "100", "xoff", "10"}}, rows{"BUFFER_POOL|a": {"size", "90", "xoff", "20"}},
			[]string{"shrink BUFFER_POOL|a size 90", "widen BUFFER_POOL|a xoff 20"},
		},
		{
			"a pool grows in both", rows{"BUFFER_POOL|a": {"size", "100", "xoff", "10"}}, rows{"BUFFER_POOL|a": {"size", "110", "xoff", "20"}},
			[]string{"widen BUFFER_POOL|a size 110", "widen BUFFER_POOL|a xoff 20"},
		},
		{
			"a pool shrinks in both", rows{"BUFFER_POOL|a": {"size", "100", "xoff", "10"}}, rows{"BUFFER_POOL|a": {"size", "90", "xoff", "5"}},
			[]string{"shrink BUFFER_POOL|a xoff 5", "shrink BUFFER_POOL|a size 90"},
		},
		{
			"a profile grows in both", rows{"BUFFER_PROFILE|a": {"size", "10", "xoff", "10"}}, rows{"BUFFER_PROFILE|a": {"size", "20", "xoff", "20"}},
			[]string{"raise BUFFER_PROFILE|a size 20", "raise BUFFER_PROFILE|a xoff 20"},
		},
		{
			"a profile shrinks in both", rows{"BUFFER_PROFILE|a": {"size", "20", "xoff", "20"}}, rows{"BUFFER_PROFILE|a": {"size", "10", "xoff", "10"}},
			[]string{"lower BUFFER_PROFILE|a xoff 10", "lower BUFFER_PROFILE|a size 10"},
		},
		{"headroom of 0 is new", rows{"BUFFER_PROFILE|a": {"size", "20"}}, rows{"BUFFER_PROFILE|a": {"size", "20", "xoff", "0"}}, []string{"raise BUFFER_PROFILE|a xoff 0"}},
		{"another threshold", rows{"BUFFER_PROFILE|a": {"dynamic_th", "0"}}, rows{"BUFFER_PROFILE|a": {"dynamic_th", "1"}}, []string{"classify BUFFER_PROFILE|a dynamic_th 1"}},
		{"longer cables", rows{"CABLE_LENGTH|AZURE": {"p", "5m"}}, rows{"CABLE_LENGTH|AZURE": {"p", "40m"}}, []string{"bind CABLE_LENGTH|AZURE p 40m"}},
		{"shorter cables", rows{"CABLE_LENGTH|AZURE": {"p", "40m"}}, rows{"CABLE_LENGTH|AZURE": {"p", "5m"}}, []string{"ease CABLE_LENGTH|AZURE p 5m"}},
		{"larger frames", rows{"PORT|p": {"mtu", "1500"}}, rows{"PORT|p": {"mtu", "9100"}}, []string{"finish PORT|p mtu 9100"}},
		{"smaller frames", rows{"PORT|p": {"mtu", "9100"}}, rows{"PORT|p": {"mtu", "1500"}}, []string{"quiet PORT|p mtu 1500"}},
		{"a quicker poll", rows{"PFC_WD|GLOBAL": {"POLL_INTERVAL", "200"}}, rows{"PFC_WD|GLOBAL": {"POLL_INTERVAL", "100"}}, []string{"quiet PFC_WD|GLOBAL POLL_INTERVAL 100"}},
		{"a slower poll", rows{"PFC_WD|GLOBAL": {"POLL_INTERVAL", "100"}}, rows{"PFC_WD|GLOBAL": {"POLL_INTERVAL", "200"}}, []string{"finish PFC_WD|GLOBAL POLL_INTERVAL 200"}},
		{"a watchdog comes", rows{}, rows{"PFC_WD|p": {"action", "drop"}}, []string{"finish PFC_WD|p +"}},
		{"a watchdog goes", rows{"PFC_WD|p": {"action", "drop"}}, rows{}, []string{"quiet PFC_WD|p -"}},
		{
			"a curve moves up", rows{"WRED_PROFILE|c": {"green_min_threshold", "10", "green_max_threshold", "20"}}, rows{"WRED_PROFILE|c": {"green_min_threshold", "30", "green_max_threshold", "40"}},
			[]string{"classify WRED_PROFILE|c green_max_threshold 40", "classify WRED_PROFILE|c green_min_threshold 30"},
		},
		{
			"a curve moves down", rows{"WRED_PROFILE|c": {"green_min_threshold", "30", "green_max_threshold", "40"}}, rows{"WRED_PROFILE|c": {"green_min_threshold", "10", "green_max_threshold", "20"}},
			[]string{"classify WRED_PROFILE|c green_min_threshold 10", "classify WRED_PROFILE|c green_max_threshold 20"},
		},
		{
			"PFC's maps", rows{"PFC_PRIORITY_TO_PRIORITY_GROUP_MAP|M": {"3", "3"}, "MAP_PFC_PRIORITY_TO_QUEUE|M": {"3", "3"}}, rows{"PFC_PRIORITY_TO_PRIORITY_GROUP_MAP|M": {"3", "4"}, "MAP_PFC_PRIORITY_TO_QUEUE|M": {"3", "4"}},
			[]string{"remap PFC_PRIORITY_TO_PRIORITY_GROUP_MAP|M 3 4", "remap MAP_PFC_PRIORITY_TO_QUEUE|M 3 4"},
		},
		{"code points", rows{"DSCP_TO_TC_MAP|M": {"26", "3"}}, rows{"DSCP_TO_TC_MAP|M": {"26", "4"}}, []string{"classify DSCP_TO_TC_MAP|M 26 4"}},
		{
			"code points of a class that stops being lossless", classes("3", "3"), classes("0", ""),
			[]string{"vacate DSCP_TO_TC_MAP|M 26 0", "release PORT_QOS_MAP|Ethernet0 pfc_enable -"},
		},
		{
			"code points of a class that becomes lossless", classes("0", ""), classes("3", "3"),
			[]string{"enable PORT_QOS_MAP|Ethernet0 pfc_enable 3", "classify DSCP_TO_TC_MAP|M 26 3"},
		},
		{
			"code points that a new lossless class takes", classes("3", "3"), classes("4", "4"),
			[]string{"release PORT_QOS_MAP|Ethernet0 pfc_enable -", "enable PORT_QOS_MAP|Ethernet0 pfc_enable 4", "classify DSCP_TO_TC_MAP|M 26 4"},
		},
		{
			"code points that a lossless class takes", classes("3", "3,4"), classes("4", "4"),
			[]string{"vacate DSCP_TO_TC_MAP|M 26 4", "release PORT_QOS_MAP|Ethernet0 pfc_enable 4"},
		},
		{"what nothing needs", rows{"DSCP_TO_TC_MAP|M": {"26", "3"}}, rows{}, []string{"discard DSCP_TO_TC_MAP|M -"}},
		{"what will be needed", rows{}, rows{"DSCP_TO_TC_MAP|M": {"26", "3"}}, []string{"create DSCP_TO_TC_MAP|M +"}},
		{"queues", rows{"QUEUE|p|3": {"scheduler", "a"}}, rows{"QUEUE|p|3-4": {"scheduler", "a"}}, []string{"clear QUEUE|p|3 -", "bind QUEUE|p|3-4 +"}},
		{"queues beside", rows{"QUEUE|p|3": {"scheduler", "a"}}, rows{"QUEUE|p|4": {"scheduler", "a"}, "QUEUE|q|3": {"scheduler", "a"}}, []string{"bind QUEUE|p|4 +", "bind QUEUE|q|3 +", "discard QUEUE|p|3 -"}},
		{"buffers of queues", rows{"BUFFER_QUEUE|p|3": {"profile", "a"}}, rows{"BUFFER_QUEUE|p|3": {"profile", "b"}}, []string{"bind BUFFER_QUEUE|p|3 profile b"}},
	} {
		var got []string
		for _, e := range order(of(c.from), of(c.to)) {
			what := "+"
			switch {
			case e.field != "" && e.value != nil:
				what = e.field + " " + e.value.Text
			case e.field != "":
				what = e.field + " -"
			case e.fields == nil:
				what = "-"
			}
			got = append(got, fmt.Sprintf("%s %s|%s %s", phaseNames[e.phase], e.table, e.row, what))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

var phaseNames = [phases]string{
	quiet: "quiet", create: "create", vacate: "vacate", release: "release", divert: "divert", clear: "clear", lower: "lower", ease: "ease", shrink: "shrink", widen: "widen", raise: "raise",
	bind: "bind", unpair: "unpair", remap: "remap", pair: "pair", enable: "enable", classify: "classify", discard: "discard", finish: "finish",
}

// A group that changes to a profile which is edited meanwhile goes and comes back, if what it
// has on the way would lie outside of what both ends give it.
func TestCrossing(t *testing.T) {
	for _, c := range []struct {
		name                   string
		leaves, joins          string // xoff of "a" and "b", before
		leavesAfter, joinsThen string // and after; empty: gone
		want                   bool
	}{
		{"a larger one that stays as it is", "100", "200", "100", "200", false},
		{"a larger one, and what it leaves shrinks", "100", "200", "99", "200", true},
		{"a larger one, and what it leaves grows as far", "100", "200", "200", "200", false},
		{"a larger one, and what it leaves grows beyond", "100", "200", "201", "200", true},
		{"a larger one, and what it leaves goes", "100", "200", "", "200", false},
		{"a smaller one that stays as it is", "200", "100", "200", "100", false},
		{"a smaller one, and what it leaves shrinks as far", "200", "100", "100", "100", false},
		{"a smaller one, and what it leaves shrinks beyond", "200", "100", "99", "100", true},
		{"a smaller one that grows first", "200", "99", "200", "100", true},
		{"a smaller one that shrinks first", "200", "101", "200", "100", false},
		{"a smaller one that is new", "200", "", "200", "100", false},
	} {
		rows := func(a, b, binds string) map[string][]string {
			all := map[string][]string{"BUFFER_PG|p|3": {"profile", binds}}
			if a != "" {
				all["BUFFER_PROFILE|a"] = []string{"xoff", a}
			}
			if b != "" {
				all["BUFFER_PROFILE|b"] = []string{"xoff", b}
			}
			return all
		}
		p := newPlanner(of(rows(c.leaves, c.joins, "a")), of(rows(c.leavesAfter, c.joinsThen, "b")))
		was, row := p.from["BUFFER_PG"]["p|3"], p.to["BUFFER_PG"]["p|3"]
		must.Equalf(t, p.crossing(was, row, headroomOf(p.from, was), headroomOf(p.to, row)), c.want, "%s:", c.name)
	}
}

// What a profile is: lossless where it has headroom or the switch computes it, and computed only
// where it has none itself.
func TestHeadroomOf(t *testing.T) {
	db := of(map[string][]string{
		"BUFFER_PROFILE|own": {"xoff", "5", "pool", "in"}, "BUFFER_PROFILE|none": {"pool", "in"}, "BUFFER_PROFILE|made": {"headroom_type", "dynamic", "pool", "in"},
		"BUFFER_PROFILE|both": {"headroom_type", "dynamic", "xoff", "7"}, "BUFFER_PROFILE|zero": {"xoff", "0"}, "BUFFER_PROFILE|other": {"headroom_type", "static"},
	})
	for name, want := range map[string]headroom{
		"own": {lossless: true, bytes: 5, pool: "in"}, "none": {pool: "in"}, "made": {lossless: true, computed: true, pool: "in"}, "both": {lossless: true, bytes: 7},
		"zero": {lossless: true}, "other": {}, "gone": {}, "NULL": {lossless: true, computed: true, pool: "ingress_lossless_pool"},
	} {
		must.Equalf(t, headroomOf(db, Row{"profile": {Text: name}}), want, "%s:", name)
	}
}

// Old releases name several ports in a key, and write references in brackets; a name with a comma
// is a name.
func TestOldForms(t *testing.T) {
	for _, c := range []struct {
		rows map[string][]string
		want int
	}{
		{map[string][]string{"BUFFER_PG|Ethernet0|3": {"profile", "a"}, "BUFFER_PROFILE|a": {"pool", "in"}}, 0},
		{map[string][]string{"BUFFER_PG|Ethernet0,Ethernet4|3": {"profile", "a"}}, 1},
		{map[string][]string{"QUEUE|Ethernet0,Ethernet4|3": {}, "BUFFER_PG|Ethernet0,Ethernet4|3": {}}, 2},
		{map[string][]string{"BUFFER_PROFILE|a,b": {"pool", "in"}, "SCHEDULER|x,y": {}}, 0},
		{map[string][]string{"BUFFER_PG|Ethernet0|3": {"profile", "[BUFFER_PROFILE|a]"}, "QUEUE|Ethernet0|3": {"scheduler", "[SCHEDULER|s]"}}, 1}, // one tells the release
		{map[string][]string{"BUFFER_PROFILE|a": {"pool", "[BUFFER_POOL|in]"}}, 1},
	} {
		running := &Running{DB: of(c.rows)}
		found := check(&plan.Switch{}, "", running)
		if len(found) != c.want {
			t.Errorf("%v: %v, want %d", c.rows, found, c.want)
		}
		for _, d := range found {
			must.Equalf(t, d.Code, OldForm, "%v: %v:", c.rows, d)
		}
	}
}
