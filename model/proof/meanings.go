package proof

import (
	"maps"
	"strings"
)

// This file has all words of obligations: titles, sources, and the names and units of their figures. A certificate
// with other words is refused: see words.

// A meaning explains the obligations of an ID.
type meaning struct {
	title  string // the requirement, in a sentence
	source string
	unit   string // of both sides
	// lossless is set of those whose failure loses lossless packets. Memory is one where what can really be
	// held exceeds it.
	lossless bool
	// Expressions of both sides; one that ends in … may go on.
	left, right string
	// terms by their symbols, without the digits that may follow.
	terms map[string]word
}

// A word is the name of a term, and its unit.
type word struct{ name, unit string }

const (
	linkSource   = "IEEE 802.1Q-2018 Annex N, delay value; IEEE 802.3-2018 31B.3.7, 4.4.2"
	queueSource  = "Zhu et al., DCQCN, SIGCOMM 2015, section 4: PFC must act before the buffer drops; Choudhury and Hahne, IEEE/ACM ToN 6(2) 1998: dynamic thresholds"
	memorySource = "derived: each cell of the packet buffer in the chip catalogue is in one of them"
)

// Words that several obligations share.
var (
	chipWords = map[string]word{
		"C": {"cell", InBytes},
		"M": {"metadata of a packet", InBytes},
	}
	linkWords = with(chipWords, map[string]word{
		"A": {"frame that the pause waits behind, with preamble and gap", InBytes},
		"P": {"pause frame, with preamble and gap", InBytes},
		"R": {"rate; the port's clock may be 100 ppm slow, the peer's 100 ppm fast", InRate},
		"L": {"cable", inMM},
		"v": {"delay of a millimetre of cable", InTime},
		"g": {"one passage through gearboxes", InTime},
		"i": {"the port's own layers, out and in", InTime},
		"t": {"response of the peer", InTime},
		"w": {"time until the last frame begins", InTime},
		"W": {"bytes that arrive until then", InBytes},
		"F": {"largest lossless frame", InBytes},
		"s": {"share of smallest packets, the others being largest", inPPB},
		"e": {"whole frames beside them: the last one", inOnes},
		"N": {"cells that arrive after the pause", InCells},
	})
	groupWords = with(linkWords, map[string]word{
		"q": {"cells of the pausing packet that are below the threshold", InCells},
		"H": {"headroom", InCells},
	})
	sumWords = map[string]word{
		"r": {"reserves of the priority groups", InCells},
		"h": {"headroom that they can fill", InCells},
		"B": {"shared part of ", InCells}, // the pool's name follows
		"k": {"headroom that one group gains by resuming above its threshold", InCells},
		"Q": {"cells of pausing packets that are below the threshold", InCells},
	}
	outWords = with(sumWords, map[string]word{
		"S": {"egress pool of the slice", InCells},
		"o": {"cells of it that other queues hold", InCells},
	})
)

