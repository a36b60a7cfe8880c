package intake

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestPublicSamples reads the output of devices that public repositories hold. Of each it lists how many rows are read, and every
// finding: a sample that gives neither is passed over silently. The numbers of rows are counted by hand, from the cells that are no N/A.
func TestPublicSamples(t *testing.T) {
	inArchive(t, "testdata/samples.txtar", func(f txtar.File, got *strings.Builder) {
		name := path.Base(f.Name)
		rows, found := Read("leaf-1/"+name, f.Data)
		if len(rows) == 0 && len(found) == 0 {
			t.Errorf("%s gives neither rows nor findings", f.Name)
		}
		fmt.Fprintf(got, "%s: %d rows\n", name, len(rows))
		for _, d := range found {
			fmt.Fprintf(got, "    %s %s: %s\n", d.Severity, d.Code, d.Message)
		}
	})
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
