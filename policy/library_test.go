package policy_test

import (
	"os"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/packed"
	"github.com/roceplan/roceplan/policy"
)

// TestLibrary: the scenarios that come with the program are sound, which is a panic else, have
// names of their own, in order, and say what they are.
func TestLibrary(t *testing.T) {
	var names []string
	for _, s := range policy.Library() {
		names = append(names, s.Name)
		if s.Doc.Value == "" {
			t.Errorf("%s says nothing of itself", s.Name)
		}
	}
	if len(names) == 0 || !slices.IsSortedFunc(names, natural.Compare) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("names %v", names)
	}
}

// library.flate is library.hcl, compressed; -update writes it.
func TestLibraryFile(t *testing.T) {
	text, err := os.ReadFile("library.hcl")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		file, err := packed.Pack(string(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("library.flate", file, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile("library.flate")
	if err != nil {
		t.Fatal(err)
	}
	if packed.Text(string(file)) != string(text) {
		t.Error("library.flate is not library.hcl; -update packs it")
	}
}
