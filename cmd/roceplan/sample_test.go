package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// The sample of a complete RoCE configuration for SONiC, which somebody else wrote, is
// audited as golden/diag/audit-sample.txt says.
func TestSampleIsAudited(t *testing.T) {
	text, err := os.ReadFile(oracle.Data(t, "roce_sample_config_db.json"))
	check(t, err)
	golden, err := filepath.Abs("../../golden/diag/audit-sample.txt")
	check(t, err)
	t.Chdir(t.TempDir())
	check(t, os.WriteFile("config_db.json", text, 0o666))
	var stdout, stderr bytes.Buffer
	if code := run([]string{"audit", "config_db.json", "--chip", "th5"}, nil, &stdout, &stderr, func(string) string { return "" }); code == exitTrouble {
		t.Fatal(stderr.String())
	}
	if *update {
		check(t, os.WriteFile(golden, stdout.Bytes(), 0o666))
	}
	want, err := os.ReadFile(golden)
	check(t, err)
	must.NoDiffIn(t, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(stdout.String(), "\n")), "golden/diag/audit-sample.txt (-golden +told):")
}
