package headroom

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// platformFile holds the constants of method xgs as single platform vendors' tables
// have them, where these differ from the chip's in the catalogue.
//
//go:embed platforms.hcl
var platformFile []byte

// platformBlock is one block of the file.
type platformBlock struct {
	Chip   string `hcl:"chip,label"`
	Name   string `hcl:"name,label"`
	Source string `hcl:"source"`
	Note   string `hcl:"note,optional"`
	Fixed  string `hcl:"fixed"`

	Speeds []struct {
		Speed       string `hcl:"speed,label"`
		Response    string `hcl:"response"`
		WirePerCell string `hcl:"wire_per_cell"`
	} `hcl:"speed,block"`

	NearCable  string `hcl:"near_cable,optional"`
	NearSaving string `hcl:"near_saving,optional"`
}

// A Platform is a vendor's own constants for a chip: method "xgs:NAME".
type Platform struct {
	Chip   string // canonical name
	Name   string
	Source string
	Note   string
	linear linear
}

// Platforms returns all platforms in the order of the file. The file is part of the
// program: a fault in it is a panic.
func Platforms() []Platform {
	var file struct {
		Platforms []platformBlock `hcl:"platform,block"`
	}
	parsed, wrong := hclsyntax.ParseConfig(platformFile, "platforms.hcl", hcl.InitialPos)
	if !wrong.HasErrors() {
		wrong = gohcl.DecodeBody(parsed.Body, nil, &file)
	}
	if wrong.HasErrors() {
		panic(wrong)
	}
	all := make([]Platform, len(file.Platforms))
	for i, b := range file.Platforms {
		all[i] = Platform{b.Chip, b.Name, b.Source, b.Note, b.linear()}
	}
	return all
}

func (b *platformBlock) linear() linear {
	l := linear{fixed: must(units.ParseBytes(b.Fixed))}
	for _, s := range b.Speeds {
		l.classes = append(l.classes, class{must(units.ParseBitRate(s.Speed)), must(units.ParseTime(s.Response)), must(units.ParseBytes(s.WirePerCell))})
	}
	l.beyond = l.classes[len(l.classes)-1]
	if b.NearCable != "" {
		l.nearCable, l.nearSaving = must(units.ParseLength(b.NearCable)), must(units.ParseTime(b.NearSaving))
	}
	return l
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// newPlatform binds method "xgs:name".
func newPlatform(chip *chips.Chip, name string) (Method, error) {
	var known []string
	for _, p := range Platforms() {
		if p.Chip != chip.Name {
			continue
		}
		known = append(known, "xgs:"+p.Name)
		if p.Name == name {
			c, err := newCellular(chip)
			return xgs{c, p.linear, p.Name, p.Source}, err
		}
	}
	if known == nil {
		return nil, fmt.Errorf("no platform has headroom constants of its own for %s", chip.Name)
	}
	return nil, fmt.Errorf("%s has no headroom constants of platform %q; there are %s", chip.Name, name, strings.Join(known, ", "))
}
