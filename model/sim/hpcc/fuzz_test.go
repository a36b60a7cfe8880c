package hpcc

import (
	"os"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
)

// FuzzRead gives the reader files of any content: what it accepts must run, what it
// refuses must be a finding, and nothing may panic.
func FuzzRead(f *testing.F) {
	f.Add("CC_MODE 3 HAS_WIN 1 MULTI_RATE 1 TOPOLOGY_FILE t FLOW_FILE f BUFFER_SIZE 1\nKMAX_MAP 1 100000000000 4\nKMIN_MAP 1 100000000000 1\nPMAX_MAP 1 100000000000 0.2",
		"3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0.01", "2\n0 1 3 100 9000 2.0\n1 0 3 100 5000 2.0")
	f.Add("CC_MODE 1 ENABLE_QCN 0 TOPOLOGY_FILE t FLOW_FILE f PACKET_PAYLOAD_SIZE 60000 RATE_AI 0Gbps MIN_RATE 0bps",
		"2 0 1\n0 1 400Gbps 2.5ms 1", "1\n0 1 0 100 100000 0")
	f.Add("CC_MODE 8 HAS_WIN 1 VAR_WIN 1 L2_BACK_TO_ZERO 1 L2_CHUNK_SIZE 7 TOPOLOGY_FILE t FLOW_FILE f BUFFER_SIZE 0", "1048576 1048576 1", "1000000000")
	f.Fuzz(func(t *testing.T, config, topology, flows string) {
		t.Chdir(t.TempDir())
		for name, text := range map[string]string{"config": config, "t": topology, "f": flows} {
			must.Do(t, os.WriteFile(name, []byte(text), 0o644))
		}
		in := must.Get(Read("config", sim.NS3Times))(t)
		if in.Scenario == nil {
			if !in.Found.HasErrors() {
				t.Fatal("refused without a finding")
			}
			return
		}
		if small(in.Scenario) {
			if _, err := sim.Run(t.Context(), in.Scenario); err != nil {
				t.Fatalf("accepted, but %v", err)
			}
		}
		if len(in.Found) > 0 && in.Found[0].Severity == diag.Error {
			t.Fatal("accepted with errors")
		}
	})
}

// small reports whether a run ends soon.
func small(sc *sim.Scenario) bool {
	bytes := int64(0)
	for _, f := range sc.Flows {
		bytes += int64(f.Bytes)
	}
	return bytes/int64(sc.Transport.Payload) < 1000 && len(sc.Nodes) < 100 && len(sc.Links) < 100
}
