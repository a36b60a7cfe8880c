package hpcc

import (
	"github.com/roceplan/roceplan/units"
)

// config is a configuration file. Names are those of its keys.
type config struct {
	topologyFile, flowFile word

	enableQCN bool
	payload   int64
	stop      float64 // s

	mode     int64
	modeAt   word
	hasWin   bool
	hasWinAt word

	alphaInterval, decreaseInterval, rpTimer int64 // us
	clampTarget                              bool
	gain                                     float64
	fastRecovery                             int64
	rateAI, rateHAI, minRate, dctcpAI        units.BitRate

	errorRate                              float64
	chunk, ackInterval                     int64
	backToZero, globalT, varWin, fastReact bool
	uTarget                                float64
	miThresh, intMulti                     int64
	multiRate, sampleFeedback, rateBound   bool
	ackHighPrio                            bool
	bufferMiB                              int64

	kmax, kmin map[units.BitRate]int64 // KB
	pmax       map[units.BitRate]float64

	linkDown *linkDown // nil: never

	ownErrorRates int // links of the topology that have one
}

// defaults are third.cc's and, for rates it leaves to the host model, rdma-hw.cc's.
func defaults() *config {
	return &config{
		enableQCN: true, payload: 1000, stop: 3.01, mode: 1, hasWin: true,
		alphaInterval: 55, decreaseInterval: 4, rpTimer: 1500, fastRecovery: 5,
		rateAI: 5 * units.Mbps, rateHAI: 50 * units.Mbps, minRate: 100 * units.Mbps,
		dctcpAI: units.Gbps, globalT: true, fastReact: true, uTarget: 0.95, miThresh: 5,
		intMulti: 1, multiRate: true, rateBound: true, bufferMiB: 16,
	}
}

// mostUnknown is the largest number of unknown keys that are reported, a choice: the simulator has fewer keys than a
// tenth of it.
const mostUnknown = 1000

// readConfig reads the keys of a configuration.
func readConfig(w *words) *config {
	c := defaults()
	keys, unknown := c.keys(w), 0
	for w.more() {
		key, _ := w.next("a key")
		set, known := keys[key.text]
		switch {
		case !known:
			if unknown++; unknown > mostUnknown {
				w.found.Errorf(UnknownKey, key.at, "more than %d keys of this file are unknown; the rest is not read", mostUnknown).Fixf("name a config.txt of the HPCC simulator")
				return c
			}
			w.found.Warnf(UnknownKey, key.at, "unknown key %s; the line has no effect", key.text).Fixf("remove the line, or write a key of the simulator's config.txt")
			w.skipLine(key.at.Start.Line)
		case set == nil:
			w.skipLine(key.at.Start.Line)
		default:
			set()
		}
	}
	return c
}

// keys says how to read each key's value; nil means that it has no effect on results.
func (c *config) keys(w *words) map[string]func() {
	keys := map[string]func(){
		"TOPOLOGY_FILE": func() { c.topologyFile, _ = w.next("TOPOLOGY_FILE") },
		"FLOW_FILE":     func() { c.flowFile, _ = w.next("FLOW_FILE") },
		"KMAX_MAP":      func() { c.kmax = thresholds(w, "KMAX_MAP") },
		"KMIN_MAP":      func() { c.kmin = thresholds(w, "KMIN_MAP") },
		"PMAX_MAP":      func() { c.pmax = probabilities(w, "PMAX_MAP") },
		"LINK_DOWN":     func() { c.readLinkDown(w) },
	}
	for _, name := range []string{
		"USE_DYNAMIC_PFC_THRESHOLD", "PAUSE_TIME", "DATA_RATE", "LINK_DELAY", "TRACE_FILE",
		"TRACE_OUTPUT_FILE", "FCT_OUTPUT_FILE", "PFC_OUTPUT_FILE", "ENABLE_TRACE",
		"PINT_LOG_BASE", "PINT_PROB", "QLEN_MON_FILE", "QLEN_MON_START", "QLEN_MON_END",
		"QLEN_DUMP_INTERVAL", "QLEN_MON_INTERVAL",
	} {
		keys[name] = nil
	}
	c.switches(keys, w)
	c.numbers(keys, w)
	return keys
}

