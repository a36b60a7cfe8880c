package sonic_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/policy"
)

// split is a switch with sixteen ports out of four cages, beside uplinks that are whole.
const split = `
fabric "pod" {
  mtu             = "9216B"
  expected_delay  = "40us"
  tolerable_delay = "80us"
}

traffic_class "rdma" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 60
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}

switch "tor-1" {
  chip = "%s"
  os   = sonic

  port_group "servers" {
    ports      = "Ethernet[0..15]"
    breakout   = "4x25G"
    lanes      = 1
    first_lane = 1
    cable      = "5m"
  }

  port_group "uplinks" {
    ports      = "Ethernet[16..28/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 17
    cable      = "40m"
  }
}
`

// Every port of a split cage is told what a whole port is: SONiC's own tools give
// headroom to the first alone, because the others have no admin_status
// (sonic-net/sonic-buildimage#23354), or no cable length (#19133).
func TestBreakout(t *testing.T) {
	for _, chip := range []string{"trident3", "spectrum2"} {
		t.Run(chip, func(t *testing.T) {
			doc := compiled(t, fmt.Sprintf(split, chip))
			if len(doc["PORT"]) != 20 {
				t.Fatalf("%d ports", len(doc["PORT"]))
			}
			for port, row := range doc["PORT"] {
				whole := row["speed"] == "100000"
				cable := map[bool]string{false: "5m", true: "40m"}[whole]
				for what, is := range map[string][2]string{
					"admin_status":    {row["admin_status"], "up"},
					"lanes":           {fmt.Sprint(len(strings.Split(row["lanes"], ","))), map[bool]string{false: "1", true: "4"}[whole]},
					"cable":           {doc["CABLE_LENGTH"]["AZURE"][port], cable},
					"pfc_enable":      {doc["PORT_QOS_MAP"][port]["pfc_enable"], "3"},
					"pfcwd_sw_enable": {doc["PORT_QOS_MAP"][port]["pfcwd_sw_enable"], "3"},
					"watchdog":        {doc["PFC_WD"][port]["action"], "drop"},
				} {
					must.Equalf(t, is[0], is[1], "%s of %s is", what, port)
				}
				losslessGroup(t, doc, port)
				limitedQueues(t, doc, port)
			}
		})
	}
}

// losslessGroup: PG 3 has headroom, or the switch is told to compute it.
func losslessGroup(t *testing.T, doc map[string]map[string]map[string]string, port string) {
	name := doc["BUFFER_PG"][port+"|3"]["profile"]
	profile := doc["BUFFER_PROFILE"][name]
	dynamic := doc["DEVICE_METADATA"]["localhost"]["buffer_model"] == "dynamic"
	if xoff := profile["xoff"]; (xoff == "" || xoff == "0") && !(dynamic && (name == "NULL" || profile["headroom_type"] == "dynamic")) {
		t.Errorf("PG 3 of %s has no headroom: %q %v", port, name, profile)
	}
}

// limitedQueues: each queue has a scheduler, and a lossy one a limit below its pool.
func limitedQueues(t *testing.T, doc map[string]map[string]map[string]string, port string) {
	for _, queue := range []string{"0", "3"} {
		profile := doc["BUFFER_PROFILE"][doc["BUFFER_QUEUE"][port+"|"+queue]["profile"]]
		if profile["dynamic_th"] == "" && profile["static_th"] == "" || doc["QUEUE"][port+"|"+queue]["scheduler"] == "" {
			t.Errorf("queue %s of %s has the profile %v and the scheduler %q", queue, port, profile, doc["QUEUE"][port+"|"+queue]["scheduler"])
		}
		if queue == "0" && profile["dynamic_th"] == "" {
			t.Errorf("the lossy queue of %s may fill its pool: %v", port, profile)
		}
	}
}

func compiled(t *testing.T, text string) (doc map[string]map[string]map[string]string) {
	t.Helper()
	catalogue, found := chips.Load()
	fabric, more := policy.Load(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: catalogue})
	if found = slices.Concat(found, more); found.HasErrors() {
		t.Fatal(found)
	}
	p := must.Sound(calc.Compute(fabric))(t)
	must.Do(t, json.Unmarshal(render(t, p.Switches[0]), &doc))
	return doc
}
