package policy

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
)

// A Source is the text of a file under the name that findings show.
type Source struct {
	Name string
	Text []byte
}

// Catalogue is the part of the chip catalogue that the language needs.
type Catalogue interface {
	Find(name string) (*chips.Chip, bool) // by name or alias
	Names() []string                      // canonical, sorted
	// Platform finds the box that `platform` and `hwsku` of a switch name.
	Platform(platform, hwsku string) (*chips.Platform, bool)
	// Box finds a platform of sonic-buildimage, and ChipsIn how many chips it has.
	Box(platform string) (*chips.Box, bool)
	ChipsIn(platform, hwsku string) int
	// Layouts returns the layouts of the HwSKUs of the box that `platform` and `hwsku` name.
	Layouts(platform, hwsku string) []chips.Layout
	// Boxes are all platforms of sonic-buildimage.
	Boxes() []*chips.Box
	// NIC finds a network card by name or alias; NICs are all.
	NIC(name string) (*chips.NIC, bool)
	NICs() []*chips.NIC
}

// Options are the inputs of [Load].
type Options struct {
	Files []Source // together one fabric; their order means nothing

	// Root is the folder of the fabric, below which file() reads. Nil refuses file().
	// An os.Root's FS also refuses symbolic links that lead out.
	Root fs.FS

	Vars      map[string]string // --var NAME=VALUE; they go before VarFiles
	VarFiles  []Source          // --var-file; a later file goes before an earlier one
	Catalogue Catalogue         // nil: chips stay unresolved
	Parser    *Parser           // reads Files; nil: they are not remembered
}

// Load reads a fabric. It reports every fault of the files at once, in the order of
// files and lines. The Fabric is complete when the list has no errors; otherwise it is
// what could be understood, and nil where there is no fabric block or blocks are repeated too often.
//
// It goes in passes, each of which continues past the faults of the one before:
//
//  1. parse the files into one body and sort the blocks by type;
//  2. evaluate variables, then locals in the order of their dependence;
//  3. open what can be referred to: nic, traffic_class and switch blocks, the last
//     with for_each, count and ranges of names;
//  4. decode the blocks with these names in scope;
//  5. join switches of equal content into shapes, wire them by link and clos blocks,
//     and split shapes that are wired differently;
//  6. resolve references, then check what no single block can be blamed for.
func Load(opts Options) (*Fabric, diag.List) {
	d := newDecoder(opts)
	f := d.load(opts)
	d.diags = withoutConsequences(d.diags, d.blocks)
	if len(d.diags) >= maxFindings {
		d.diags.Errorf(TooLarge, hcl.Range{}, "there are %d findings or more; the rest is not listed", maxFindings).
			Fixf("fix these first")
	}
	return f, d.diags.Sorted()
}

func (d *decoder) load(opts Options) *Fabric {
	desc := d.gather(opts)
	if desc == nil {
		return nil
	}
	d.ctx.Variables["var"] = d.variables(desc.variables, opts)
	d.ctx.Variables["nic"] = namespace("nic", labels(desc.nics))
	d.ctx.Variables["traffic_class"] = namespace("traffic_class", labels(desc.classes))
	d.ctx.Variables["sizes"] = namespace("sizes", append(labels(desc.sizes), librarySizes...))
	d.ctx.Variables["local"] = d.locals(desc.locals)
	switches := declareSwitches(d, desc.switches)
	if d.crowded() { // a missing block would be reported everywhere
		return nil
	}
	d.ctx.Variables["switch"] = namespace("switch", switchNames(switches))

	f := d.fabric(desc)
	for _, b := range desc.classes {
		f.Classes = append(f.Classes, decodeClass(d, b))
	}
	stable.Sort(f.Classes, func(a, b *Class) int { return strings.Compare(a.Name, b.Name) })
	checkClasses(d, f.Classes)
	d.nics(f, desc.nics)
	if desc.marking != nil {
		f.Marking = decodeMarking(d, desc.marking, f.Classes)
	}
	if desc.watchdog != nil {
		f.Watchdog = decodeWatchdog(d, desc.watchdog)
	}
	w := newWiring(decodeSwitches(d, switches, f.Classes))
	w.checkPeerSpeeds(d)
	w.decodeLinks(d, desc.links)
	w.decodeClos(d, desc.clos)
	w.checkCables(d)
	w.build(f)
	checkFabric(d, f)
	decodeServers(d, f, desc.servers, w)
	w.checkWiring(d, f)
	checkScenarios(d, f, d.scenarios(desc), w)
	f.Texts = d.texts
	if desc.fabric == nil {
		return nil
	}
	return f
}

func (d *decoder) fabric(desc *description) *Fabric {
	f := &Fabric{}
	if desc.fabric == nil {
		d.errorf(FabricMissing, desc.start, "there is no fabric block").Fixf(`add fabric "NAME" { … }`)
		return f
	}
	f.Name, f.Range = desc.fabric.Labels[0], labelRange(desc.fabric)
	d.checkLabel(desc.fabric)
	targetsBlock.decode(d, &hclsyntax.Body{}, f.Range, &f.Targets) // the defaults, where there is no block
	fabricBlock.decode(d, desc.fabric.Body, f.Range, f)
	derive(&f.LosslessFrame, f.MTU.Value)
	return f
}

func (d *decoder) nics(f *Fabric, blocks []*hclsyntax.Block) {
	for _, b := range blocks {
		n := decodeNIC(d, b)
		derive(&n.MTU, f.MTU.Value)
		n.resolveClasses(f.Classes)
		f.NICs = append(f.NICs, n.NIC)
	}
	stable.Sort(f.NICs, func(a, b *NIC) int { return strings.Compare(a.Name, b.Name) })
}

