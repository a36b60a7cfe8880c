package policy

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// maxSwitches bounds the devices of a fabric.
const maxSwitches = 1 << 17

// switchDecl is one instance of a switch block: the devices that it names, and their
// content while references are still names.
type switchDecl struct {
	*Switch
	groups []*groupDecl
	chip   Opt[string]
	lossy  *lossyDecl // nil without its attributes

	block    *hclsyntax.Block
	instance *decoder // the scope with each or count
	refs     []string // its possible names in switch.NAME
}

// wordKind returns a text that may be in a configuration without quotes.
func wordKind(example string) kind[string] { return textKind("a word", example).where(safeWord) }

var switchBlock = &block[switchDecl]{
	example: switchExample,
	name:    "switch", labels: []string{"NAME"},
	doc: "One switch, or all switches of one shape. A label or `name` with ranges, `\"leaf-[01..32]\"`, means all its names; " +
		"`for_each` and `count` repeat the block. Switches with equal content are computed once.",
	fields: []field[switchDecl]{
		forEachField[switchDecl](),
		countField[switchDecl](),
		custom[switchDecl]("name", "texts with ranges, one or a list", "names of the devices", nil).
			otherwise("the label; `each.key` with `for_each`; LABEL-INDEX with `count`"),
		opt("chip", textKind("a chip", "tomahawk5"), func(s *switchDecl) *Opt[string] { return &s.chip }, "name in the catalogue: `roceplan chips`").must(),
		opt("os", systemOf(systemNames()...), func(s *switchDecl) *Opt[string] { return &s.OS }, "network operating system").must(),
		opt("targets", listOf("a list of `"+strings.Join(TargetNames(), "`, `")+"`", systemOf(TargetNames()...)),
			func(s *switchDecl) *Opt[[]string] { return &s.Targets }, "files to write").otherwise("all files of the operating system"),
		opt("platform", wordKind("x86_64-arista_7060x6_64pe"), func(s *switchDecl) *Opt[string] { return &s.Platform }, "SONiC platform or EOS model; `roceplan platforms` lists those with known lanes and labels"),
		opt("hwsku", wordKind("Arista-7060X6-64PE"), func(s *switchDecl) *Opt[string] { return &s.HwSKU }, "SONiC hardware SKU; it names the platform if `platform` is left out"),
		opt("release", textKind("a release of SONiC", "202505").where(isRelease), func(s *switchDecl) *Opt[string] { return &s.Release }, "SONiC release of the switch; the changes that `patch` and `diff --steps` may make depend on it"),
		opt("role", wordKind("leaf"), func(s *switchDecl) *Opt[string] { return &s.Role }, "place in the fabric: tor, leaf, spine, border"),
		opt("buffer_model", oneOf("traditional", "dynamic"), func(s *switchDecl) *Opt[string] { return &s.BufferModel }, "SONiC's buffer model").otherwise("by chip family"),
		opt("tunnel", wordKind("MuxTunnel0"), func(s *switchDecl) *Opt[string] { return &s.Tunnel },
			"tunnel to the other ToR of the same servers (dual-ToR). The switch sends packets for a server behind the other ToR back through it, in the class `sent_back_as`. The operator writes its addresses, PEER_SWITCH and MUX_CABLE").otherwise("none"),
		opt("alpha", alphaKind(), func(s *switchDecl) *Opt[units.Alpha] { return &s.Alpha }, "dynamic threshold of all lossless priority groups of the switch").otherwise("that of the class"),
		opt("lossy_pool", bytesKind(), func(s *switchDecl) *Opt[units.Bytes] { return &s.LossyPool }, "given size of the pool of all lossy queues; it is checked, not computed").otherwise("derived from weights and from the memory that lossless classes spare"),
		lossyField("lossy_alpha", alphaKind(), func(l *lossyDecl) *Opt[units.Alpha] { return &l.alpha }, "dynamic threshold of the priority groups of lossy classes, pinned").
			otherwise("none: their pool alone bounds them, because their queues drop first"),
		lossyField("one_egress_pool", boolKind(), func(l *lossyDecl) *Opt[bool] { return &l.onePool }, "whether lossless and lossy queues share one egress pool; pinned").
			otherwise("false"),
		lossyField("buffers", oneOf("device"), func(l *lossyDecl) *Opt[string] { return &l.buffers }, "`device`: the configuration has no amounts of buffer, so the device chooses reserves, thresholds and headroom; pinned. Nothing is proved of them").
			otherwise("the derived amounts"),
		poolField("shared_pool", plan.LosslessPool, "size", "size of the pool of all priority groups, as the chip's configuration counts it; pinned. "+shownDoc).otherwise("the memory that headroom and reserves leave"),
		poolField("egress_pool", plan.LosslessQueues, "size", "size of the pool of the lossless queues; pinned. "+shownDoc).otherwise("all memory that queues may use"),
		poolField("headroom_pool", plan.LosslessPool, "headroom", "size of the headroom pool of all priority groups; pinned").otherwise("by `headroom_sharing`"),
	},
	nested: []nested[switchDecl]{inner(portGroupBlock, false, func(d *decoder, s *switchDecl, b *hclsyntax.Block) {
		s.groups = append(s.groups, decodePortGroup(d, b))
	}), inner(eosBlock, true, func(d *decoder, s *switchDecl, b *hclsyntax.Block) {
		s.EOS = &EOS{Range: b.TypeRange}
		eosBlock.decode(d, b.Body, b.TypeRange, s.EOS)
	}), pinned(pinnedOfSwitch, func(s *switchDecl, p Pinned) { s.Pinned = append(s.Pinned, p) })},
}

