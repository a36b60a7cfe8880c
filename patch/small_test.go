package patch

import (
	"fmt"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/plan"
)

func database(t *testing.T, text string) *Running {
	t.Helper()
	r, found := Read("config_db.json", []byte(text))
	if len(found) > 0 {
		t.Fatal(found)
	}
	return r
}

// A device is another one where both sides name it and the names differ: where one says nothing,
// nobody knows.
func TestOtherSwitch(t *testing.T) {
	for _, field := range []string{"hostname", "hwsku", "platform"} {
		for _, c := range []struct {
			running, planned string
			want             int
		}{{"a", "a", 0}, {"a", "b", 1}, {"", "b", 0}, {"a", "", 0}, {"", "", 0}} {
			sw, device := &plan.Switch{}, ""
			switch field {
			case "hostname":
				device = c.planned
			case "hwsku":
				sw.HwSKU = c.planned
			case "platform":
				sw.Platform = c.planned
			}
			running := database(t, fmt.Sprintf(`{"DEVICE_METADATA": {"localhost": {%q: %q}}}`, field, c.running))
			found := check(sw, device, running)
			if len(found) != c.want || c.want == 1 && (found[0].Code != OtherSwitch || found[0].Subject.Start.Line != 1) {
				t.Errorf("%s runs as %q and is planned as %q: %v", field, c.running, c.planned, found)
			}
		}
	}
}

// What a switch takes up only when it makes a row: another pool of a profile, and a static
// threshold that comes or goes; another static threshold it takes (facts of sonic-swss
// orchagent/bufferorch.cpp, as the table of created fields has them).
func TestRecreatedFields(t *testing.T) {
	for _, c := range []struct {
		was, is string
		want    int
	}{
		{`"pool": "a", "static_th": "5"`, `"pool": "a", "static_th": "5"`, 0}, {`"pool": "a", "static_th": "5"`, `"pool": "b", "static_th": "5"`, 1},
		{`"pool": "a", "static_th": "5"`, `"pool": "a", "static_th": "6"`, 0}, {`"pool": "a", "static_th": "5"`, `"pool": "a"`, 1},
		{`"pool": "a"`, `"pool": "a", "static_th": "6"`, 1}, {`"pool": "a"`, `"pool": "b", "static_th": "6"`, 2},
	} {
		running := database(t, `{"BUFFER_PROFILE": {"p": {`+c.was+`}}}`)
		to := database(t, `{"BUFFER_PROFILE": {"p": {`+c.is+`}, "q": {"pool": "z"}}}`)
		if found := checkRecreated(running, to.DB); len(found) != c.want {
			t.Errorf("{%s} becomes {%s}: %v, want %d", c.was, c.is, found, c.want)
		}
	}
}

// Of a row by ports, those of the patch are replaced, and the others stay; a row that nobody needs
// any more goes.
func TestTakeFields(t *testing.T) {
	db := database(t, `{"CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m", "Ethernet4": "40m"}, "OLD": {"Ethernet0": "7m"}, "OTHER": {"Ethernet8": "1m"}}}`).DB
	wanted := database(t, `{"CABLE_LENGTH": {"AZURE": {"Ethernet0": "9m"}}}`).DB
	db.takeFields("CABLE_LENGTH", wanted, map[string]*plan.Port{"Ethernet0": {}})
	got := fmt.Sprint(db["CABLE_LENGTH"]["AZURE"]["Ethernet0"].Text, " ", db["CABLE_LENGTH"]["AZURE"]["Ethernet4"].Text, " ", len(db["CABLE_LENGTH"]["OLD"]), " ", db["CABLE_LENGTH"]["OTHER"]["Ethernet8"].Text, " ", len(db["CABLE_LENGTH"]))
	if got != "9m 40m 0 1m 2" {
		t.Error(got)
	}
}

// Edits that are late come behind the others, which stay in their order.
func TestLater(t *testing.T) {
	edits := []edit{{row: "a", late: true}, {row: "b"}, {row: "c", late: true}, {row: "d"}}
	slices.SortStableFunc(edits, later)
	got := ""
	for _, e := range edits {
		got += e.row
	}
	if got != "bdac" || later(edits[0], edits[1]) != 0 || later(edits[2], edits[0]) != 1 || later(edits[0], edits[2]) != -1 {
		t.Error(got)
	}
}
