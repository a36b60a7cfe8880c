package hpcc

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

func TestBadInputs(t *testing.T) {
	folder, err := filepath.Abs("../../../golden/diag/hpcc") // the finder changes the folder
	if err != nil {
		t.Fatal(err)
	}
	diagtest.Run(t, folder, 4, func(t *testing.T, archive *txtar.Archive) diag.List {
		in := readArchive(t, archive)
		if in.Found.HasErrors() != (in.Scenario == nil) {
			t.Errorf("scenario %v in spite of %v", in.Scenario, in.Found)
		}
		return in.Found
	})
}

func readArchive(t *testing.T, archive *txtar.Archive) *Input {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, f := range archive.Files {
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	in, err := Read("config.txt", sim.ExactTimes)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestUnits(t *testing.T) {
	for text, want := range map[string]units.BitRate{
		"100Gbps": 100 * units.Gbps, "20Mb/s": 20 * units.Mbps, "1.5kB/s": 12 * units.Kbps,
		"1Kib/s": 1024, "2GiB/s": 16 << 30, "25000000000": 25 * units.Gbps,
	} {
		r := &reader{sources: diag.Sources{}}
		if got, _ := r.words("x", []byte(text)).rate("rate"); got != want || len(r.found) > 0 {
			t.Errorf("%s: %d, want %d; %v", text, got, want, r.found)
		}
	}
	for text, want := range map[string]units.Time{
		"1000ns": units.Microsecond, "1.5us": 1500 * units.Nanosecond, "0.001": units.Millisecond,
	} {
		r := &reader{sources: diag.Sources{}}
		if got, _ := r.words("x", []byte(text)).delay("delay"); got != want || len(r.found) > 0 {
			t.Errorf("%s: %d, want %d; %v", text, got, want, r.found)
		}
	}
	for _, text := range []string{"100", "fast", "100Gbpps", "1Tbps", "-1us", "1e3ns", ""} {
		r := &reader{sources: diag.Sources{}}
		w := r.words("x", []byte(text))
		if _, _ = w.rate("rate"); text != "100" && len(r.found) != 1 {
			t.Errorf("rate %q: %v, want one finding", text, r.found)
		}
	}
}
