package headroom_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/units"
)

func batch(t testing.TB, questions string) (answers string, bad int) {
	t.Helper()
	var out bytes.Buffer
	bad = must.Get(headroom.Batch(strings.NewReader(questions), &out, catalogue(t)))(t)
	return out.String(), bad
}

func TestBatch(t *testing.T) {
	// The reserve is the catalogue's; the point here is the way through text.
	td3 := must.Get(bind(t, "td3", "ucloud").Compute(headroom.Input{Speed: units.Gbps, PortMTU: 9100, LosslessMTU: 1024, Lanes: 1}))(t)
	got, bad := batch(t, "\ufeffcable,chip,speed,lossless_mtu,method\n"+
		"100,td3,100000,,ucloud\n"+
		"15m,td3,25Gbps,,ucloud\n"+
		"300,spectrum-4,800000,1024,spectrum\n"+ // PR 3235 of sonic-swss prints xoff 474112
		"0.005km,spectrum-4,0.8Tbps,1.0KiB,spectrum\n")
	want := "cable,chip,speed,lossless_mtu,method,xon_bytes,xoff_bytes,size_bytes,headroom_cells,error\n" +
		fmt.Sprintf("100,td3,100000,,ucloud,0,104448,%d,408,\n", td3.Size) +
		fmt.Sprintf("15m,td3,25Gbps,,ucloud,0,25088,%d,98,\n", td3.Size) +
		"300,spectrum-4,800000,1024,spectrum,19456,476160,495616,2480,\n" +
		"0.005km,spectrum-4,0.8Tbps,1.0KiB,spectrum,19456,108544,128000,566,\n"
	must.Equalf(t, bad, 0, "rows without answer:")
	must.NoDiff(t, cmp.Diff(want, got))
}

// A bad row says why and stops no other.
func TestBatchBadRows(t *testing.T) {
	for row, reason := range map[string]string{
		"th9,100000,40,":         `no chip "th9"`,
		"th5,,40,":               "speed is missing",
		"th5,100000,,":           "cable is missing",
		",100000,40,":            "chip is missing",
		"th5,100 furlongs,40,":   "speed: ",
		"th5,100000,-3,":         "negative",
		"th5,100000,40kg,":       `the unit "kg" is unknown`,
		"th5,100000,2000km,":     "between 0m and 1000km",
		"th5,100000,40,magic":    `no headroom method "magic"`,
		"th5,100000,40,spectrum": "another family than tomahawk5",
		"th5,100000,40,table":    "table",
		"th5,100000":             "2 fields",
		"th5,100000,40,,7":       "5 fields",
		"th5,0,40,":              "1Mbps",
		"th5,1.6e3,40,":          "speed",
		"\"th5,100000,40,":       "column 16: extraneous or missing \" in quoted-field",
		"th5,100000,4\x000,":     "cable: ",
		"t\x00h5,100000,40,":     "no chip \"t\\x00h5\"",
		"th5,100000," + strings.Repeat("4", 1<<17) + ",": "more than 65536 bytes",
	} {
		got, bad := batch(t, "chip,speed,cable,method\nth5,100000,40,\n"+row+"\n")
		got = strings.ReplaceAll(got, `""`, `"`)
		lines := strings.Split(strings.TrimSpace(got), "\n")
		if bad != 1 || !strings.Contains(got, reason) || !strings.HasPrefix(lines[1], "th5,100000,40,,0,") {
			t.Errorf("%q: %d bad, want the reason %q in\n%s", row, bad, reason, got)
		}
	}
}

// endless is a line that never ends: of what is read, nothing is kept.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left -= len(p); e.left < 0 {
		return 0, io.ErrUnexpectedEOF
	}
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// A line without an end takes no memory, and what goes wrong in it is told.
func TestBatchEndlessLine(t *testing.T) {
	cat := catalogue(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := headroom.Batch(io.MultiReader(strings.NewReader("chip,speed,cable\n"), &endless{1 << 30}), io.Discard, cat)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("it ends with %v", err)
	}
	if made := after.TotalAlloc - before.TotalAlloc; made > 4<<20 {
		t.Errorf("a line of 1 GiB takes %d bytes", made)
	}
}

