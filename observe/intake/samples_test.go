package intake

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// TestPublicSamples reads the output of devices that public repositories hold. Of each it lists how many rows are read, and every
// finding: a sample that gives neither is passed over silently. The numbers of rows are counted by hand, from the cells that are no N/A.
func TestPublicSamples(t *testing.T) {
	archive := must.Get(txtar.ParseFile("testdata/samples.txtar"))(t)
	var got strings.Builder
	want := ""
	for _, f := range archive.Files {
		if f.Name == "want.txt" {
			want = string(f.Data)
			continue
		}
		rows, found := Read("leaf-1/"+f.Name[strings.LastIndexByte(f.Name, '/')+1:], f.Data)
		if len(rows) == 0 && len(found) == 0 {
			t.Errorf("%s gives neither rows nor findings", f.Name)
		}
		fmt.Fprintf(&got, "%s: %d rows\n", f.Name[strings.LastIndexByte(f.Name, '/')+1:], len(rows))
		for _, d := range found {
			fmt.Fprintf(&got, "    %s %s: %s\n", d.Severity, d.Code, d.Message)
		}
	}
	must.NoDiffIn(t, cmp.Diff(want, got.String()), "(-want +got)")
}

// A queue of Junos and a pair of rdma that are cut off are errors: what is left would be another count.
func TestCutOffCounts(t *testing.T) {
	const junos = "Physical interface: et-0/0/1, Enabled\n  Egress queues: 8 supported, 1 in use\n  Queue counters:       Queued packets  Transmitted packets      Dropped packets\n    0 best-effort   12   10    20\n"
	const rdma = "link mlx5_0/1 rp_cnp_handled 12\n  np_cnp_sent 34\n"
	for text, whole := range map[string]int{junos: 2, rdma: 2} {
		if rows, found := Read("leaf-1.txt", []byte(text)); len(rows) != whole || len(found) > 0 {
			t.Errorf("%d rows, want %d: %v", len(rows), whole, found)
		}
		for n := len(text) - 8; n < len(text)-1; n++ {
			if rows, found := Read("leaf-1.txt", []byte(text[:n])); !found.HasErrors() {
				t.Errorf("%q gives %d rows without an error", text[:n], len(rows))
			}
		}
	}
}
