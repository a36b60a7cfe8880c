package openconfig

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	reader "github.com/roceplan/roceplan/read/openconfig"
)

// TestReadingWhatWasWritten: reading what the emitter wrote returns all that the
// models hold.
func TestReadingWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		files, list := Emit(s)
		if list.HasErrors() {
			t.Fatalf("refused: %v", list)
		}
		text := files[0].Body.AppendFor(nil, s.Names[0])
		got, list := readtest.Switch(reader.Format(), "openconfig.json", text)
		for _, d := range list {
			if s.OS != "eos" || d.Code != reader.Unnumbered {
				t.Fatalf("found in what was written: %v\n%s", d, text)
			}
		}
		if diff := cmp.Diff(holds(s), got, same); diff != "" {
			t.Fatalf("(-held +read)\n%s\n%s", diff, text)
		}
	})
}
