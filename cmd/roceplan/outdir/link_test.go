package outdir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/testing/oracle"
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

// So are folders below it, and those of devices that are gone: a file would be written, or
// removed, elsewhere.
func TestLinksOnTheWay(t *testing.T) {
	body := emit.NewBody([]byte("x\n"))
	nested := Tree{Shapes: []Shape{{[]string{"hosts"}, func() ([]emit.File, error) {
		return []emit.File{{Path: "cx7/roce.sh", Body: body}}, nil
	}}}}
	for what, next := range map[string]Tree{"written": nested, "removed": tree("one", "a")} {
		dir, elsewhere := t.TempDir(), t.TempDir()
		write(t, nested, dir)
		linked := filepath.Join(dir, "hosts", "cx7")
		script := filepath.Join(elsewhere, "roce.sh")
		for _, err := range []error{os.RemoveAll(linked), os.WriteFile(script, []byte("mine\n"), 0o600), os.Symlink(elsewhere, linked)} {
			if err != nil {
				oracle.Missing(t, err.Error())
			}
		}
		_, err := next.Write(t.Context(), dir, nil)
		if err == nil || !strings.Contains(err.Error(), "symbolic link") {
			t.Errorf("%s: a link on the way gives %v", what, err)
		}
		if text, err := os.ReadFile(script); err != nil || string(text) != "mine\n" {
			t.Errorf("%s: elsewhere lies %q, %v", what, text, err)
		}
	}
}