// switches adds the keys with 0 or 1.
func (c *config) switches(keys map[string]func(), w *words) {
	for name, to := range map[string]*bool{
		"ENABLE_QCN": &c.enableQCN, "CLAMP_TARGET_RATE": &c.clampTarget,
		"L2_BACK_TO_ZERO": &c.backToZero, "GLOBAL_T": &c.globalT, "VAR_WIN": &c.varWin,
		"FAST_REACT": &c.fastReact, "MULTI_RATE": &c.multiRate,
		"SAMPLE_FEEDBACK": &c.sampleFeedback, "RATE_BOUND": &c.rateBound,
		"ACK_HIGH_PRIO": &c.ackHighPrio,
	} {
		keys[name] = func() {
			v, _ := w.integer(name, 0, 1)
			*to = v == 1
		}
	}
	keys["HAS_WIN"] = func() {
		v, at := w.integer("HAS_WIN", 0, 1)
		c.hasWin, c.hasWinAt = v == 1, at
	}
}

// numbers adds the keys with a number or a rate.
func (c *config) numbers(keys map[string]func(), w *words) {
	const most = 1 << 31
	for name, k := range map[string]struct {
		to          *int64
		least, most int64
	}{
		"PACKET_PAYLOAD_SIZE": {&c.payload, 1, 65000}, "L2_CHUNK_SIZE": {&c.chunk, 0, most},
		"L2_ACK_INTERVAL": {&c.ackInterval, 0, most}, "FAST_RECOVERY_TIMES": {&c.fastRecovery, 0, most},
		"MI_THRESH": {&c.miThresh, 0, most}, "INT_MULTI": {&c.intMulti, 1, 1 << 16},
		"BUFFER_SIZE": {&c.bufferMiB, 0, 1 << 20},
	} {
		keys[name] = func() { *k.to, _ = w.integer(name, k.least, k.most) }
	}
	// Intervals may be written as decimals; the host model takes the whole microseconds.
	for name, to := range map[string]*int64{
		"ALPHA_RESUME_INTERVAL": &c.alphaInterval, "RATE_DECREASE_INTERVAL": &c.decreaseInterval,
		"RP_TIMER": &c.rpTimer,
	} {
		keys[name] = func() {
			v, _ := w.number(name, 1, 1e9)
			*to = int64(v)
		}
	}
	for name, k := range map[string]struct {
		to   *float64
		most float64
	}{
		"SIMULATOR_STOP_TIME": {&c.stop, 1e6}, "EWMA_GAIN": {&c.gain, 1},
		"ERROR_RATE_PER_LINK": {&c.errorRate, 1}, "U_TARGET": {&c.uTarget, 1},
	} {
		keys[name] = func() { *k.to, _ = w.number(name, 0, k.most) }
	}
	for name, to := range map[string]*units.BitRate{
		"RATE_AI": &c.rateAI, "RATE_HAI": &c.rateHAI, "DCTCP_RATE_AI": &c.dctcpAI,
	} {
		keys[name] = func() { *to, _ = w.rate(name) }
	}
	keys["MIN_RATE"] = func() {
		var at word
		before := len(w.found)
		if c.minRate, at = w.rate("MIN_RATE"); c.minRate < units.Kbps && len(w.found) == before {
			w.found.Errorf(BadValue, at.at, "MIN_RATE is %d bit/s, which is below 1000", c.minRate).Fixf("write at least 1000b/s")
		}
	}
	keys["CC_MODE"] = func() { c.mode, c.modeAt = w.integer("CC_MODE", 0, 255) }
}

// thresholds reads a count, then pairs of link rate and KB.
func thresholds(w *words, key string) map[units.BitRate]int64 {
	m := map[units.BitRate]int64{}
	n, _ := w.integer(key, 0, 1000)
	w.each(n, key, func() {
		rate, _ := w.rate(key)
		m[rate], _ = w.integer(key, 0, 1<<22)
	})
	return m
}

// probabilities reads a count, then pairs of link rate and probability.
func probabilities(w *words, key string) map[units.BitRate]float64 {
	m := map[units.BitRate]float64{}
	n, _ := w.integer(key, 0, 1000)
	w.each(n, key, func() {
		rate, _ := w.rate(key)
		m[rate], _ = w.number(key, 0, 1)
	})
	return m
}
