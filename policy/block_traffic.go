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
	return opt("message", messageKind(), toMessage, what).otherwise("enough to fill the time of the scenario")
}

func messageField(what string) trafficField {
	return opt("message", messageKind(), toMessage, what).must()
}

func everyField() trafficField {
	return opt("every", between(timeKind(), units.Nanosecond, maxScenarioTime), func(t *Traffic) *Opt[units.Time] { return &t.Every },
		"time after which the block sends again, until the end of the scenario; needs `message`").otherwise("once")
}

func loadField() trafficField {
	return opt("load", between(shareKind(), units.One/10_000, units.One), func(t *Traffic) *Opt[units.Ratio] { return &t.Load }, "share of each host's line rate").must()
}

// trafficBlock adds what all kinds of traffic have.
func trafficBlock(name, doc string, fields ...trafficField) *block[Traffic] {
	common := []trafficField{
		forEachField[Traffic](),
		countField[Traffic](),
		opt("name", wordKind("reads"), func(t *Traffic) *Opt[string] { return &t.Name },
			"name of the block in results; blocks of one name are numbered").otherwise("its kind"),
		opt("class", carrierKind(), func(t *Traffic) *Opt[Carrier] { return &t.Class }, "class of the packets; a lossy class carries TCP").otherwise("the first lossless one"),
		optDefault("queue_pairs", whole(1, 1024), func(t *Traffic) *Opt[int] { return &t.QueuePairs }, 1, "queue pairs that share each message"),
		optDefault("start", instantKind(), func(t *Traffic) *Opt[units.Time] { return &t.Start }, 0, "time of the first message"),
	}
	return &block[Traffic]{name: name, doc: doc, fields: append(fields, common...)}
}

// trafficBlocks are the kinds of traffic.
var trafficBlocks = []*block[Traffic]{
	trafficBlock("incast", "Hosts that send to one host at once: N to 1, or N to each of M. The seed draws them.",
		opt("senders", hostsOf(65535), func(t *Traffic) *Opt[int] { return &t.Senders }, "hosts that send").must(),
		optDefault("receivers", hostsOf(65535), func(t *Traffic) *Opt[int] { return &t.Receivers }, 1, "hosts that each sender sends to"),
		optDefault("local", boolKind(), func(t *Traffic) *Opt[bool] { return &t.Local }, false,
			"whether all its hosts are on one switch. All local blocks of a scenario use the same switch and different hosts"),
		fillField("size of the message from each sender to each receiver"),
		everyField(),
	),
	trafficBlock("permutation", "Each host sends to one other host and receives from one. The seed draws them.",
		fillField("size of each host's message"), everyField(),
	),
	trafficBlock("shift", "Each host sends to the host `by` places after it.",
		opt("by", hostsOf(65535), func(t *Traffic) *Opt[int] { return &t.By }, "places").otherwise("half of the hosts"),
		fillField("size of each host's message"), everyField(),
	),
	trafficBlock("all_to_all", "Each host sends to every other one at once.",
		fillField("size of the message from each host to each other host"), everyField(),
	),
	trafficBlock("ring_all_reduce", "All-reduce in a ring. In each of 2(n-1) steps every host sends an n-th of the data to the next host, as soon as it has received the part of the step before.",
		opt("message", messageKind(), toMessage, "data to reduce").otherwise("enough to fill the time of the scenario"),
	),
	trafficBlock("tree_all_reduce", "All-reduce in NCCL's binary tree, whose leaves are each second host. The data go up to the root and down again; a host sends as soon as it has its input.",
		messageField("data to reduce"),
	),
	trafficBlock("collective", "An operation of NCCL or RCCL among GPUs, in groups that run at the same time: those of tensor, pipeline, data or expert parallelism. "+
		"GPUs are counted server by server (`server`); without servers each host has one. Transfers within a server do not use the fabric. "+
		"Both libraries cut steps by default: at most 2 MiB in two slices in a ring, 512 KiB or less in the two trees.",
		opt("operation", oneOf("all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast", "reduce"),
			func(t *Traffic) *Opt[string] { return &t.Operation }, "kind of operation").must(),
		messageField("data of each GPU; for an all-gather, its data at the end"),
		opt("algorithm", oneOf("ring", "tree", "nvls_tree", "hierarchical"), func(t *Traffic) *Opt[string] { return &t.Algorithm },
			"algorithm of an all-reduce; `nvls_tree`: trees of servers, in each of which NVLink's switches reduce the data, always with protocol `simple` or `wire`; `hierarchical`: in each server, then rings of servers").otherwise("the choice of NCCL's cost model"),
		opt("protocol", oneOf("wire", "ll", "ll128", "simple", "tuned"), func(t *Traffic) *Opt[string] { return &t.Protocol },
			"NCCL's protocol, with its flags and the time of GPUs and hosts for each step. `tuned`: the choice of its cost model. `wire`: the messages of `simple`, with the time of the fabric and NVLink alone, which makes small operations too fast. An all-to-all has no protocol").otherwise("wire"),
		opt("group", whole(2, 1<<20), func(t *Traffic) *Opt[int] { return &t.Group }, "GPUs of a group").otherwise("all GPUs that are `stride` apart"),
		optDefault("stride", whole(1, 1<<20), func(t *Traffic) *Opt[int] { return &t.Stride }, 1, "distance from one GPU of a group to the next; 8 for data parallelism over groups of 8 GPUs with tensor parallelism"),
		optDefault("repeat", whole(1, 10_000), func(t *Traffic) *Opt[int] { return &t.Repeat }, 1, "number of operations, one after the other"),
		optDefault("compute", instantKind(), func(t *Traffic) *Opt[units.Time] { return &t.Compute }, 0, "time of computing before each operation"),
		optDefault("skew", shareKind(), func(t *Traffic) *Opt[units.Ratio] { return &t.Skew }, 0,
			"imbalance of an all-to-all among experts, as the exponent of Zipf's law; the seed draws the experts"),
	),
	trafficBlock("trace", "A recorded workload of GPUs: Chakra execution traces NAME.RANK.et in a folder, a workload file of SimAI, or a flow file of the HPCC simulator, whose hosts are GPUs. "+
		"GPUs are counted as for `collective`. The trace has the times of computing; collectives are NCCL's. `sim --workload` runs the same files without a scenario.",
		opt("path", textKind("a file or folder", "traces"), func(t *Traffic) *Opt[string] { return &t.Path }, "path below the folder of the fabric").must(),
	),
	trafficBlock("storage_read", "Each host requests data from others, which the seed draws. A host answers as soon as the request arrives. Requests are a Poisson process.",
		messageField("size of an answer"), loadField(),
	),
	trafficBlock("storage_write", "Each host writes data and its copies to other hosts, which the seed draws. Writes are a Poisson process.",
		messageField("size of each copy"), loadField(),
		optDefault("copies", whole(1, 64), func(t *Traffic) *Opt[int] { return &t.Copies }, 3, "hosts that receive each message"),
	),
	trafficBlock("poisson", "A Poisson process of messages at each host, to hosts that the seed draws.",
		opt("sizes", referenceTo("`sizes.NAME`", "sizes"), func(t *Traffic) *Opt[reference] { return &t.sizes }, "distribution of the sizes").otherwise("`message`"),
		opt("message", messageKind(), toMessage, "size of all messages").otherwise("`sizes`"), loadField(),
	),
	trafficBlock("flow", "Messages from one host to another. SWITCH:PORT names a host by its port.",
		opt("src", textKind("SWITCH:PORT", "leaf-01:Ethernet0"), func(t *Traffic) *Opt[string] { return &t.src }, "host that sends").must(),
		opt("dst", textKind("SWITCH:PORT", "leaf-01:Ethernet0"), func(t *Traffic) *Opt[string] { return &t.dst }, "host that receives").must(),
		opt("message", between(bytesKind(), 1, 16*units.GB), toMessage, "size of each message").must(),
		optDefault("repeat", whole(1, 100_000), func(t *Traffic) *Opt[int] { return &t.Repeat }, 1, "number of messages"),
		opt("every", between(timeKind(), 0, maxScenarioTime), func(t *Traffic) *Opt[units.Time] { return &t.Every }, "time from the start of a message to the start of the next").
			otherwise("each message begins when the one before is done"),
	),
}

