package hpcc

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// recorded writes a recorded run's input in the HPCC simulator's form, and returns the path
// of its configuration: the parameters are a table, with a column for each run.
func recorded(t testing.TB, workload, control string) string {
	t.Helper()
	folder := t.TempDir()
	config := "TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\n"
	for _, row := range oracle.Rows(t, "sim/parameters.csv") {
		value, ok := row[workload+"/"+control]
		if !ok {
			t.Fatalf("no run of %s with %s is recorded", workload, control)
		}
		config += fmt.Sprintln(row["parameter"], value)
	}
	write := func(name string, text []byte) {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("config.txt", []byte(config))
	for _, name := range []string{"topology.txt", "flow.txt"} {
		text, err := os.ReadFile(oracle.Figures(t, "sim/"+workload+"/"+name))
		if err != nil {
			t.Fatal(err)
		}
		write(name, text)
	}
	return filepath.Join(folder, "config.txt")
}

// The table of parameters says what the configurations of the recorded runs say, except for
// the names of files.
func TestParametersAreTheRecorded(t *testing.T) {
	for _, workload := range []string{"a_incast", "a2_incast32MB", "b_leafspine", "c1_one", "c2_two"} {
		for _, control := range []string{"none", "dcqcn", "dctcp", "hpcc", "timely"} {
			want, err := os.ReadFile(oracle.Data(t, "sim/"+workload+"/config_"+control+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(recorded(t, workload, control))
			if err != nil {
				t.Fatal(err)
			}
			if figures(want) != figures(got) {
				t.Errorf("%s/%s is recorded with\n%s, the table has\n%s", workload, control, figures(want), figures(got))
			}
		}
	}
}

// figures leaves out of a configuration what names a file.
func figures(config []byte) string {
	var out strings.Builder
	for line := range strings.Lines(string(config)) {
		if name, _, _ := strings.Cut(line, " "); !strings.HasSuffix(name, "_FILE") && strings.TrimSpace(line) != "" {
			out.WriteString(line)
		}
	}
	return out.String()
}
