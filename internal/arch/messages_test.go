package arch

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// withoutFix are the codes of findings that need not say what to change, with the reason.
var withoutFix = map[string]string{
	"bad-expression":               "HCL's parser words it, and says what it expects",
	"eos-read-not-modelled":        notModelled,
	"eos-read-unknown":             notModelled,
	"junos-read-not-modelled":      notModelled,
	"not-accounted":                notModelled,
	"nvue-read-not-modelled":       notModelled,
	"nxos-read-not-modelled":       notModelled,
	"nxos-read-unknown":            notModelled,
	"openconfig-read-not-modelled": notModelled,
	"sonic-not-modelled":           notModelled,
	"eos-device-decides":           deviceDecides,
	"eos-no-mmu":                   deviceDecides,
	"eos-unguaranteed":             deviceDecides,
	"eos-widened":                  deviceDecides,
	"host-rounded":                 deviceDecides,
	"junos-device-decides":         deviceDecides,
	"junos-marking-lost":           deviceDecides,
	"junos-rounded":                deviceDecides,
	"nvue-device-decides":          deviceDecides,
	"nvue-headroom-pool":           deviceDecides,
	"nvue-load-balancing":          deviceDecides,
	"nvue-marking-lost":            deviceDecides,
	"sonic-enterprise-lost":        deviceDecides,
	"srlinux-device-decides":       deviceDecides,
	"srlinux-marking-lost":         deviceDecides,
	"srlinux-rounded":              deviceDecides,
	"srlinux-threshold":            deviceDecides,
	"srlinux-watchdog":             deviceDecides,
	"hpcc-approximate":             "the run differs from the simulator's in a way that no input changes",
	"trace-approximate":            "the run leaves out what the file does not hold",
	"observe-doubtful":             "what was counted cannot be counted again",
}

const (
	notModelled   = "the line may be right: it is roceplan that leaves it out of its verdicts"
	deviceDecides = "the platform has no other statement, or decides by itself: no text of the fabric changes that"
)

var (
	finding   = regexp.MustCompile(`(?:error|warning)\[([a-z0-9-]+)\]: (.*)$`)
	remark    = regexp.MustCompile(`^\s*(?:[0-9]+ \||\||= )`)
	wantedFix = regexp.MustCompile(`^\s*= fix: \S`)
)

// TestFindingsSayWhatToChange: each finding in the files that tests compare with says which
// change repairs it.
func TestFindingsSayWhatToChange(t *testing.T) {
	excused, seen := map[string]bool{}, 0
	for _, path := range texts(t) {
		text := must.Get(os.ReadFile(path))(t)
		lines := strings.Split(string(text), "\n")
		for i, line := range lines {
			m := finding.FindStringSubmatch(line)
			if m == nil || strings.Contains(line, "want") {
				continue
			}
			end := i + 1
			for end < len(lines) && remark.MatchString(lines[end]) {
				end++
			}
			seen++
			switch {
			case slices.ContainsFunc(lines[i+1:end], wantedFix.MatchString):
			case withoutFix[m[1]] != "":
				excused[m[1]] = true
			default:
				t.Errorf("%s:%d: %s says %q, and not what to change", path, i+1, m[1], m[2])
			}
		}
	}
	if seen < 1000 {
		t.Fatalf("%d findings are too few to mean anything", seen)
	}
	for code := range withoutFix {
		if !excused[code] {
			t.Errorf("%s is excused, and no finding of it lacks a fix", code)
		}
	}
}

// texts returns the files that outputs are compared with.
func texts(t *testing.T) (paths []string) {
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		slashed := filepath.ToSlash(path)
		if slices.ContainsFunc([]string{"/testdata/formats/", "/testdata/hostile.txt", "/golden/shipped.txt", "/golden/ledger/"}, func(part string) bool { return strings.Contains(slashed, part) }) {
			return nil // these have the messages alone
		}
		if strings.Contains(slashed, "/golden/") || strings.Contains(slashed, "/testdata/") {
			if text, err := os.ReadFile(path); err == nil && !bytes.Contains(text, []byte{0}) && entry.Type().IsRegular() {
				paths = append(paths, path)
			}
		}
		return nil
	})
	must.Do(t, err)
	return paths
}
