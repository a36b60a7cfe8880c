package openconfig

import (
	"bytes"
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

// A list that holds nothing is not printed, whatever the switch lacks.
func TestNoEmptyLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		files, found := Emit(s)
		if found.HasErrors() {
			t.Skip("OpenConfig does not support this switch:", found)
		}
		for _, empty := range []string{"[]", "{}"} {
			if text := files[0].Body.AppendFor(nil, "leaf"); bytes.Contains(text, []byte(empty)) && !bytes.Equal(bytes.TrimSpace(text), []byte("{}")) {
				t.Fatalf("%s in\n%s", empty, text)
			}
		}
	})
}
