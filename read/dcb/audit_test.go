package dcb

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// What is said of a NIC whose settings differ in one value from what its fabric needs: priority 3
// is paused and has DSCP 26, CNPs have DSCP 48 and priority 6; 3 m of cable and 66,011 B of buffer.
func TestAuditByHand(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string
		host     func(*plan.Host)
		want     []diag.Code
	}{
		"as it is":                                     {},
		"PFC off where it is needed":                   {old: "false,false,false,true,", new: "false,false,false,false,", want: []diag.Code{PFC}},
		"PFC on beside it":                             {old: "true,false,false,false,false]", new: "true,true,false,false,false]", want: []diag.Code{PFC}},
		"a cable of 2 m":                               {old: `"delay":3`, new: `"delay":2`, want: []diag.Code{Cable}},
		"a cable of 4 m":                               {old: `"delay":3`, new: `"delay":4`, want: []diag.Code{Cable}},
		"nothing of a cable":                           {old: `"delay":3,`, new: ""},
		"a cable of 2.5 m":                             {host: func(h *plan.Host) { h.Cable = 2500 * units.Millimetre }},
		"a cable that is not known":                    {host: func(h *plan.Host) { h.Cable = 0 }, old: `"delay":3`, new: `"delay":9`},
		"nothing to pause":                             {host: func(h *plan.Host) { h.Classes[1].Lossless = false }, old: `"delay":3`, new: `"delay":9`, want: []diag.Code{PFC}},
		"a Thor, which has no such buffer":             {host: func(h *plan.Host) { h.Model = "thor2" }, old: `"delay":3`, new: `"delay":9`},
		"a buffer that just suffices":                  {old: "[130944,130944,", new: "[130944,66011,"},
		"a byte less":                                  {old: "[130944,130944,", new: "[130944,66010,", want: []diag.Code{Buffer}},
		"a smaller one of another":                     {old: "[130944,130944,", new: "[5,130944,"},
		"a shared one":                                 {old: `"prio_buffer":[0,0,0,1,0,0,0,0]`, new: `"prio_buffer":[1,0,0,1,0,0,0,0]`, want: []diag.Code{Buffer}},
		"buffers of which priorities lack":             {old: `"prio_buffer":[0,0,0,1,0,0,0,0],`, new: ""},
		"buffers of which sizes lack":                  {old: `"buffer_size":[130944,130944,0,0,0,0,0,0],`, new: ""},
		"willing":                                      {old: `"willing":false`, new: `"willing":true`, want: []diag.Code{Willing}},
		"RDMA by weight of another share":              {old: `"tc_bw":[40,0,0,60`, new: `"tc_bw":[40,0,0,59`, want: []diag.Code{Share}},
		"shares of a strict class":                     {old: `"tc_bw":[40,0,0,60,0,0,0`, new: `"tc_bw":[40,0,0,60,0,0,7`},
		"shares that are not told":                     {old: `"tc_bw":[40,0,0,60,0,0,0,0],`, new: ""},
		"RDMA in front":                                {old: `"tc_tsa":["ets","strict","strict","ets"`, new: `"tc_tsa":["ets","strict","strict","strict"`, want: []diag.Code{Queue}},
		"CNPs by weight":                               {old: `"tc_tsa":["ets","strict","strict","ets","strict","strict","strict"`, new: `"tc_tsa":["ets","strict","strict","ets","strict","strict","ets"`, want: []diag.Code{Queue}},
		"RDMA and the rest in one queue":               {old: `"prio_tc":[0,0,0,3`, new: `"prio_tc":[0,0,0,0`, want: []diag.Code{Queue, Share}},
		"queues that are not told":                     {old: `"prio_tc":[0,0,0,3,0,0,6,0],`, new: ""},
		"RDMA in priority 2":                           {old: "[26,3]", new: "[26,2]", want: []diag.Code{DSCP}},
		"a lossy code point beside":                    {old: "[27,0]", new: "[27,1]", want: []diag.Code{DSCP}},
		"no code points":                               {old: "[26,3],", new: "", want: []diag.Code{DSCP}},
		"the largest code point and a pair too little": {old: "[63,0]", new: "[63,0],[5]", want: []diag.Code{Shape}},
		"code point 64":                                {old: "[63,0]", new: "[64,0]", want: []diag.Code{Shape}},
		"no pairs":                                     {old: `{"dscp_prio":`, new: `{"dgram_port_prio":5}{"dscp_prio":`, want: []diag.Code{Shape}},
		"port 65535":                                   {old: `{"dscp_prio":`, new: `{"dgram_port_prio":[[65535,3]]}{"dscp_prio":`, want: []diag.Code{Unread}},
		"port 65536":                                   {old: `{"dscp_prio":`, new: `{"dgram_port_prio":[[65536,3]]}{"dscp_prio":`, want: []diag.Code{Shape}},
		"put together by somebody":                     {old: `{"pfc_cap":8,"macsec_bypass":false,"delay":3,"prio_pfc":[false,false,false,true,false,false,false,false]}`, new: `{"pfc":{"delay":3,"prio_pfc":[false,false,false,true,false,false,false,false]}}`},
		"what is neither of the four":                  {old: `{"pfc_cap":8`, new: `{"other":{"delay":9}}{"pfc_cap":8`, want: []diag.Code{Unread}},
	} {
		text := good(t)
		if !strings.Contains(text, c.old) {
			t.Fatalf("%s: the file has no %s", name, c.old)
		}
		h := nic("connectx-7")
		if c.host != nil {
			c.host(h)
		}
		r, found := Read("eth2.json", []byte(strings.Replace(text, c.old, c.new, 1)))
		if !found.HasErrors() {
			found = append(found, Audit(h, r)...)
		}
		var codes []diag.Code
		for _, d := range found {
			codes = append(codes, d.Code)
		}
		if slices.Sort(codes); !slices.Equal(slices.Compact(codes), c.want) {
			t.Errorf("%s: %v, want %v", name, found, c.want)
		}
	}
}

// A pair that is none is left out, the others are read; a table of another kind says that there are some.
func TestPairs(t *testing.T) {
	r, found := Read("f", []byte(`{"dscp_prio":[[26,3],[1],[2,9],[70,1],["x",1],[48,6]]}`))
	if len(found) != 4 || len(r.Apps.DSCP) != 2 || r.Apps.DSCP[1].Key != 48 || r.Apps.DSCP[1].Priority != 6 {
		t.Errorf("%+v, %v", r.Apps, found)
	}
	for _, key := range []string{"ethtype_prio", "stream_port_prio", "port_prio", "default_prio", "pcp_prio"} {
		if r, found := Read("f", []byte(`{"`+key+`":[]}`)); r.Apps == nil || len(found) > 0 {
			t.Errorf("%s: %+v, %v", key, r.Apps, found)
		}
	}
}
