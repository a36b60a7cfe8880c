package verify

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

const sharesHead = `How many RoCE switches of the public sets get a verdict
=======================================================

Each file is judged alone: without a fabric, peers or --chip. A RoCE switch is one with a lossless
priority group. A verdict is proved, conditional or refuted. What is not judged is listed with what
is missing.

`

// leastShare is how many of a hundred RoCE switches of the public sets get a verdict.
const leastShare = 90

// golden/shares.txt has the verdicts on all files of the public sets that have a lossless group.
func TestSharesOfVerdicts(t *testing.T) {
	var out strings.Builder
	judged, all := 0, 0
	for _, set := range []string{"shipped_sonic", "eos_configs", "junos", "nxos", "nxos_azure", "srlinux_labs", "roce_sample_config_db.json"} {
		var open []string
		verdicts := map[Verdict]int{}
		roce := 0
		root := oracle.Data(t, set)
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), "LICENSE") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, s := range judge(t, Options{}, Text(entry.Name(), text)).Switches {
				if s.Coverage.Groups == 0 {
					continue
				}
				roce++
				verdicts[s.Verdict]++
				if s.Verdict == NotJudged {
					missing, _, _ := strings.Cut(s.Because[0].Message, "; no lossless packet") // what follows says how long was searched
					open = append(open, fmt.Sprintf("  %s: %s\n", entry.Name(), missing))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s: %d RoCE switches: %d proved, %d conditional, %d refuted, %d not judged\n%s\n", strings.TrimSuffix(set, ".json"), roce,
			verdicts[Proved], verdicts[Conditional], verdicts[Refuted], verdicts[NotJudged], strings.Join(open, ""))
		judged, all = judged+roce-verdicts[NotJudged], all+roce
	}
	if 100*judged < leastShare*all {
		t.Errorf("%d of %d RoCE switches get a verdict, want %d %%", judged, all, leastShare)
	}
	diagtest.Golden(t, "../golden/shares.txt", sharesHead+fmt.Sprintf("%d of %d get a verdict\n\n", judged, all)+strings.TrimSuffix(out.String(), "\n"))
}
