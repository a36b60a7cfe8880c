package workload

import (
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
)

func TestBadInputs(t *testing.T) {
	diagtest.Run(t, "../../../golden/diag/workload", 4, func(t *testing.T, archive *txtar.Archive) diag.List {
		files, names := fstest.MapFS{}, []string{}
		for _, f := range archive.Files {
			if f.Name != "want.txt" {
				files[f.Name], names = &fstest.MapFile{Data: f.Data}, append(names, f.Name)
			}
		}
		w, found, _ := Read(files, names)
		if found.HasErrors() != (w == nil) {
			t.Errorf("workload %v in spite of %v", w, found)
		}
		return found
	})
}