// description is the blocks of all files by their type.
type description struct {
	start                          hcl.Range // of the first file
	fabric, marking, watchdog      *hclsyntax.Block
	classes, nics, switches, links []*hclsyntax.Block
	clos, locals, variables        []*hclsyntax.Block
	scenarios, sizes, servers      []*hclsyntax.Block
}

// many and one note the blocks of a type, whose content is read later.
//
//go:noinline
func many(to func(*description) *[]*hclsyntax.Block) func(*decoder, *description, *hclsyntax.Block) {
	return func(_ *decoder, desc *description, b *hclsyntax.Block) { *to(desc) = append(*to(desc), b) }
}

func one(to func(*description) **hclsyntax.Block) func(*decoder, *description, *hclsyntax.Block) {
	return func(_ *decoder, desc *description, b *hclsyntax.Block) { *to(desc) = b }
}

// topLevel describes the blocks of a file.
var topLevel = &block[description]{name: "a fabric", nested: []nested[description]{
	inner(fabricBlock, true, one(func(desc *description) **hclsyntax.Block { return &desc.fabric })),
	inner(classBlock, false, many(func(desc *description) *[]*hclsyntax.Block { return &desc.classes })),
	inner(markingBlock, true, one(func(desc *description) **hclsyntax.Block { return &desc.marking })),
	inner(watchdogBlock, true, one(func(desc *description) **hclsyntax.Block { return &desc.watchdog })),
	inner(nicBlock, false, many(func(desc *description) *[]*hclsyntax.Block { return &desc.nics })),
	inner(switchBlock, false, many(func(desc *description) *[]*hclsyntax.Block { return &desc.switches })),
	inner(linkBlock, false, many(func(desc *description) *[]*hclsyntax.Block { return &desc.links })),
	inner(closBlock, false, many(func(desc *description) *[]*hclsyntax.Block { return &desc.clos })),
	inner(serverBlock, false, many(func(desc *description) *[]*hclsyntax.Block { return &desc.servers })),
	inner(variableBlock, false, many(func(desc *description) *[]*hclsyntax.Block { return &desc.variables })),
	inner(localsBlock, false, many(func(desc *description) *[]*hclsyntax.Block { return &desc.locals })),
	inner(scenarioBlock, false, many(func(desc *description) *[]*hclsyntax.Block { return &desc.scenarios })),
	inner(sizesBlock, false, many(func(desc *description) *[]*hclsyntax.Block { return &desc.sizes })),
}}

// gather parses the files into one body and sorts its blocks by type. It gives nil when a file does
// not parse: its blocks would be reported as missing everywhere.
func (d *decoder) gather(opts Options) *description {
	parser := cmp.Or(opts.Parser, &Parser{})
	all := &hclsyntax.Body{Attributes: hclsyntax.Attributes{}}
	desc := &description{}
	for i, src := range stable.Sorted(slices.Values(opts.Files), func(a, b Source) int { return strings.Compare(a.Name, b.Name) }) {
		if i == 0 {
			desc.start = hcl.Range{Filename: src.Name, Start: hcl.InitialPos, End: hcl.InitialPos}
		}
		body, found := parser.Parse(src)
		d.diags = append(d.diags, found...)
		if body == nil || d.diags.HasErrors() {
			continue
		}
		all.Blocks = append(all.Blocks, body.Blocks...)
		for name, attr := range body.Attributes {
			all.Attributes[name] = attr
		}
	}
	if d.diags.HasErrors() {
		return nil
	}
	d.blocks = all.Blocks
	topLevel.decode(d, all, desc.start, desc)
	for _, named := range []*[]*hclsyntax.Block{&desc.classes, &desc.nics, &desc.clos, &desc.variables, &desc.sizes, &desc.servers} {
		*named = d.unique(*named)
	}
	return desc
}

// unique keeps the first block of each label, and reports the others and labels that are not names.
func (d *decoder) unique(blocks []*hclsyntax.Block) []*hclsyntax.Block {
	first := map[string]*hclsyntax.Block{}
	return stable.Delete(blocks, func(b *hclsyntax.Block) bool {
		label := b.Labels[0]
		if before := first[label]; before != nil {
			d.errorf(DuplicateName, labelRange(b), "there are two %s blocks %q", b.Type, clip(label)).
				Fixf("rename one").Notef(labelRange(before), "the first is here")
			return true
		}
		first[label] = b
		return b.Type != "variable" && !d.checkLabel(b)
	})
}

func labels(blocks []*hclsyntax.Block) []string {
	var names []string
	for _, b := range blocks {
		names = append(names, b.Labels[0])
	}
	return names
}

func switchNames(decls []*switchDecl) []string {
	var names []string
	for _, s := range decls {
		names = append(names, s.refs...)
	}
	return names
}

// keywords returns the words that need no quotes: each is its own text.
func keywords() map[string]cty.Value {
	words := map[string]cty.Value{}
	for _, w := range slices.Concat(systemNames(), TargetNames(), congestionControls(), []string{
		"rest", "ingress", "egress", "rs", "fc", "none", "auto", "device", "strict", "dwrr", "derived", "off", "dscp", "marking", "port", "flow",
		"model", "dac", "aoc", "fiber", "copper", "shortest_paths", "valley_free", "drop", "forward", "alert", "traditional", "dynamic",
		"rc", "xrc", "dc", "srd", "intel", "amd",
		"training", "storage", "requests", "mixed",
		"ecmp", "flowlet", "letflow", "spray", "adaptive", "global", "conweave", "cell",
		"lossless", "lossy", "go_back_n", "selective",
		"all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast", "reduce", "ring", "tree", "nvls_tree", "hierarchical", "wire", "ll", "ll128", "simple", "tuned",
	}) {
		words[w] = cty.StringVal(w)
	}
	return words
}
