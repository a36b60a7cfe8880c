package eos_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/eos"
)

// openers are the lines that open the CLI modes of the collected lines.
var openers = map[string][]string{
	"global":                                   nil,
	"interface":                                {"interface Ethernet1"},
	"interface/tx-queue":                       {"interface Ethernet1", "   tx-queue 3"},
	"interface/uc-tx-queue":                    {"interface Ethernet1", "   uc-tx-queue 3"},
	"qos profile":                              {"qos profile p"},
	"qos profile/tx-queue":                     {"qos profile p", "   tx-queue 3"},
	"qos profile/uc-tx-queue":                  {"qos profile p", "   uc-tx-queue 3"},
	"qos profile/mc-tx-queue":                  {"qos profile p", "   mc-tx-queue 3"},
	"tx-queue":                                 {"qos profile p", "   tx-queue 3"},
	"mmu queue profile":                        {"platform trident mmu queue profile p"},
	"class-map type qos":                       {"class-map type qos match-any c"},
	"policy-map type quality-of-service":       {"policy-map type quality-of-service p"},
	"policy-map type quality-of-service/class": {"policy-map type quality-of-service p", "   class c"},
}

// TestLinesOfRealConfigurations: every line of QoS, PFC and buffers that public
// configurations hold is understood, or said not to be accounted for.
func TestLinesOfRealConfigurations(t *testing.T) {
	// Arista's AVD rendered this once; its schema has drop, errdisable and notify-only.
	knownWrong := map[string]bool{"priority-flow-control pause watchdog action no-drop": true}
	read := 0
	for _, data := range []struct {
		file       string
		mode, line int
	}{{"eos_lines.txt", 0, 1}, {"eos_lines_extra.txt", 1, 2}} {
		f := must.Get(os.Open(oracle.Data(t, data.file)))(t)
		defer f.Close()
		for in := bufio.NewScanner(f); in.Scan(); {
			fields := strings.Split(in.Text(), "\t")
			if len(fields) != 3 {
				continue
			}
			open, ok := openers[fields[data.mode]]
			if !ok {
				continue
			}
			read++
			line := fields[data.line]
			config := strings.Join(append(open, "      "+line), "\n")
			if open == nil {
				config = line
			}
			_, list := readtest.Switch(eos.Format(), "real.cfg", []byte(config+"\n"), 254)
			for _, d := range list {
				switch d.Code {
				case eos.NotModelled, eos.Unit, eos.Undefined, eos.Unapplied:
				case eos.Wrong:
					if !knownWrong[line] {
						t.Errorf("%s: %q is said to be wrong: %s", fields[data.mode], line, d.Message)
					}
				default:
					t.Errorf("%s: %q: %s %s", fields[data.mode], line, d.Code, d.Message)
				}
			}
		}
	}
	if read < 200 {
		t.Errorf("only %d lines were read", read)
	}
}