var meanings = map[string]meaning{
	PauseReaches: {"a pause of the priority group reaches the peer", "IEEE 802.1Q-2018 36.1.3.2", inOnes, true, "1", "on",
		map[string]word{"on": {"PFC is on for a priority of the group", inOnes}}},
	Headroom: {"headroom holds all packets that arrive after a pause", linkSource, InCells, true, "N - q", "H", groupWords},
	Resume: {"a group that resumes has its headroom free again", "derived: headroom in use at XON is not free for the next pause", InCells, true,
		"N - q + max(0, X - r - T)", "H", with(groupWords, map[string]word{
			"X": {"xon", InCells},
			"r": {"reserve", InCells},
			"B": {"shared part of the pool", InCells},
			"y": {"cells that lossy traffic can take", InCells},
			"f": {"the least that others leave of it", InCells},
			"T": {"threshold then", InCells},
		})},
	HeadroomPool: {"the headroom pool holds all packets that arrive after all pauses", linkSource, InCells, true, "n1 * N1…", "S", with(linkWords, map[string]word{
		"n": {"groups of ", inOnes}, // the name of their ports follows
		"Q": sumWords["Q"],
		"S": {"headroom pool of the slice", InCells},
	})},
	QueueHolds: {"all senders are paused before the queue drops", queueSource, InCells, true, "r + h…", "u + …", with(outWords, map[string]word{
		"u": {"reserve of the queue", InCells},
		"l": {"limit of the queue in a slice", InCells},
	})},
	PortHolds: {"a port that is bounded as a whole takes all that its senders can hold", queueSource, InCells, true, "r + h…", "u + …", with(outWords, map[string]word{
		"u": {"least reserve of the queues", InCells},
		"l": {"limit of the port in a slice", InCells},
	})},
	EgressHolds: {"the egress pool takes all that lossless groups can hold", queueSource, InCells, true, "r + h…", "S", with(outWords, map[string]word{
		"y": {"cells of the pool that lossy queues take", InCells},
	})},
	Memory: {"reserves, shared parts and headroom fit the memory", memorySource, InCells, false, "B + S + r + h", "V", map[string]word{
		"B": {"shared parts of the ingress pools", InCells},
		"S": {"headroom pools", InCells},
		"r": {"reserves of priority groups", InCells},
		"h": {"headroom that groups own", InCells},
		"V": {"memory of a slice", InCells},
	}},
	LossyShare: {"lossy traffic leaves a frame for every lossless group", "derived: both draw on the same shared part", InCells, false, "y + F", "B", map[string]word{
		"y": {"cells that lossy traffic can take", InCells},
		"F": {"a frame for every lossless group", InCells},
		"B": {"shared part of the pool", InCells},
	}},
	MarkingOrder: {"marking begins below the level at which all is marked", "Floyd and Jacobson, IEEE/ACM ToN 1(4) 1993: RED thresholds", InBytes, false, "Kmin", "Kmax", map[string]word{
		"Kmin": {"nothing is marked below", InBytes},
		"Kmax": {"all is marked above", InBytes},
	}},
	MarkingQueue: {"the queue can reach the level at which all is marked", "derived: a queue that drops first never marks", InBytes, false, "Kmax", "n * (u + S - …", with(chipWords, map[string]word{
		"Kmax": {"all is marked above", InBytes},
		"u":    {"reserve of the queue", InCells},
		"S":    {"egress pool of a slice", InCells},
		"n":    {"slices", inOnes},
	})},
	MarkingBefore: {"all is marked before the first pause", "Zhu et al., DCQCN, SIGCOMM 2015, section 4: ECN has to act before PFC", InBytes, false,
		"Kmax", "floor(n * (s + r), m) * C", with(chipWords, map[string]word{
			"Kmax": {"all is marked above", InBytes},
			"n":    {"senders in a slice", inOnes},
			"m":    {"ports that they send to", inOnes},
			"B":    {"shared part of the pool", InCells},
			"y":    {"cells that lossy traffic can take", InCells},
			"r":    {"reserve of a priority group", InCells},
			"s":    {"share of each sender at the first pause", InCells},
		})},
	Starvation: {"strict queues leave the others their part", "IEEE 802.1Q-2018 8.6.8.1: strict priority", InRate, false,
		"caps", "floor((1000000000 - g) * R, 1000000000)", map[string]word{
			"caps": {"caps of the strict queues; the port's rate for a queue without a cap", InRate},
			"R":    {"rate", InRate},
			"g":    {"part that the others are promised", inPPB},
		}},
	WatchdogPause: {"the watchdog waits for ten of the longest pauses", "IEEE 802.3-2018 31B.2: pause_time", InTime, false,
		"ceil(n * q * 512 * 1000000000000, R)", "D", map[string]word{
			"n": {"pauses", inOnes},
			"q": {"quanta of the longest pause", inOnes},
			"R": {"rate of the slowest port with PFC", InRate},
			"D": {"detection", InTime},
		}},
	WatchdogPoll: {"the watchdog's timers last longer than its poll", "sonic-pfcwd YANG: detection and restoration at least the poll", InTime, false, "p", "min(D, r)", map[string]word{
		"p": {"poll", InTime},
		"D": {"detection", InTime},
		"r": {"restoration", InTime},
	}},
}

// atOnceWords are the words of obligations on the cells held at once in a slice, which are judged as memory is.
var atOnceWords = with(sumWords, map[string]word{"V": {"memory of a slice", InCells}})

// refutedWords are the words of an obligation that a counterexample has refuted.
var refutedWords = map[string]word{
	"x": {"cells that it holds", InCells},
	"p": {"cells of the packet that comes", InCells},
	"l": {"cells that it may hold", InCells},
}

// with returns a copy of words with others added.
func with(words, more map[string]word) map[string]word {
	all := maps.Clone(words)
	maps.Copy(all, more)
	return all
}

// meaning returns the meaning of an obligation. One on cells held at once, or one that a
// counterexample refutes, has other sides than the rest of its ID.
func (o *Obligation) meaning() meaning {
	m := meanings[o.ID]
	switch {
	case o.refuted():
		m.left, m.right, m.terms, m.unit, m.source = "x + p", "l", refutedWords, InCells, o.Source
	case o.ID == Memory && strings.HasPrefix(o.Left.Expr, "r + h"):
		m.left, m.terms = "r + h…", atOnceWords
	}
	return m
}

// wordOf returns the name of a term of an obligation, up to a name that may follow, and its unit.
func (m *meaning) wordOf(t *Term, condition string) (word, bool) {
	symbol := strings.TrimRight(t.Symbol, "0123456789")
	w, known := m.terms[t.Symbol]
	if !known {
		w, known = m.terms[symbol]
	}
	switch {
	case symbol == "e" && t.Value > 1:
		w.name += ", and the one that decides with its last byte"
	case symbol == "N" && condition == PausedGroups:
		w.name = "headroom that a group uses, with the part that it keeps when it resumes"
	case symbol == "N" && t.Expr == "":
		w.name = "headroom of a group, the most that it holds, and cells of the pausing packet below the threshold"
	}
	return w, known
}

// inWords fills in what an obligation and its terms are called.
func inWords(o Obligation) Obligation {
	m := o.meaning()
	if o.Title = m.title; o.Left.Expr != "" {
		o.Unit, o.Source = m.unit, m.source
	}
	m.name(o.Terms, "")
	for i := range o.Conditions {
		m.name(o.Conditions[i].Terms, o.Conditions[i].ID)
	}
	return o
}

func (m *meaning) name(terms []Term, condition string) {
	for i := range terms {
		w, _ := m.wordOf(&terms[i], condition)
		if terms[i].Unit = w.unit; terms[i].Name == "" {
			terms[i].Name = w.name
		}
	}
}
