package openconfig

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/yang"
)

// Every row is a node of the models: a list with the keys of the row, or a leaf.
func TestRowsAreOfTheModels(t *testing.T) {
	m := yang.Read(t, "openconfig", "openconfig-qos", "openconfig-qos-elements", "openconfig-qos-interfaces", "openconfig-qos-mem-mgmt", "openconfig-interfaces", "openconfig-packet-match")
	m.Use("qos-top", "interfaces-top")
	m.Compare(t, Rows)
}
