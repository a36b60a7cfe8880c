package formulas

import (
	"flag"
	"os"
	"testing"

	"github.com/roceplan/roceplan/internal/packed"
	"github.com/roceplan/roceplan/internal/testing/must"
)

var update = flag.Bool("update", false, "write formulas.bin")

// The program has the documents as they are here; -update packs them.
func TestPacked(t *testing.T) {
	file := must.Get(packed.PackFiles(os.DirFS("."), "*.hcl"))(t)
	if *update {
		must.Do(t, os.WriteFile("formulas.bin", file, 0o666))
	} else if string(file) != documents {
		t.Error("formulas.bin is not the documents; `go test ./calc/formulas -update` packs them")
	}
}
