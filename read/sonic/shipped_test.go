package sonic_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/sonic"
)

// TestShipped reads the configurations that SONiC ships, rendered with synthetic
// neighbours. What is found in each stands in golden/shipped.txt: real bugs of real files.
func TestShipped(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(oracle.Data(t, "shipped_sonic"), "*.json"))
	if err != nil || len(paths) < 97 {
		t.Fatalf("%d configurations: %v", len(paths), err)
	}
	var b strings.Builder
	for _, path := range paths {
		text := must.Get(os.ReadFile(path))(t)
		result := sonic.Format().Read("config_db.json", text, read.Options{})
		if result.Switch == nil || len(result.Switch.Ports) == 0 {
			t.Errorf("%s: no port is read", path)
		}
		l := &result.Ledger
		name, _, _ := strings.Cut(filepath.Base(path), "@")
		fmt.Fprintf(&b, "%s: %d ports; %d statements modelled, %d neutral, %d not modelled\n", name, len(result.Switch.Ports), l.Count(read.Modelled), l.Count(read.Neutral), l.Count(read.Unmodelled))
		lines := make(map[string]int)
		for _, d := range result.Found {
			lines[told(d)]++
		}
		for _, s := range l.Unmodelled() {
			lines["not modelled: "+ports.ReplaceAllString(s.Why, "PORT")]++
		}
		for _, line := range slices.Sorted(maps.Keys(lines)) {
			fmt.Fprintf(&b, "    %d x %s\n", lines[line], line)
		}
	}
	compare(t, filepath.Join("..", "..", "golden", "shipped.txt"), b.String())
}

var ports = regexp.MustCompile(`Ethernet[0-9]+`)

func told(d diag.Diagnostic) string {
	return fmt.Sprintf("%s[%s]: %s", d.Severity, d.Code, ports.ReplaceAllString(d.Message, "PORT"))
}
