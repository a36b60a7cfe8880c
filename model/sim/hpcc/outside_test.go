package hpcc_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/hpcc"
)

// A configuration cannot make the reader open what lies outside of its folder.
func TestOutsideIsRefused(t *testing.T) {
	parent := t.TempDir()
	folder, secret := filepath.Join(parent, "run"), filepath.Join(parent, "secret.txt")
	for _, err := range []error{
		os.Mkdir(folder, 0o700),
		os.WriteFile(secret, []byte("2 0 1\n"), 0o600),
		os.Symlink(secret, filepath.Join(folder, "link.txt")),
	} {
		if err != nil {
			oracle.Missing(t, "no links here: "+err.Error())
		}
	}
	for _, name := range []string{"../secret.txt", "a/../../secret.txt", secret, "/etc/passwd", "link.txt"} {
		config := filepath.Join(folder, "config.txt")
		must.Do(t, os.WriteFile(config, []byte("TOPOLOGY_FILE "+name+"\n"), 0o600))
		var times sim.Times
		in := must.Get(hpcc.Read(config, times))(t)
		refused := false
		for _, f := range in.Found {
			refused = refused || f.Code == hpcc.Unreadable && strings.Contains(f.Message, name)
		}
		if !refused || len(in.Sources) != 1 {
			t.Errorf("%s is read: %v", name, in.Found)
		}
	}
}