// shownDoc says what the size of a pool is where no configuration holds it.
const shownDoc = "On EOS and SR Linux, whose configuration has no line for it, it declares what the device shows, and the proof uses it"

// safeWord admits what may be in a configuration without quotes.
func safeWord(s string) *problem {
	fine := len(s) > 0 && len(s) <= 128
	for _, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || digit(c)
		fine = fine && (letter || strings.IndexByte("._+/-", c) >= 0)
	}
	if fine {
		return nil
	}
	return problemf(BadName, "%q holds a character that a word must not hold", clip(s)).fixf("use letters, digits, '.', '_', '+', '/' and '-'")
}

// isRelease admits a year and a month.
func isRelease(s string) *problem {
	if at, err := time.Parse("200601", s); err == nil && at.Year() >= 2016 {
		return nil
	}
	return problemf(BadName, "%q is not a release of SONiC", clip(s)).fixf("write year and month of its branch, \"202505\"")
}

// declareSwitches opens the instances of all switch blocks: their names and roles,
// which others refer to, before their content is read.
func declareSwitches(d *decoder, blocks []*hclsyntax.Block) []*switchDecl {
	var decls []*switchDecl
	total := 0
	opened := make([]iter.Seq[instance], len(blocks))
	for i, b := range blocks {
		opened[i] = d.instances(b)
	}
	if d.crowded() {
		return nil
	}
	for i, b := range blocks {
		for at := range opened[i] {
			s := &switchDecl{Switch: &Switch{Label: b.Labels[0], Range: labelRange(b)}, block: b, instance: at.decoder}
			s.name(at)
			s.refs = stable.Delete([]string{s.Label, stem(s.Label)}, func(r string) bool { return r == "" })
			if role := b.Body.Attributes["role"]; role != nil {
				if v, ok := at.eval(role.Expr); ok && !v.IsNull() && v.Type().FriendlyName() == "string" {
					s.refs = append(s.refs, v.AsString())
				}
			}
			if total += len(s.Names); total > maxSwitches {
				d.errorf(RangeTooLarge, s.Range, "there are more than %d switches", maxSwitches).Fixf("describe at most %d switches in one fabric", maxSwitches)
				return decls
			}
			decls = append(decls, s)
		}
	}
	checkSwitchNames(decls)
	return decls
}

