package outdir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/oracle"
)

// The folder of a device that is a link is refused, and nothing is written, neither here
// nor where the link leads.
func TestLinkedFolderIsRefused(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(dir, "a")); err != nil {
		oracle.Missing(t, "no symbolic links here: "+err.Error())
	}
	_, err := tree("one", "a", "b").Write(t.Context(), dir, nil)
	if err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("a linked folder gives %v", err)
	}
	for _, folder := range []string{elsewhere, filepath.Join(dir, "b")} {
		if left, _ := os.ReadDir(folder); len(left) > 0 {
			t.Errorf("%s holds %v", folder, left)
		}
	}
}
