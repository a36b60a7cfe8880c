package policy

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/units"
)

// maxScenarioTime bounds the time of a run and all times in it.
const maxScenarioTime = units.Second

// Attributes that several kinds of traffic have.
type trafficField = field[Traffic]

func messageKind() kind[units.Bytes]         { return between(bytesKind(), 64, 16*units.GB) }
func instantKind() kind[units.Time]          { return between(timeKind(), 0, maxScenarioTime) }
func hostsOf(most int) kind[int]             { return whole(1, most) }
func toMessage(t *Traffic) *Opt[units.Bytes] { return &t.Message }

func fillField(what string) trafficField {
	return opt("message", messageKind(), toMessage, what).otherwise("what fills the time of the scenario")
}

func messageField(what string) trafficField {
	return opt("message", messageKind(), toMessage, what).must()
}

func everyField() trafficField {
	return opt("every", between(timeKind(), units.Nanosecond, maxScenarioTime), func(t *Traffic) *Opt[units.Time] { return &t.Every },
		"sends again after this time, until the end of the scenario; needs `message`").otherwise("once")
}

func loadField() trafficField {
	return opt("load", between(shareKind(), units.One/10_000, units.One), func(t *Traffic) *Opt[units.Ratio] { return &t.Load }, "of each host's line rate").must()
}

// trafficBlock adds what all kinds of traffic have.
func trafficBlock(name, doc string, fields ...trafficField) *block[Traffic] {
	common := []trafficField{
		forEachField[Traffic](),
		countField[Traffic](),
		opt("name", wordKind("reads"), func(t *Traffic) *Opt[string] { return &t.Name },
			"of the block in results; several of one name are numbered").otherwise("its kind"),
		opt("class", carrierKind(), func(t *Traffic) *Opt[Carrier] { return &t.Class }, "class of the packets; in a lossy one they are TCP").otherwise("the first lossless one"),
		optDefault("queue_pairs", whole(1, 1024), func(t *Traffic) *Opt[int] { return &t.QueuePairs }, 1, "that each message is divided over"),
		optDefault("start", instantKind(), func(t *Traffic) *Opt[units.Time] { return &t.Start }, 0, "of the first message"),
	}
	return &block[Traffic]{name: name, doc: doc, fields: append(fields, common...)}
}

