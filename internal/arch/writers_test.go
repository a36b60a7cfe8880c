package arch

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// writers are the places that may write files by the calls of the system, and why. All
// others use cmd/roceplan/whole: whole or not at all, and through no link.
var writers = map[string]string{
	"internal/disk/":       "it has the calls of the system, which cmd/roceplan/whole uses",
	"internal/runs/":       "its files are named by the digest of what they are of, and put there by a rename",
	"site/gen/":            "it writes pages into a folder that make has emptied",
	"packaging/release/":   "it writes a release into a folder that must be empty",
	"internal/diagtest/":   "it writes golden files, for tests",
	"internal/readtest/":   "it writes golden files, for tests",
	"internal/goldentest/": "it writes golden files, for tests",
	"internal/testcerts/":  "it writes certificates into temporary folders, for tests",
	"internal/mutants/":    "it writes woven sources into a temporary folder, and a report",
}

// writing are the functions of package os that put something into a place.
var writing = []string{"WriteFile", "Create", "CreateTemp", "OpenFile", "Rename", "Symlink", "Link"}

func TestFilesAreWrittenWhole(t *testing.T) {
	used := map[string]bool{}
	for file, tree := range parseTree(t, ".") {
		ast.Inspect(tree, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok || !slices.Contains(writing, call.Sel.Name) {
				return true
			}
			if from, ok := call.X.(*ast.Ident); !ok || from.Name != "os" {
				return true
			}
			for place := range writers {
				if strings.HasPrefix(file, place) {
					used[place] = true
					return true
				}
			}
			t.Errorf("%s calls os.%s: write files with cmd/roceplan/whole", file, call.Sel.Name)
			return true
		})
	}
	if len(used) < 3 {
		t.Errorf("only %d places that write were found, too few to mean anything", len(used))
	}
}
