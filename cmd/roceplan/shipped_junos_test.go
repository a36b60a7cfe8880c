package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// Juniper's validated designs for RDMA on the QFX5240 are audited from their files alone, as
// golden/shipped-junos.txt says: the verdicts with what they rest on, and how far the headroom goes.
// Findings are left out.
func TestShippedJunos(t *testing.T) {
	golden, err := filepath.Abs("../../golden/shipped-junos.txt")
	check(t, err)
	texts := map[string][]byte{}
	names := []string{"leaf1", "spine1"}
	for _, name := range names {
		texts[name], err = os.ReadFile(oracle.Data(t, "junos/"+name+"_qfx5240-64od.conf"))
		check(t, err)
	}
	t.Chdir(t.TempDir())
	var all strings.Builder
	for _, name := range names {
		check(t, os.WriteFile(name+".conf", texts[name], 0o666))
		var stdout, stderr bytes.Buffer
		if code := run([]string{"audit", name + ".conf"}, nil, &stdout, &stderr, func(string) string { return "" }); code == exitTrouble {
			t.Fatal(stderr.String())
		}
		_, verdicts, ok := strings.Cut(stdout.String(), "\n\n")
		if !ok {
			t.Fatalf("%s: no verdict in %s", name, stdout.String())
		}
		all.WriteString(verdicts + "\n")
	}
	if *update {
		check(t, os.WriteFile(golden, []byte(all.String()), 0o666))
	}
	want, err := os.ReadFile(golden)
	check(t, err)
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(all.String(), "\n")); diff != "" {
		t.Errorf("golden/shipped-junos.txt (-golden +told):\n%s", diff)
	}
}
