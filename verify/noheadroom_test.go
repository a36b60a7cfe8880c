package verify

import (
	"strings"
	"testing"
)

// A pool of headroom that a file gives less than a cell of each part is no pool that groups can take
// headroom of, and no vendor publishes whether each then owns its own. What has a cell is judged.
func TestHeadroomPoolOfNothing(t *testing.T) {
	for _, c := range []struct {
		file, old, new, line string
		judged               bool
	}{
		{eosFile, "headroom-pool limit 5684224", "headroom-pool limit 0", "eos.cfg:318", false},
		{eosFile, "headroom-pool limit 5684224", "headroom-pool limit 831", "eos.cfg:318", false}, // 4 parts of 208 B, less 1 B
		{eosFile, "headroom-pool limit 5684224", "headroom-pool limit 832", "", true},
		{eosFile, "platform trident mmu headroom-pool limit 5684224\n", "", "", true}, // groups own their headroom
		{sonicFile, `"xoff": "56148224"`, `"xoff": "0"`, "config_db.json:789", false},
		{sonicFile, `"xoff": "56148224"`, `"xoff": "507"`, "config_db.json:789", false}, // 2 parts of 254 B, less 1 B
		{sonicFile, `"xoff": "56148224"`, `"xoff": "508"`, "", true},
	} {
		s := redSubjectOf(t, c.file)
		if !strings.Contains(s.text, c.old) {
			t.Fatalf("%s has no %s", c.file, c.old)
		}
		_, name, _ := strings.Cut(c.file, "/")
		got := judge(t, s.options[1], Text(name, []byte(strings.Replace(s.text, c.old, c.new, 1)))).Switches[0]
		if c.judged {
			if got.Verdict == NotJudged {
				t.Errorf("%s with %s: %v: %v", c.file, c.new, got.Verdict, got.Because)
			}
			continue
		}
		if got.Verdict != NotJudged || len(got.Because) != 1 || !strings.HasSuffix(got.Because[0].At, c.line) || !strings.Contains(got.Because[0].Message, "headroom pool") {
			t.Errorf("%s with %s: %v: %v", c.file, c.new, got.Verdict, got.Because)
		}
	}
}