// name expands the names of an instance.
func (s *switchDecl) name(at instance) {
	var ok bool
	where := s.Range
	if attr := s.block.Body.Attributes["name"]; attr != nil {
		where = attr.Expr.Range()
		s.Names, ok = patternsKind().decode(at.decoder, "name", attr.Expr)
	} else {
		expr := &hclsyntax.LiteralValueExpr{SrcRange: where}
		s.Names, ok = at.expandText("switch", expr, at.defaultName(s.Label))
	}
	if !ok {
		return
	}
	for _, n := range s.Names {
		if p := safeName(n); p != nil {
			at.errorf(p.code, where, "%s", p.message).Repaired(p.repair)
			s.Names = nil
			return
		}
	}
}

func checkSwitchNames(decls []*switchDecl) {
	first := map[string]*switchDecl{}
	for _, s := range decls {
		for _, n := range s.Names {
			before, again := first[n]
			if !again {
				first[n] = s
				continue
			}
			s.instance.errorf(DuplicateName, s.Range, "there are two switches %s", n).Fixf("rename one").Notef(before.Range, "the first is here")
			break
		}
	}
}

// maxWritten bounds the ports of all instances together, before equal ones are joined.
const maxWritten = 5_000_000

// decodeSwitches reads the content of all instances and joins those that are equal.
func decodeSwitches(d *decoder, decls []*switchDecl, classes []*Class) []*template {
	written, equal := 0, merger{}
	for _, s := range decls {
		s.decodeContent(classes)
		for _, g := range s.groups {
			written += len(g.Ports)
		}
		if written > maxWritten {
			d.errorf(RangeTooLarge, s.Range, "the switches have more than %d ports, written one by one", maxWritten).
				Fixf("write switches that are alike with a range of names")
			break
		}
		equal.add(s)
	}
	return equal.templates()
}

// decodeContent reads the content of an instance.
func (s *switchDecl) decodeContent(classes []*Class) {
	in := s.instance
	switchBlock.decode(in, s.block.Body, s.Range, s)
	s.ChipAt = s.chip.Range
	derive(&s.Targets, defaultTargets(s.OS.Value))
	slices.Sort(s.Targets.Value)
	s.Targets.Value = slices.Compact(s.Targets.Value)
	s.findChip(in)
	stable.Sort(s.groups, func(a, b *groupDecl) int { return strings.Compare(a.Name, b.Name) })
	s.checkPorts(in)
	s.findPlatform(in)
	s.checkLanes(in)
	chipFits := s.checkChipSpeeds(in)
	for _, g := range s.groups {
		g.resolveCurves(in, classes)
		g.resolveQueues(in, classes)
		s.Groups = append(s.Groups, g.PortGroup)
		if chipFits {
			s.checkSpeed(in, g)
		}
	}
	s.checkPhysics(in)
	s.checkPools(in)
	s.checkEOS(in)
	s.checkTunnel(in, classes)
	s.pinLossy(classes)
	s.checkPinned(in)
	if s.Alpha.Set && !slices.ContainsFunc(classes, func(c *Class) bool { return c.Lossless.Value }) {
		in.errorf(ValueUnused, s.Alpha.Range, "no traffic class is lossless, so no priority group uses alpha %v", s.Alpha.Value).
			Fixf("remove alpha, or give a class a pfc priority")
	}
	if s.LossyPool.Set && !slices.ContainsFunc(classes, func(c *Class) bool { return !c.Lossless.Value }) {
		in.errorf(ValueUnused, s.LossyPool.Range, "no traffic class is lossy, so no queue uses a lossy pool of %v", s.LossyPool.Value).
			Fixf("remove lossy_pool, or give a class without pfc dscp = rest")
	}
}

