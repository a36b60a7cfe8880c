package lsp

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// A real editor shows a finding, a hover and a completion.
func TestNeovim(t *testing.T) {
	oracle.Command(t, "nvim", "neovim")
	program := filepath.Join(t.TempDir(), "roceplan")
	if out, err := exec.Command("go", "build", "-o", program, "../cmd/roceplan").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	script, err := filepath.Abs("testdata/session.lua")
	if err != nil {
		t.Fatal(err)
	}
	path, _ := pod(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "nvim", "--headless", "--clean", "-S", script)
	c.Env = append(os.Environ(), "ROCEPLAN="+program, "FABRIC="+path, "XDG_STATE_HOME="+t.TempDir(), "XDG_CACHE_HOME="+t.TempDir())
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"diagnostic unit-missing in line 0 column 13", "hover **speed**: ", "completion gearbox"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("Neovim does not say %q:\n%s", want, out)
		}
	}
}
