package policy

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
)

// follow says which findings on a block only follow from another on it: who fixes that
// one will see what is left of them.
var follow = map[diag.Code][]diag.Code{
	DuplicateName:    {UnknownPort, UnknownSwitch, PortTwice, ClosPorts, PeerMismatch, LinkTwice, CountMismatch},
	UnsupportedSpeed: {NICSpeed, PlatformBreakout, ChipCapacity, LinkSpeed},
	PlatformBreakout: {ChipCapacity, PlatformLanes},
	BadName:          {PlatformPort, PlatformBreakout, PlatformLanes, ChipCapacity, ClosPorts, UnknownPort}, // of a port
	PortTwice:        {LaneTwice, PlatformBreakout, PlatformPort, ChipCapacity},
	DuplicateDSCP:    {NICCNPDSCP, NICCNPPriority}, // of a class that has lost its code points
	OutOfRange:       {NICCNPPriority},             // of a class that has no queue
	AttributeMissing: {NICCNPPriority},
	WrongType:        {NICCNPPriority},
	UnknownName:      {NICCNPPriority},
}

// lacking says what is missed where a block of the top level has a type that does not exist,
// by the type that was meant. Findings that name something are about this block if they name
// its label.
var lacking = map[string]struct{ always, named []diag.Code }{
	"fabric":        {always: []diag.Code{FabricMissing}},
	"marking":       {always: []diag.Code{MarkingMissing}},
	"traffic_class": {always: []diag.Code{MarkingDSCP, NoLossless, CodePointsUnclaimed}, named: []diag.Code{UnknownName}},
	"nic":           {named: []diag.Code{UnknownName}},
	"switch":        {named: []diag.Code{UnknownName, UnknownSwitch, UnknownPort}},
	"variable":      {named: []diag.Code{UnknownName, VariableUndeclared}},
}

// A cause selects the findings that another finding explains.
type cause struct {
	codes []diag.Code
	word  string // that they hold; empty: any
}

// withoutConsequences leaves out what another finding explains. blocks are those of the top level;
// a finding is on a block if its place or that of a note is there.
func withoutConsequences(found diag.List, blocks hclsyntax.Blocks) diag.List {
	in := blockMap{}
	for _, b := range blocks { // in the order of their file
		at := b.Range()
		in[at.Filename] = append(in[at.Filename], at)
	}
	causes := map[hcl.Range][]cause{}
	for _, d := range found {
		at := in.around(d.Subject)
		if codes := follow[d.Code]; codes != nil {
			causes[at] = append(causes[at], cause{codes: codes})
			for _, n := range d.Related { // the other one that has the name, the port or the code point
				causes[in.around(n.Range)] = append(causes[in.around(n.Range)], cause{codes: codes})
			}
		}
		if d.Meant != "" && d.Code == UnknownAttribute {
			causes[at] = append(causes[at], cause{[]diag.Code{AttributeMissing}, d.Meant})
		}
	}
	causes[hcl.Range{}] = misnamed(found, blocks)
	explained := func(d diag.Diagnostic, at hcl.Range) bool {
		return slices.ContainsFunc(causes[at], func(c cause) bool {
			return slices.Contains(c.codes, d.Code) && strings.Contains(d.Message, c.word)
		})
	}
	return stable.Delete(slices.Clone(found), func(d diag.Diagnostic) bool {
		return explained(d, hcl.Range{}) || explained(d, in.around(d.Subject)) ||
			slices.ContainsFunc(d.Related, func(n diag.Note) bool { return explained(d, in.around(n.Range)) })
	})
}

// misnamed returns the blocks of the top level that nothing was read from: their type is not a type,
// or their name is taken.
func misnamed(found diag.List, blocks hclsyntax.Blocks) (causes []cause) {
	unread := map[hcl.Range]bool{}
	for _, d := range found {
		unread[d.Subject] = unread[d.Subject] || d.Code == UnknownBlock || d.Code == DuplicateName
	}
	types := slices.Collect(maps.Keys(lacking))
	for _, b := range blocks {
		if !unread[b.TypeRange] && !unread[labelRange(b)] {
			continue
		}
		missed := lacking[diag.Nearest(b.Type, types)]
		causes = append(causes, cause{codes: missed.always})
		for _, label := range b.Labels {
			causes = append(causes, cause{codes: missed.named, word: stem(label)})
		}
	}
	return causes
}

// A blockMap has the ranges of the blocks of each file, in their order.
type blockMap map[string][]hcl.Range

// around returns the block that a place is in, no range where it is in none.
func (m blockMap) around(at hcl.Range) hcl.Range {
	blocks := m[at.Filename]
	after, _ := slices.BinarySearchFunc(blocks, at.Start.Byte+1, func(b hcl.Range, byte int) int { return b.Start.Byte - byte })
	if after == 0 || at.Start.Byte >= blocks[after-1].End.Byte {
		return hcl.Range{}
	}
	return blocks[after-1]
}
