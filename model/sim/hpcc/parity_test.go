package hpcc

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/oracle"
	"github.com/roceplan/roceplan/model/sim"
)

type recorded struct {
	Workload string
	CC       string
	FCT      struct{ Mean, P50, P90, P99, Max float64 } `json:"fct_us"`
	Pauses   int64                                      `json:"pfc_pauses"`
	Queue    int64                                      `json:"peak_egress_queue_bytes"`
	Headroom int64                                      `json:"peak_headroom_bytes"`
	Marks    int64                                      `json:"ecn_marks"`
	Drops    int64                                      `json:"drops"`
}

func TestProbe(t *testing.T) {
	text, err := os.ReadFile(oracle.Data(t, "sim/results.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []recorded
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if only := os.Getenv("ONLY"); only != "" && r.Workload != only {
			continue
		}
		sc, found := Read(oracle.Data(t, "sim/"+r.Workload+"/config_"+r.CC+".txt"), sim.NS3Times)
		if sc == nil {
			t.Fatal(found)
		}
		sc.Seed = 1
		res, err := sim.Run(context.Background(), sc)
		if err != nil {
			t.Fatal(err)
		}
		var fct []float64
		sum := 0.0
		for _, f := range res.Flows {
			fct = append(fct, f.FCTUS)
			sum += f.FCTUS
		}
		slices.Sort(fct)
		n := len(fct)
		fmt.Printf("%-14s %-7s mean %.3f/%.3f p99 %.3f/%.3f pauses %d/%d q %d/%d h %d/%d marks %d/%d drops %d un %d hops %d ev %d wall %.3f %.2f Mph/s\n",
			r.Workload, r.CC, sum/float64(n), r.FCT.Mean, fct[min(n-1, n*99/100)], r.FCT.P99, res.PFCPauses, r.Pauses, res.PeakEgressQueue, r.Queue,
			res.PeakHeadroom, r.Headroom, res.ECNMarks, r.Marks, res.Drops, res.UnfinishedFlows, res.PacketHops, res.Events, res.WallSeconds, float64(res.PacketHops)/res.WallSeconds/1e6)
	}
}