// carrierKind returns a class by reference or by its nature.
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
		optDefault("at", instantKind(), func(e *Event) *Opt[units.Time] { return &e.At }, 0, "begin"),
		opt("until", instantKind(), func(e *Event) *Opt[units.Time] { return &e.Until }, "end").otherwise("the end of the run"),
	}
	return &block[Event]{name: name, doc: doc, fields: append(all, fields...)}
}

func portKind() kind[string] { return textKind("SWITCH:PORT", "leaf-01:Ethernet0") }

func convergenceField(what string) field[Event] {
	return optDefault("convergence", instantKind(), func(e *Event) *Opt[units.Time] { return &e.Convergence }, units.Millisecond,
		"time until all routes avoid "+what+"; the default is assumed")
}

// nicBuffer is the part of its buffer that a ConnectX-5 gives to one of two classes: 130,944 B of
// 262,016 B (NVIDIA, "HowTo Tune Receive Buffers on Mellanox Adapter Cards",
// community.mellanox.com/docs/DOC-2933).
const nicBuffer units.Bytes = 130_944

// eventBlocks are the kinds of events.
var eventBlocks = []*block[Event]{
	eventBlock("link_failure", "A link fails: packets on it are lost, and routes avoid it.", "link", portKind(), "one end of the link",
		"a link between two switches, drawn by the seed", convergenceField("the link")),
	eventBlock("switch_failure", "A switch fails with all its links: packets in the switch and on the links are lost, and routes avoid it.", "switch", textKind("a switch", "spine-1"), "its name",
		"a switch without hosts, drawn by the seed", convergenceField("the switch")),
	eventBlock("slow_receiver", "A host takes packets more slowly than its port delivers them, and pauses its switch.", "host", portKind(), "port of the host",
		"the host that receives most",
		opt("rate", rateKind(), func(e *Event) *Opt[units.BitRate] { return &e.Rate }, "rate at which it takes packets").must(),
		optDefault("buffer", between(bytesKind(), 16*units.KiB, units.GiB), func(e *Event) *Opt[units.Bytes] { return &e.Buffer }, nicBuffer,
			"buffer of the NIC for the class; the default is a ConnectX-5's")),
	eventBlock("pfc_storm", "The NIC of a host sends pause frames without end.", "host", portKind(), "port of the host",
		"a receiver of the first block of traffic, drawn by the seed"),
}
