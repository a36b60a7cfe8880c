package oracle_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// Where the tables that the figures were taken from are at hand, the figures are theirs,
// but for the source, which some of them say elsewhere.
func TestFiguresAreThePublished(t *testing.T) {
	for _, name := range []string{
		"silicon_thresholds.json", "spectrum_pools.json", "spectrum_headroom.csv", "sonic_pg_profiles.csv",
		"sonic_pg_anomalies.csv", "sonic_pools.csv", "sonic_ecn.csv", "openbcm_headroom.csv", "openbcm_chips.csv",
		"silicon_one.csv", "sim/results.json",
	} {
		t.Run(name, func(t *testing.T) {
			read := elements
			if filepath.Ext(name) == ".csv" {
				read = rows
			}
			theirs, ours := read(t, oracle.Data(t, name)), read(t, oracle.Figures(t, name))
			if len(theirs) < 10 || len(theirs) != len(ours) {
				t.Fatalf("%d rows are published, there are %d figures", len(theirs), len(ours))
			}
			for i, row := range ours {
				if _, said := theirs[i]["source"]; !said {
					delete(row, "source")
				}
				delete(theirs[i], "wall_seconds") // of a machine, not of a model
				delete(theirs[i], "peak_rss_mb")
				if d := cmp.Diff(theirs[i], row); d != "" {
					t.Fatalf("row %d (-published +figures):\n%s", i+1, d)
				}
			}
		})
	}
}

func TestRefusedPathsAreArista(t *testing.T) {
	text := must.Get(os.ReadFile(oracle.Data(t, "arista_oc_qos_notsupported_4.36.1F.txt")))(t)
	var ours []string
	for _, row := range oracle.Rows(t, "eos_refused_paths.csv") {
		ours = append(ours, row["path"])
	}
	if theirs := strings.Fields(string(text)); !slices.Equal(theirs, ours) {
		t.Error(cmp.Diff(theirs, ours))
	}
}

// Every row of every table says where it is from.
func TestFiguresHaveASource(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(filepath.Dir(oracle.Figures(t, "README.md")), "*.*"))
	if err != nil || len(paths) < 14 {
		t.Fatalf("%d tables: %v", len(paths), err)
	}
	for _, path := range paths {
		var table []map[string]any
		switch filepath.Ext(path) {
		case ".csv":
			table = rows(t, path)
		case ".json":
			table = elements(t, path)
		}
		for i, row := range table {
			if source, _ := row["source"].(string); source == "" {
				t.Errorf("%s: row %d has no source", filepath.Base(path), i+1)
			}
		}
	}
}

func rows(t *testing.T, path string) (all []map[string]any) {
	t.Helper()
	file := must.Get(os.Open(path))(t)
	defer file.Close()
	lines := must.Get(csv.NewReader(file).ReadAll())(t)
	for _, line := range lines[1:] {
		row := map[string]any{}
		for i, column := range lines[0] {
			row[column] = line[i]
		}
		all = append(all, row)
	}
	return all
}

func elements(t *testing.T, path string) (all []map[string]any) {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return all
}
