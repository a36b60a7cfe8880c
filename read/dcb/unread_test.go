package dcb

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/diag"
)

// What dcb prints and nobody reads is told at its line; what a NIC is able to, counts, or offers its
// link partner needs no word. Keys are those of iproute2's dcb/dcb_*.c.
func TestWhatIsNotRead(t *testing.T) {
	for text, want := range map[string][]int{
		`{"tc_maxrate":[0,0,0,1000000,0,0,0,0]}`:                                         {1},
		"{\"pfc_cap\":8}\n{\"order\":[\"pcp\",\"dscp\"]}":                                {2},
		"{\"maxrate\":{\n\"tc_maxrate\":[]},\n\"apptrust\":{}}":                          {1, 3},
		"{\"app\":{\n\"other\":1}}":                                                      {2},
		"{\"delay\":3,\n\"dealy\":4}":                                                    {2},
		"{\"ethtype_prio\":[[2048,3]],\n\"stream_port_prio\":[[4420,3]]}":                {1, 2},
		"{\"port_prio\":[[4791,3]],\n\"default_prio\":[3],\n\"pcp_prio\":[[\"3nd\",3]]}": {1, 2, 3},
		`{"ethtype_prio":[],"default_prio":[],"dgram_port_prio":[]}`:                     nil,
		"{\"pg_bw\":[0,0,0,100,0,0,0,0]}":                                                {1},
		`{"pfc_cap":8,"macsec_bypass":false,"requests":[1,2,3,4,5,6,7,8],"indications":[0,0,0,0,0,0,0,0],"ets_cap":8,"cbs":false,` +
			`"pg_bw":[0,0,0,0,0,0,0,0],"reco_tc_bw":[0,0,0,0,0,0,0,0],"reco_tc_tsa":["strict"],"reco_prio_tc":[1],"total_size":262016}`: nil,
	} {
		_, found := Read("f", []byte(text))
		var lines []int
		for _, d := range found {
			if d.Code != Unread || d.Severity != diag.Warning {
				t.Errorf("%s: %v", text, d)
			}
			lines = append(lines, d.Subject.Start.Line)
		}
		if !slices.Equal(lines, want) {
			t.Errorf("%s: told at lines %v, want %v", text, lines, want)
		}
	}
}

// A part that is empty or no object is none of another part: only an empty table of priorities is `{}`.
func TestPartsThatAreNone(t *testing.T) {
	for text, want := range map[string]struct {
		apps  bool
		codes []diag.Code
	}{
		`{}`:          {apps: true},
		`{"app":{}}`:  {apps: true},
		`{"pfc":{}}`:  {},
		`{"ets":5}`:   {codes: []diag.Code{Shape}},
		`{"app":[]}`:  {codes: []diag.Code{Shape}},
		`{"pfc":"x"}`: {codes: []diag.Code{Shape}},
	} {
		r, found := Read("f", []byte(text))
		var codes []diag.Code
		for _, d := range found {
			codes = append(codes, d.Code)
		}
		if (r.Apps != nil) != want.apps || !slices.Equal(codes, want.codes) {
			t.Errorf("%s: a table of priorities: %v, %v", text, r.Apps != nil, found)
		}
	}
}

// The second of two equal keys, of two NICs in one file or of one asked twice, would replace the first.
func TestTwoNICsInAFile(t *testing.T) {
	_, found := Read("f", []byte("{\"delay\":3}\n{\"delay\":7}\n"))
	if len(found) != 1 || found[0].Code != Shape || found[0].Subject.Start.Line != 2 {
		t.Errorf("%v", found)
	}
}

// The port of RoCE has the priority of RDMA, or nobody knows whether it or the code point counts.
func TestPriorityByPort(t *testing.T) {
	for text, want := range map[string]int{
		`{"dscp_prio":[[26,3],[48,6]],"dgram_port_prio":[[4791,3]]}`:          0,
		`{"dscp_prio":[[26,3],[48,6]],"dgram_port_prio":[[4791,0]]}`:          1,
		`{"dscp_prio":[[26,3],[48,6]],"dgram_port_prio":[[53,3]]}`:            1,
		`{"dscp_prio":[[26,3],[48,6]],"dgram_port_prio":[[4791,6],[4790,3]]}`: 2,
		`{"dgram_port_prio":[[4791,0]]}`:                                      1,
	} {
		r, found := Read("f", []byte(text))
		told := 0
		for _, d := range append(found, Audit(nic("thor2"), r)...) {
			if d.Code == Unread {
				told++
			}
		}
		if told != want {
			t.Errorf("%s: %d entries are told, want %d", text, told, want)
		}
	}
}