// trafficBlocks are the kinds of traffic.
var trafficBlocks = []*block[Traffic]{
	trafficBlock("incast", "Hosts that send to one at once: N to 1, or N to each of M, all drawn by the seed.",
		opt("senders", hostsOf(65535), func(t *Traffic) *Opt[int] { return &t.Senders }, "hosts that send").must(),
		optDefault("receivers", hostsOf(65535), func(t *Traffic) *Opt[int] { return &t.Receivers }, 1, "hosts that each of them sends to"),
		optDefault("local", boolKind(), func(t *Traffic) *Opt[bool] { return &t.Local }, false,
			"whether its hosts are all on one switch: that of all local traffic of the scenario, none of whose hosts has two of them"),
		fillField("of each sender to each receiver"),
		everyField(),
	),
	trafficBlock("permutation", "Each host sends to another one, drawn by the seed, so that each receives from one.",
		fillField("of each host"), everyField(),
	),
	trafficBlock("shift", "Each host sends to the one that comes so many places after it.",
		opt("by", hostsOf(65535), func(t *Traffic) *Opt[int] { return &t.By }, "places").otherwise("half of the hosts"),
		fillField("of each host"), everyField(),
	),
	trafficBlock("all_to_all", "Each host sends to every other one at once.",
		fillField("of each host to each other"), everyField(),
	),
	trafficBlock("ring_all_reduce", "All-reduce in a ring: in each of 2(n-1) steps every host sends an n-th of the data to the next one, as soon as the part of the step before has come.",
		opt("message", messageKind(), toMessage, "data to reduce").otherwise("what fills the time of the scenario"),
	),
	trafficBlock("tree_all_reduce", "All-reduce in a binary tree, whose leaves are each second host, beside their parents, as in NCCL: the data go up to the root and down again; a host sends as soon as it has what it needs.",
		messageField("data to reduce"),
	),
	trafficBlock("collective", "An operation of NCCL or RCCL among GPUs, in groups that run side by side: those of tensor, pipeline, data or expert parallelism. "+
		"GPUs are counted server by server (`server`), or one at each host where there are no servers; transfers within a server do not touch the fabric. "+
		"Steps are cut as both libraries do it by default: at most 2 MiB in two slices in a ring, 512 KiB or less in the two trees.",
		opt("operation", oneOf("all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast", "reduce"),
			func(t *Traffic) *Opt[string] { return &t.Operation }, "what they do").must(),
		messageField("data of each GPU: of an all-gather what it has in the end"),
		opt("algorithm", oneOf("ring", "tree", "hierarchical"), func(t *Traffic) *Opt[string] { return &t.Algorithm },
			"of an all-reduce; hierarchical: in each server, then rings of servers").otherwise("the one that NCCL's cost model takes"),
		opt("protocol", oneOf("wire", "ll", "ll128", "simple", "tuned"), func(t *Traffic) *Opt[string] { return &t.Protocol },
			"NCCL's protocol, with what GPUs and hosts take for each step and the flags between data; `tuned`: the one that its cost model takes; `wire`: the messages of `simple`, and no time but the fabric's and NVLink's, which makes small operations faster than they are. An all-to-all takes none").otherwise("wire"),
		opt("group", whole(2, 1<<20), func(t *Traffic) *Opt[int] { return &t.Group }, "GPUs of a group").otherwise("all that are `stride` apart"),
		optDefault("stride", whole(1, 1<<20), func(t *Traffic) *Opt[int] { return &t.Stride }, 1, "from one GPU of a group to the next: with 8 GPUs for tensor parallelism, 8 for data parallelism"),
		optDefault("repeat", whole(1, 10_000), func(t *Traffic) *Opt[int] { return &t.Repeat }, 1, "operations, one after the other"),
		optDefault("compute", instantKind(), func(t *Traffic) *Opt[units.Time] { return &t.Compute }, 0, "that GPUs compute before each of them"),
		optDefault("skew", shareKind(), func(t *Traffic) *Opt[units.Ratio] { return &t.Skew }, 0,
			"of an all-to-all among experts: how much more some get, as the exponent of Zipf's law; which ones is drawn by the seed"),
	),
	trafficBlock("trace", "What GPUs do, by files: Chakra execution traces NAME.RANK.et in a folder, a workload file of SimAI, or a flow file of the HPCC simulator, whose hosts are GPUs. "+
		"GPUs are counted as for `collective`. Times of computing are the trace's, collectives are NCCL's; `sim --workload` runs the same files without a scenario.",
		opt("path", textKind("a file or folder", "traces"), func(t *Traffic) *Opt[string] { return &t.Path }, "below the folder of the fabric").must(),
	),
	trafficBlock("storage_read", "Each host asks others, drawn by the seed, for data: a request, then the answer as soon as it has come. Arrivals are a Poisson process.",
		messageField("of an answer"), loadField(),
	),
	trafficBlock("storage_write", "Each host writes data to others, drawn by the seed, and their copies to further ones. Arrivals are a Poisson process.",
		messageField("of each copy"), loadField(),
		optDefault("copies", whole(1, 64), func(t *Traffic) *Opt[int] { return &t.Copies }, 3, "hosts that each message goes to"),
	),
	trafficBlock("poisson", "Messages between hosts drawn by the seed, as a Poisson process at each host.",
		opt("sizes", referenceTo("`sizes.NAME`", "sizes"), func(t *Traffic) *Opt[reference] { return &t.sizes }, "distribution of the sizes").otherwise("`message`"),
		opt("message", messageKind(), toMessage, "size of all messages").otherwise("`sizes`"), loadField(),
	),
	trafficBlock("flow", "Messages from one host to another. Hosts are written as SWITCH:PORT, the port that they are at.",
		opt("src", textKind("SWITCH:PORT", "leaf-01:Ethernet0"), func(t *Traffic) *Opt[string] { return &t.src }, "host that sends").must(),
		opt("dst", textKind("SWITCH:PORT", "leaf-01:Ethernet0"), func(t *Traffic) *Opt[string] { return &t.dst }, "host that receives").must(),
		opt("message", between(bytesKind(), 1, 16*units.GB), toMessage, "size of each message").must(),
		optDefault("repeat", whole(1, 100_000), func(t *Traffic) *Opt[int] { return &t.Repeat }, 1, "messages"),
		opt("every", between(timeKind(), 0, maxScenarioTime), func(t *Traffic) *Opt[units.Time] { return &t.Every }, "from the start of a message to that of the next").
			otherwise("each as soon as the one before is done"),
	),
}

