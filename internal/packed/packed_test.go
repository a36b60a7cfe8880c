package packed_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/packed"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// What is packed comes back: texts without an end of line, empty ones, and those that hold such ends.
func TestFiles(t *testing.T) {
	want := []string{"a.hcl", "one\ntwo\n", "b", "", "c", "three"}
	var all strings.Builder
	for file := range slices.Chunk(want, 2) {
		all.WriteString(packed.Entry(file[0], file[1]))
	}
	file := must.Get(packed.Pack(all.String()))(t)
	must.Equal(t, packed.Text(string(file)), all.String())
	var got []string
	for name, text := range packed.Files(string(file)) {
		got = append(got, name, text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for name := range packed.Files(string(file)) {
		must.Equalf(t, name, "a.hcl", "it goes on to")
		break
	}
	empty, _ := packed.Pack("")
	for name := range packed.Files(string(empty)) {
		t.Errorf("of nothing it has %q", name)
	}
}
