package sonic_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/sonic"
)

// Values below a key that is wrong are not modelled because of the key, not of their field.
func TestValuesBelowAWrongKey(t *testing.T) {
	for table, row := range map[string]string{
		"BUFFER_PG": `{"profile": "p"}`, "BUFFER_QUEUE": `{"profile": "p"}`, "QUEUE": `{"scheduler": "s", "wred_profile": "w"}`,
	} {
		for _, key := range []string{"Ethernet0|3,4", "Ethernet0|4-3", "Ethernet0|5-", "Ethernet0|"} {
			text := `{"PORT": {"Ethernet0": {"lanes": "1", "speed": "100000"}}, "BUFFER_PROFILE": {"p": {}}, "SCHEDULER": {"s": {}}, "WRED_PROFILE": {"w": {}}, "` + table + `": {"` + key + `": ` + row + `}}`
			count := 0
			got := sonic.Format().Read("config_db.json", []byte(text), read.Options{})
			for _, s := range got.Ledger.Unmodelled() {
				if strings.HasPrefix(s.Text, table) {
					count++
					if !strings.HasPrefix(s.Why, "the key of the row") {
						t.Errorf("%s: %s", s.Text, s.Why)
					}
				}
			}
			if count == 0 {
				t.Errorf("%s|%s is accounted for as if it were obeyed", table, key)
			}
		}
	}
}