// carrierKind is a class by reference or by its nature.
func carrierKind() kind[Carrier] {
	const words = "`traffic_class.NAME`, `lossless` or `lossy`"
	nature := oneOf("lossless", "lossy")
	return kind[Carrier]{words, func(d *decoder, attr string, expr hclsyntax.Expression) (Carrier, bool) {
		if v, ok := d.eval(expr); ok && !v.IsNull() && v.Type() == cty.String {
			word, ok := nature.decode(d, attr, expr)
			return Carrier{Lossy: word == "lossy"}, ok
		}
		ref, ok := referenceTo(words, "traffic_class").decode(d, attr, expr)
		return Carrier{Class: ref.name}, ok
	}}
}

// eventBlock is something that befalls the fabric; fields come after where and when.
func eventBlock(name, doc, where string, what kind[string], whereDoc, chosen string, fields ...field[Event]) *block[Event] {
	all := []field[Event]{
		forEachField[Event](),
		countField[Event](),
		opt(where, what, func(e *Event) *Opt[string] { return &e.where }, whereDoc).otherwise(chosen),
		optDefault("at", instantKind(), func(e *Event) *Opt[units.Time] { return &e.At }, 0, "when it begins"),
		opt("until", instantKind(), func(e *Event) *Opt[units.Time] { return &e.Until }, "when it ends").otherwise("at the end of the run"),
	}
	return &block[Event]{name: name, doc: doc, fields: append(all, fields...)}
}

func portKind() kind[string] { return textKind("SWITCH:PORT", "leaf-01:Ethernet0") }

func convergenceField(what string) field[Event] {
	return optDefault("convergence", instantKind(), func(e *Event) *Opt[units.Time] { return &e.Convergence }, units.Millisecond,
		"until all routes avoid "+what+"; the default is assumed")
}

// nicBuffer is what a ConnectX-5 gives to one of two classes: 130,944 B of 262,016 B (NVIDIA,
// "HowTo Tune Receive Buffers on Mellanox Adapter Cards", community.mellanox.com/docs/DOC-2933).
const nicBuffer units.Bytes = 130_944

// eventBlocks are the kinds of events.
var eventBlocks = []*block[Event]{
	eventBlock("link_failure", "A link that fails: what is on it is lost, and routes avoid it.", "link", portKind(), "one end of the link",
		"a link between two switches, drawn by the seed", convergenceField("the link")),
	eventBlock("switch_failure", "A switch that fails with all its links: what is in it and on them is lost, and routes avoid it.", "switch", textKind("a switch", "spine-1"), "its name",
		"a switch without hosts, drawn by the seed", convergenceField("the switch")),
	eventBlock("slow_receiver", "A host that takes packets more slowly than its port brings them, and pauses its switch.", "host", portKind(), "port that the host is at",
		"the host that receives most",
		opt("rate", rateKind(), func(e *Event) *Opt[units.BitRate] { return &e.Rate }, "at which it takes packets").must(),
		optDefault("buffer", between(bytesKind(), 16*units.KiB, units.GiB), func(e *Event) *Opt[units.Bytes] { return &e.Buffer }, nicBuffer,
			"of the NIC for the class; the default is a ConnectX-5's")),
	eventBlock("pfc_storm", "A host whose NIC sends pause frames without end.", "host", portKind(), "port that the host is at",
		"a host that the first block of traffic sends to, drawn by the seed"),
}
