package hpcc

import (
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// Values of CC_MODE. All others leave hosts at line rate.
const (
	modeDCQCN  = 1
	modeHPCC   = 3
	modeTIMELY = 7
	modeDCTCP  = 8
	modePINT   = 10
)

// ackClass is the class whose pause stops acknowledgements where ACK_HIGH_PRIO is 0
// (scratch/third.cc); where it is 1, it is class 0, which is never paused.
const ackClass = 3

// Input is a configuration that was read.
type Input struct {
	Scenario *sim.Scenario // nil if there are errors
	Found    diag.List
	Sources  diag.Sources // the texts that findings point into
}

// Read reads a configuration and the files that it names. The error is of a
// configuration that cannot be read at all.
func Read(path string, times sim.Times) (*Input, error) {
	text, err := regular.Read(path)
	if err != nil {
		return nil, err
	}
	r := &reader{sources: diag.Sources{}}
	sc := r.read(path, text, times)
	if r.found.HasErrors() {
		sc = nil
	}
	return &Input{sc, r.found.Sorted(), r.sources}, nil
}

func (r *reader) read(path string, text []byte, times sim.Times) *sim.Scenario {
	c := readConfig(r.words(path, text))
	c.check(path, &r.found)
	sc, folder := c.scenario(times), filepath.Dir(path)
	if c.topologyFile.text != "" {
		if w := r.open(folder, c.topologyFile); w != nil {
			readTopology(w, c, sc)
		}
	}
	if c.linkDown != nil && len(sc.Links) > 0 {
		r.fails(c.linkDown, sc)
	}
	if c.flowFile.text != "" && len(sc.Nodes) > 0 {
		if w := r.open(folder, c.flowFile); w != nil {
			readFlows(w, sc)
		}
	}
	if !c.enableQCN {
		sc.ECN = nil
	}
	sc.FirstStream = firstStream(sc, c.ownErrorRates)
	return sc
}

// check finds what does not fit together.
func (c *config) check(path string, found *diag.List) {
	whole := diag.Range{Filename: path, Start: hcl.InitialPos, End: hcl.InitialPos}
	if c.topologyFile.text == "" {
		found.Errorf(BadValue, whole, "TOPOLOGY_FILE is missing").Fixf("add the line TOPOLOGY_FILE with the name of the file")
	}
	if c.flowFile.text == "" {
		found.Errorf(BadValue, whole, "FLOW_FILE is missing").Fixf("add the line FLOW_FILE with the name of the file")
	}
	if c.mode == modePINT {
		found.Errorf(Unsupported, c.modeAt.at, "CC_MODE %d is HPCC-PINT, which roceplan does not have", c.mode).
			Fixf("choose 0 (none), 1 (DCQCN), 3 (HPCC), 7 (TIMELY) or 8 (DCTCP)")
	}
	if c.mode == modeHPCC && !c.hasWin {
		found.Errorf(Inconsistent, c.hasWinAt.at, "CC_MODE 3 is HPCC, which divides by the window, but HAS_WIN is 0").
			Fixf("set HAS_WIN 1")
	}
	if c.backToZero && c.chunk == 0 {
		found.Errorf(Inconsistent, whole, "L2_BACK_TO_ZERO is 1, but L2_CHUNK_SIZE is 0").Fixf("write an L2_CHUNK_SIZE above 0, or L2_BACK_TO_ZERO 0")
	}
}

func (c *config) scenario(times sim.Times) *sim.Scenario {
	sc := &sim.Scenario{
		Times:     times,
		Stop:      times.Seconds(c.stop),
		Transport: c.transport(),
		Buffer: sim.HPCCBuffer{
			Size:    units.Bytes(c.bufferMiB) * units.MiB,
			Reserve: 4 * units.KiB, ResumeOffset: 3 * units.KiB,
			AlphaShift: 3, HeadroomDelays: 3,
		},
		Congestion: c.congestion(),
	}
	return sc
}

// firstStream returns the first of ns-3's random streams that is free when the simulation
// starts: the stack takes six per node, the error model and its variable two, and once
// more two for each link with an error rate of its own.
func firstStream(sc *sim.Scenario, ownErrorRates int) int {
	return 6*len(sc.Nodes) + 2 + 2*ownErrorRates
}

func (c *config) transport() sim.Transport {
	t := sim.Transport{
		Payload:        units.Bytes(c.payload),
		AckInterval:    units.Bytes(c.ackInterval),
		Chunk:          units.Bytes(c.chunk),
		BackToZero:     c.backToZero,
		AckClass:       ackClass,
		VariableWindow: c.varWin,
		Unpaced:        !c.rateBound,
		NackInterval:   500 * units.Microsecond, // rdma-hw.cc's default; no key sets it
	}
	if c.ackHighPrio {
		t.AckClass = 0
	}
	switch {
	case c.hasWin && c.globalT:
		t.Window = sim.LargestBDP
	case c.hasWin:
		t.Window = sim.PathBDP
	}
	return t
}

func (c *config) congestion() sim.Congestion {
	cc := sim.Congestion{
		MinRate: c.minRate,
		DCQCN: sim.DCQCN{
			Gain:             c.gain,
			AlphaInterval:    units.Time(c.alphaInterval) * units.Microsecond,
			DecreaseInterval: units.Time(c.decreaseInterval) * units.Microsecond,
			IncreaseInterval: units.Time(c.rpTimer) * units.Microsecond,
			FastRecovery:     int(c.fastRecovery),
			Additive:         c.rateAI, Hyper: c.rateHAI,
			ClampTarget: c.clampTarget,
		},
		// No key sets TIMELY's thresholds and gains; these are rdma-hw.cc's.
		TIMELY: sim.TIMELY{
			Gain: 0.875, Beta: 0.8,
			Low: 50 * units.Microsecond, High: 500 * units.Microsecond, MinRTT: 20 * units.Microsecond,
			Additive: c.rateAI, Hyper: c.rateHAI,
		},
		HPCC: sim.HPCC{
			TargetUtilization: c.uTarget, MaxStage: int(c.miThresh), Additive: c.rateAI,
			FastReact: c.fastReact, PerHop: c.multiRate, SkipIdle: c.sampleFeedback,
			UnitScale: int(c.intMulti),
		},
		DCTCP: sim.DCTCP{Gain: c.gain, Additive: c.dctcpAI},
	}
	switch c.mode {
	case modeDCQCN:
		cc.Algorithm = sim.UseDCQCN
	case modeHPCC:
		cc.Algorithm = sim.UseHPCC
	case modeTIMELY:
		cc.Algorithm = sim.UseTIMELY
	case modeDCTCP:
		cc.Algorithm = sim.UseDCTCP
	}
	return cc
}