func TestBatchHeader(t *testing.T) {
	for header, reason := range map[string]string{
		"":                   "no header",
		"chip,speed,cabel\n": `no input "cabel"`,
		"chip,speed,chip\n":  "twice",
	} {
		_, err := headroom.Batch(strings.NewReader(header), io.Discard, catalogue(t))
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("header %q: %v, want %q", header, err, reason)
		}
	}
}

// What the batch gives is what the calculator gave, through text and back.
func TestBatchIsTheCalculator(t *testing.T) {
	rows := readCSV(t, oracle.Figures(t, "spectrum_headroom.csv"))
	var questions, want strings.Builder
	questions.WriteString("chip,speed,cable,port_mtu,gearbox,lanes,lossless_mtu,small_packets,over_subscribe,method\n")
	for _, r := range rows {
		fmt.Fprintf(&questions, "%s,%s,%s,%s,%s,%s,%s,%s,%s,spectrum\n", r["asic"], r["speed_mbps"], r["cable_m"], r["port_mtu_bytes"], r["gearbox_delay_ns"], r["lanes"], r["lossless_mtu_bytes"], r["small_packet_percent"], r["over_subscribe_ratio"])
		fmt.Fprintf(&want, "%s,%s,%s\n", r["xon_bytes"], r["xoff_bytes"], r["size_bytes"])
	}
	got, bad := batch(t, questions.String())
	var figures strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(got), "\n")[1:] {
		fields := strings.Split(line, ",")
		figures.WriteString(strings.Join(fields[10:13], ",") + "\n")
	}
	if d := cmp.Diff(want.String(), figures.String()); d != "" || bad != 0 {
		t.Errorf("%d bad, %s", bad, d)
	}
}

// bigBatch is n questions of all sorts.
func bigBatch(n int) []byte {
	var b bytes.Buffer
	b.WriteString("chip,speed,cable,port_mtu,lossless_mtu,small_packets,gearbox,lanes,over_subscribe,method\n")
	for i := range n {
		fmt.Fprintf(&b, "spectrum-%d,%d00000,%d,9100,%d,%d,0,%d,%d,\n", 2+i%5, 1<<(i%4), i%2000, 1024+i%8000, i%101, 1<<(i%4), i%3)
	}
	return b.Bytes()
}

// BenchmarkBatch reads, computes and writes; ns/op is per row.
func BenchmarkBatch(b *testing.B) {
	cat, questions := catalogue(b), bigBatch(b.N)
	b.ReportAllocs()
	b.ResetTimer()
	if bad, err := headroom.Batch(bytes.NewReader(questions), io.Discard, cat); bad != 0 || err != nil {
		b.Fatal(bad, err)
	}
}

func BenchmarkCompute(b *testing.B) {
	in := headroom.Input{Speed: 400 * units.Gbps, Cable: 300 * units.Metre, PortMTU: 9100, LosslessMTU: 4096, SmallPackets: 50 * units.Percent, Lanes: 8}
	for _, c := range []struct{ chip, method string }{{"spectrum-4", "spectrum"}, {"th5", "xgs"}, {"th5", "ieee8021q"}, {"td3", "ucloud"}, {"tofino2", "tofino"}} {
		m := bind(b, c.chip, c.method)
		b.Run(c.method, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				must.Get(m.Compute(in))(b)
			}
		})
	}
}

// Nothing is allocated per question: a script may ask millions.
func TestComputeTakesNoMemory(t *testing.T) {
	in := headroom.Defaults()
	in.Speed, in.Cable = 100*units.Gbps, 40*units.Metre
	for _, c := range []struct{ chip, method string }{
		{"spectrum-4", "spectrum"}, {"th5", "xgs"}, {"th5", "ieee8021q"}, {"td3", "ucloud"}, {"tofino2", "tofino"}, {"th5", "cisco"}, {"th5", "hpcc"},
	} {
		m := bind(t, c.chip, c.method)
		must.Equalf(t, testing.AllocsPerRun(100, func() { _, _ = m.Compute(in) }), 0, "%s on %s: allocations:", c.method, c.chip)
	}
}
