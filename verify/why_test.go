package verify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/units"
)

// proven are the ways in which a verdict once said more than was proved, and the tests that
// they are found now; what devices obey and readers drop is in complaints.
var proven = []struct{ what, test, in string }{
	{"the proof takes the peer's response from the figure under test", "TestSameBytesSameVerdict", "."},
	{"a run of a proved fabric loses a packet", "TestProofAndSimulator", "../cmd/roceplan"},
	{"nothing read, everything proved", "TestNothingRead", "."},
	{"a reader that accounts for nothing proves", "TestNothingAccounted", "."},
	{"a largest frame without a response is a response of 0", "TestFrameAlone", "."},
	{"ports that are down place those that are up", "TestPortsThatAreDownDoNotCount", "../model"},
	{"a gearbox is ignored", "TestGearboxAndClocks", "."},
	{"clocks are nominal", "TestGearboxAndClocks", "."},
	{"EOS without MMU lines has 0 bytes", "TestDefaultsOfEOS", "."},
	{"what EOS has by default for lossy traffic is nothing", "TestComplaints", "."},
	{"the switch sizes its egress pool otherwise than the proof", "TestDynamicBuffers", "."},
	{"a certificate without obligations passes", "TestRecheckDemandsAll", "."},
	{"a certificate is silent about a line", "TestCertificateOfOpenLine", "."},
	{"harmful edits are found only because they differ from our compiler", "TestMutations", "../cmd/roceplan"},
	{"every line of an EOS file is modelled, neutral, or neither", "TestEveryLine", "../read/eos"},
	{"every leaf of an OpenConfig file is", "TestEveryLeafIsAccountedFor", "../read/openconfig"},
	{"shipped SONiC files are found wrong where SONiC would not", "TestShipped", "../read/sonic"},
}

func TestEachHasATest(t *testing.T) {
	for _, p := range proven {
		files := must.Get(filepath.Glob(filepath.Join(p.in, "*_test.go")))(t)
		found := false
		for _, file := range files {
			text := must.Get(os.ReadFile(file))(t)
			found = found || strings.Contains(string(text), "\nfunc "+p.test+"(t *testing.T)")
		}
		if !found {
			t.Errorf("%s: there is no %s in %s", p.what, p.test, p.in)
		}
	}
}

// What a gearbox holds back comes in after the pause: once on the way out, once on the way in.
// And a peer whose clock is 100 parts in a million fast sends more than a nominal one while this
// switch, which counts time by a slow one, waits.
func TestGearboxAndClocks(t *testing.T) {
	link := model.Link{Rate: 100 * units.Gbps, Cable: units.Metre, PortFrame: 9216, LosslessFrame: 9216}
	none := link.Bytes()
	link.Gearbox = units.Microsecond
	// 2 us at 100 Gb/s are 25,000 B, and 200 parts in a million of that are 5 B.
	if more := link.Bytes() - none; more < 25_000 || more > 25_006 {
		t.Errorf("a gearbox of 1us lets %v more in", more)
	}
	link.Gearbox, link.Response = 0, units.Millisecond
	// 1 ms at 100 Gb/s is 12,500,000 B; 100 parts in a million are 1,250 B, twice that 2,500 B.
	if more := link.Bytes() - none; more < 12_501_250 || more > 12_502_502 {
		t.Errorf("a response of 1ms lets %v in", more)
	}
}
