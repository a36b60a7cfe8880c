package srlinux

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/yang"
)

// Every row is a node of Nokia's models: a list with the keys of the row, or a leaf with its range and
// its default.
func TestRowsAreOfTheModels(t *testing.T) {
	m := yang.Read(t, "srlinux", "srl_nokia-qos", "srl_nokia-interfaces", "srl_nokia-qos-policers")
	m.Use("qos-top")
	if ranges, defaults := m.Compare(t, Rows); ranges < 10 || defaults < 4 {
		t.Errorf("%d ranges and %d defaults were compared", ranges, defaults)
	}
}