func (s *switchDecl) findChip(d *decoder) {
	if !s.chip.Set || d.catalogue == nil {
		return
	}
	if chip, ok := d.catalogue.Find(s.chip.Value); ok {
		s.Chip = chip
		return
	}
	otherwise := "roceplan chips lists them; --chips DIR adds your own"
	series := strings.TrimRight(s.chip.Value, "0123456789-")
	of := stable.Delete(slices.Clone(d.catalogue.Names()), func(name string) bool { return !strings.HasPrefix(name, series) })
	if len(of) > 0 && len(of) < 12 {
		otherwise = "choose " + enumerate(of) + "; --chips DIR adds your own"
	}
	repair := diag.RenameModel(s.chip.Value, d.catalogue.Names(), otherwise)
	if box, ok := d.catalogue.Platform(s.Platform.Value, s.HwSKU.Value); ok && box.Chip != "" && repair.Meant == "" {
		repair = diag.Repair{Fix: fmt.Sprintf("write chip = %q, that of %s", box.Chip, box.Title), Meant: box.Chip}
	}
	d.errorf(UnknownChip, s.ChipAt, "the catalogue has no chip %q", clip(s.chip.Value)).Repaired(repair)
}

// checkPorts demands that each port is in one group, and derives the fan-in.
func (s *switchDecl) checkPorts(d *decoder) {
	total, names := 0, map[string]*groupDecl{}
	for _, g := range s.groups {
		total += len(g.Ports)
	}
	owner := make(map[string]*groupDecl, min(total, maxPorts))
	for _, g := range s.groups {
		if before := names[g.Name]; before != nil {
			d.errorf(DuplicateName, g.Range, "there are two port groups %s", g.Name).Fixf("rename one").Notef(before.Range, "the first is here")
		}
		names[g.Name] = g
		if total <= maxPorts {
			s.claimPorts(d, g, owner)
		}
	}
	if total > maxPorts {
		d.errorf(RangeTooLarge, s.groups[0].At, "the switch has %d ports, at most %d are allowed", total, maxPorts).
			Fixf("check the bounds of the ranges")
		return
	}
	if len(s.groups) == 0 {
		d.errorf(AttributeMissing, s.Range, "switch %s has no port_group", s.Label).Fixf(`add port_group "…" { ports = … }`)
	}
	for _, g := range s.groups {
		derive(&g.FanIn, max(total-1, 1))
		if g.FanIn.Set && g.FanIn.Value >= total {
			d.errorf(OutOfRange, g.FanIn.Range, "fan_in: %d ports cannot send to one port of a switch with %d ports", g.FanIn.Value, total).
				Fixf("write at most %d: all other ports of the switch", total-1)
		}
	}
}

// checkLanes demands that each lane belongs to one port.
func (s *switchDecl) checkLanes(d *decoder) {
	type owner struct {
		group *groupDecl
		port  string
	}
	owners := map[int]owner{}
	for _, g := range s.groups {
		for i, lanes := range g.Lanes {
			if i >= len(g.Ports) {
				break // too many lists, which is reported
			}
			for _, lane := range lanes {
				before, taken := owners[lane]
				if owners[lane] = (owner{g, g.Ports[i]}); !taken {
					continue
				}
				s.physical(d.errorf(LaneTwice, g.lanesAt, "lane %d belongs to port %s and to port %s", lane, before.port, g.Ports[i])).
					Fixf("choose another first_lane, or write lane_list").Notef(before.group.lanesAt, "it is taken here first")
				return
			}
		}
	}
}

func (s *switchDecl) claimPorts(d *decoder, g *groupDecl, owner map[string]*groupDecl) {
	for _, p := range g.Ports {
		before := owner[p]
		owner[p] = g
		if before == nil {
			continue
		}
		where := fmt.Sprintf("in groups %s and %s", before.Name, g.Name)
		if before == g {
			where = "twice in group " + g.Name
		}
		d.errorf(PortTwice, g.At, "port %s is %s", p, where).Fixf("leave it in one").Notef(before.At, "it is here first")
		return
	}
}

