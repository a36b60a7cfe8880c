package dcb

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

var update = flag.Bool("update", false, "write findings into testdata")

// good returns the text that `dcb -j` prints of a ConnectX-7 that matches nic("connectx-7"), in the
// form of iproute2 6.1.
func good(t testing.TB) string {
	text := must.Get(os.ReadFile("testdata/connectx-7.json"))(t)
	return string(text)
}

// nic is a NIC in a fabric with RDMA, CNPs and all else.
func nic(model string) *plan.Host {
	h := &plan.Host{
		Name: "nic", Model: model, MTU: 9216, CNPDSCP: 48, CNPPFC: 6,
		Cable: 3 * units.Metre, Speed: 100 * units.Gbps, Buffer: plan.Derived[units.Bytes]{Value: 66011},
		Classes: []plan.HostClass{
			{Name: "rest", Priority: 0, Share: 40},
			{Name: "rdma", DSCPs: []uint8{26}, Priority: 3, Lossless: true, Share: 60, Used: true, ECN: true},
			{Name: "cnp", DSCPs: []uint8{48}, Priority: 6, Strict: true, CNP: true},
		},
	}
	h.Priorities[26], h.Priorities[48] = 3, 6
	return h
}

func TestMatchingNIC(t *testing.T) {
	r, found := Read("eth2.json", []byte(good(t)))
	found = append(found, Audit(nic("connectx-7"), r)...)
	if len(found) > 0 {
		t.Errorf("%v", found)
	}
	if got := []int64{r.PFC.Delay.Value, r.Apps.DSCP[26].Priority, r.ETS.TC[6].Value, r.ETS.Percent[3].Value, r.Buffer.Size[1].Value}; !cmp.Equal(got, []int64{3, 3, 6, 60, 130944}) {
		t.Errorf("read %d", got)
	}
}

