package sonic

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/yang"
)

// modules are those of the tables.
var modules = map[string]string{
	"BUFFER_POOL": "sonic-buffer-pool", "BUFFER_PROFILE": "sonic-buffer-profile", "DEFAULT_LOSSLESS_BUFFER_PARAMETER": "sonic-default-lossless-buffer-parameter",
	"LOSSLESS_TRAFFIC_PATTERN": "sonic-lossless-traffic-pattern", "PFC_WD": "sonic-pfcwd", "PORT": "sonic-port", "SCHEDULER": "sonic-scheduler",
	"SWITCH_TRIMMING": "sonic-trimming", "WRED_PROFILE": "sonic-wred-profile",
}

// Every row is a leaf of SONiC's models, in a list or a container of its table, with its range and its default.
func TestRowsAreOfTheModels(t *testing.T) {
	ranges, defaults := 0, 0
	for i := range Rows[1:] {
		row := &Rows[1+i]
		table, field, _ := strings.Cut(row.Plain(), " ")
		top, _ := yang.Read(t, "sonic", modules[table]).Find(modules[table], table)
		if top == nil {
			t.Errorf("the models have no %s", table)
			continue
		}
		leaf := top.Under(field)
		if leaf == nil {
			t.Errorf("%s: the models have no %s", row.Path, field)
			continue
		}
		r, d := leaf.Leaf(t, row)
		ranges, defaults = ranges+r, defaults+d
	}
	if ranges < 12 || defaults < 2 {
		t.Errorf("%d ranges and %d defaults were compared", ranges, defaults)
	}
}