// checkChipSpeeds refuses a chip that has the speed of no port group of several: it is the wrong one, not they.
func (s *switchDecl) checkChipSpeeds(d *decoder) bool {
	if s.Chip == nil || len(s.groups) < 2 {
		return true
	}
	lacks := func(chip *chips.Chip, g *groupDecl) bool {
		speeds, err := chip.PortSpeeds.Get()
		return err == nil && g.Speed.Set && g.Places == nil && !slices.Contains(speeds, g.Speed.Value)
	}
	var asked []units.BitRate
	for _, g := range s.groups {
		if !lacks(s.Chip, g) {
			return true
		}
		asked = append(asked, g.Speed.Value)
	}
	slices.Sort(asked)
	var fit []string
	for _, name := range d.catalogue.Names() {
		other, ok := d.catalogue.Find(name)
		if ok && strings.HasPrefix(name, strings.TrimRight(s.Chip.Name, "0123456789-")) && !slices.ContainsFunc(s.groups, func(g *groupDecl) bool { return lacks(other, g) }) {
			fit = append(fit, fmt.Sprintf("%q", name))
		}
	}
	fix := "write another chip, or speeds that it has"
	if len(fit) > 0 {
		fix = "write chip = " + enumerate(fit) + ", which has them"
	}
	s.physical(d.errorf(UnsupportedSpeed, s.ChipAt, "%s has no ports of %s", s.Chip.Name, enumerate(rateWords(slices.Compact(asked))))).
		Fixf("%s", fix).Notef(s.groups[0].Speed.Range, "the first speed is here")
	return false
}

// checkPools refuses a pinned pool of more than twice the chip's memory (the factor is assumed). Files that vendors ship have pools that are a
// little above it (sonic-buildimage, Teralynx 10), and import must carry those: the proof judges them.
func (s *switchDecl) checkPools(d *decoder) {
	if s.Chip == nil {
		return
	}
	has := max(s.Chip.PhysicalBuffer.Or(0), s.Chip.PacketBuffer.Or(0))
	for _, p := range s.Pinned {
		for _, part := range p.Parts {
			for _, pin := range part.Pins {
				if size, ok := pin.Value.(units.Bytes); ok && part.Of == PinnedPool && size/2 > has && has > 0 && pin.Range.Filename != "" {
					s.physical(d.errorf(OutOfRange, pin.Range, "%s of %s is %v, and %s has %v in all", pin.Name, part.Name, size, s.Chip.Title, has)).
						Fixf("remove it, so that it is computed, or write at most %v", has)
				}
			}
		}
	}
}

// checkSpeed looks whether the chip has ports of the speed, where that is known.
func (s *switchDecl) checkSpeed(d *decoder, g *groupDecl) {
	chip := s.Chip
	if chip == nil || !g.Speed.Set {
		return
	}
	speeds, err := chip.PortSpeeds.Get()
	if err != nil || slices.Contains(speeds, g.Speed.Value) || g.Places != nil {
		return // the box has such ports: those for management may be slower than any other
	}
	s.physical(d.errorf(UnsupportedSpeed, g.Speed.Range, "%s has no ports of %v", chip.Name, g.Speed.Value)).
		Fixf("write %s, which it has", enumerate(rateWords(speeds))).Notef(s.ChipAt, "the chip is here")
}

const switchExample = `
switch "tor-[01..16]" {
  chip = "trident3"
  os   = sonic
  role = "tor"

  port_group "servers" {
    ports  = "Ethernet[0..31]"
    speed  = "25Gbps"
    cable  = local.rack_cable
    medium = dac
    peer   = nic.cx7
    trust  = marking
  }
  port_group "uplinks" {
    ports  = "Ethernet[32..44/4]"
    speed  = "100Gbps"
    medium = fiber
    peer   = switch.spine
  }
  port_group "further" {
    ports  = "Ethernet[48..60/4]"
    speed  = "100Gbps"
    medium = fiber
  }
}

switch "spine" {
  for_each = toset(["spine-a", "spine-b"])
  chip     = "tomahawk3"
  os       = eos
  role     = "spine"

  port_group "downlinks" {
    ports = "Ethernet[1..32]/[1,5]"
    speed = "100Gbps"
    cable = "30m"
  }
  pinned { # as it runs: without a line, its value is derived
    ports = "Ethernet[1..4]/1"

    priority_group "3" {
      headroom = "161544B"
    }
  }
}
`