// What is said of NICs that do not match, and of files that cannot be read.
func TestFindings(t *testing.T) {
	replace := func(old, new string) func(string) string {
		return func(s string) string {
			if !strings.Contains(s, old) {
				t.Fatalf("the file has no %s", old)
			}
			return strings.Replace(s, old, new, 1)
		}
	}
	line := func(n int) func(string) string {
		return func(s string) string { return strings.Split(s, "\n")[n] + "\n" }
	}
	cases := []struct {
		name, model string
		change      func(string) string
	}{
		{"older words", "connectx-7", replace("[false,false,false,true,", `["off","off","off","on",`)},
		{"PFC of another priority", "connectx-7", replace("[false,false,false,true,false,", "[false,false,false,false,true,")},
		{"the driver's own cable", "connectx-7", replace(`"delay":3`, `"delay":7`)},
		{"a shorter cable", "connectx-7", replace(`"delay":3`, `"delay":1`)},
		{"no trust", "connectx-7", func(s string) string {
			lines := strings.Split(s, "\n")
			lines[1] = "{}"
			return strings.Join(lines, "\n")
		}},
		{"RDMA in priority 0", "connectx-7", replace("[26,3]", "[26,0]")},
		{"CNPs in priority 7", "connectx-7", replace("[48,6]", "[48,7]")},
		{"a neighbour in the lossless priority", "connectx-7", replace("[24,0]", "[24,3]")},
		{"a code point in another lossy priority", "connectx-7", replace("[8,0]", "[8,1]")},
		{"RDMA without an entry", "connectx-7", replace("[26,3],", "")},
		{"one traffic class for all", "connectx-7", replace(`"prio_tc":[0,0,0,3,0,0,6,0]`, `"prio_tc":[0,0,0,0,0,0,6,0]`)},
		{"CNPs by weight", "connectx-7", replace(`"strict","strict","strict","strict"],"prio_tc"`, `"strict","strict","ets","strict"],"prio_tc"`)},
		{"other shares", "connectx-7", replace(`"tc_bw":[40,0,0,60`, `"tc_bw":[50,0,0,50`)},
		{"willing", "connectx-7", replace(`"willing":false`, `"willing":true`)},
		{"a small buffer", "connectx-7", replace("[130944,130944,", "[196480,65408,")},
		{"one buffer", "connectx-7", replace(`"prio_buffer":[0,0,0,1`, `"prio_buffer":[0,0,0,0`)},
		{"PFC alone", "connectx-7", line(0)},
		{"nothing", "other", func(string) string { return "" }},
		{"not JSON", "connectx-7", replace(`"delay":3`, `"delay":3 3`)},
		{"cut off", "connectx-7", func(s string) string { return s[:40] }},
		{"seven priorities", "connectx-7", replace("[40,0,0,60,", "[40,0,60,")},
		{"a word for a number", "connectx-7", replace("[26,3]", `["AF31",3]`)},
		{"priority 9", "connectx-7", replace("[26,3]", "[26,9]")},
		{"three numbers", "connectx-7", replace("[26,3]", "[26,3,1]")},
		{"a bound on the rate, and the order of trust", "connectx-7", func(s string) string {
			return s + "{\"tc_maxrate\":[0,0,0,100000000,0,0,0,0]}\n{\"order\":[\"pcp\",\"dscp\"]}\n"
		}},
		{"the port of RoCE in another priority", "thor2", replace(`{"dscp_prio":`, `{"dgram_port_prio":[[4791,0]],"dscp_prio":`)},
		{"two NICs", "connectx-7", func(s string) string { return s + s }},
		{"a list", "connectx-7", func(string) string { return "[1]" }},
		{"deep", "connectx-7", func(string) string { return strings.Repeat(`{"pfc":`, 20) + "1" + strings.Repeat("}", 20) }},
		{"large", "connectx-7", func(string) string { return strings.Repeat(" ", dialect().MaxSize+1) }},
		{"Broadcom, which has other traffic classes", "thor2", func(string) string {
			return `{"pfc_cap":8,"macsec_bypass":false,"delay":0,"prio_pfc":[false,false,false,true,false,false,false,false]}
{"dscp_prio":[[26,3],[48,6]],"dgram_port_prio":[[4791,3]]}
{"willing":false,"ets_cap":3,"cbs":false,"tc_bw":[40,60,0,0,0,0,0,0],"tc_tsa":["ets","ets","strict","strict","strict","strict","strict","strict"],"prio_tc":[0,0,0,1,0,0,2,0]}
`
		}},
	}
	var got strings.Builder
	for _, c := range cases {
		text := c.change(good(t))
		r, found := Read("eth2.json", []byte(text))
		if !found.HasErrors() {
			found = append(found, Audit(nic(c.model), r)...).Sorted()
		}
		fmt.Fprintf(&got, "# %s\n", c.name)
		must.Do(t, (diag.Text{Sources: diag.Sources{"eth2.json": []byte(text)}}).Write(&got, found))
		got.WriteByte('\n')
	}
	const file = "testdata/findings.txt"
	if *update {
		must.Do(t, os.WriteFile(file, []byte(got.String()), 0o644))
	}
	want := must.Get(os.ReadFile(file))(t)
	must.NoDiffIn(t, cmp.Diff(string(want), got.String()), "%s (-want +got):", file)
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(good(f)))
	f.Add([]byte(`{"prio_pfc":["on"]}`))
	f.Add([]byte("{\"delay\":\n\xff}"))
	f.Add([]byte(`{"dscp_prio":[[26,[]]],"willing":{}}{`))
	f.Fuzz(func(t *testing.T, src []byte) {
		r, found := Read("x.json", src)
		for _, d := range append(found, Audit(nic("connectx-7"), r)...) {
			if d.Subject.Start.Byte > d.Subject.End.Byte || d.Subject.End.Byte > len(src) {
				t.Fatalf("%v lies outside of the file", d.Subject)
			}
		}
	})
}
