package policy

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/units"
)

// maxPoints bounds the points of a distribution.
const maxPoints = 10_000

var sizesBlock = &block[Sizes]{
	example: sizesExample,
	name:    "sizes", labels: []string{"NAME"},
	doc: "A distribution of message sizes, for `poisson`. Each point is a size and the share of messages up to that size; lines between points are straight. " +
		"`sizes.websearch` and `sizes.hadoop` are predefined.",
	fields: []field[Sizes]{
		opt("doc", textKind("a text", "objects of our store"), func(s *Sizes) *Opt[string] { return &s.Doc }, "description"),
		opt("source", textKind("a text", "access log of May"), func(s *Sizes) *Opt[string] { return &s.Source }, "source of the figures"),
		opt("file", textKind("a file", "WebSearch_distribution.txt"), func(s *Sizes) *Opt[string] { return &s.File },
			"file below the folder of the fabric, in the format of the HPCC simulator's traffic generator: a size in bytes and a share in per cent on each line").
			otherwise("`bytes` and `share`"),
		opt("bytes", listOf("a list of amounts of bytes, ascending", between(bytesKind(), 0, 16*units.GB)), func(s *Sizes) *Opt[[]units.Bytes] { return &s.Bytes }, "sizes").otherwise("`file`"),
		opt("share", listOf("a list of shares, ascending from `\"0%\"` to `\"100%\"`", shareKind()), func(s *Sizes) *Opt[[]units.Ratio] { return &s.Share },
			"share of messages up to that size, one for each of `bytes`").otherwise("`file`"),
	},
}

func decodeSizes(d *decoder, blocks []*hclsyntax.Block) []*Sizes {
	var out []*Sizes
	for _, b := range blocks {
		s := &Sizes{Name: b.Labels[0], Range: labelRange(b)}
		sizesBlock.decode(d, b.Body, s.Range, s)
		if s.points(d); s.Bytes.Set && s.Share.Set {
			s.check(d)
		}
		out = append(out, s)
	}
	stable.Sort(out, func(a, b *Sizes) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// points demands that they are written in one place, and reads them where that is a file.
func (s *Sizes) points(d *decoder) {
	switch {
	case s.File.Set && (s.Bytes.Set || s.Share.Set):
		d.errorf(SizesTwice, s.File.Range, "sizes has both a file and points of its own").Fixf("keep one of them")
	case s.File.Set:
		s.readText(d)
	case s.File.missing(s.Range) && s.Bytes.missing(s.Range):
		d.errorf(AttributeMissing, s.Range, "sizes needs bytes").Fixf("add bytes and share, or a file with both")
	case s.File.missing(s.Range) && s.Share.missing(s.Range):
		d.errorf(AttributeMissing, s.Range, "sizes needs share").Fixf("add a share for each of bytes")
	}
}

// check demands that the points are a distribution.
func (s *Sizes) check(d *decoder) {
	bytes, share := s.Bytes.Value, s.Share.Value
	n := len(bytes)
	switch {
	case n != len(share):
		d.errorf(CountMismatch, s.Share.Range, "there are %d shares for %d sizes", len(share), n).
			Fixf("write one share per size").Notef(s.Bytes.Range, "the sizes are here")
	case n < 2 || n > maxPoints:
		d.errorf(BadSizes, s.Bytes.Range, "a distribution must have 2 to %d points, and this one has %d", maxPoints, n).
			Fixf(`begin with "0B" and "0%%", and end with the largest size and "100%%"`)
	case share[0] != 0 || share[n-1] != units.One:
		d.errorf(BadSizes, s.Share.Range, "the shares go from %v to %v and must go from 0%% to 100%%", share[0], share[n-1]).
			Fixf("add the smallest size with 0%%, and the largest with 100%%")
	case !slices.IsSorted(share):
		d.errorf(BadSizes, s.Share.Range, "%s", descent("share", share)).Fixf("write the points in ascending order")
	case !slices.IsSorted(bytes):
		d.errorf(BadSizes, s.Bytes.Range, "%s", descent("bytes", bytes)).Fixf("write the points in ascending order")
	case bytes[n-1] == 0:
		d.errorf(BadSizes, s.Bytes.Range, "all sizes are 0").Fixf("write the sizes of messages")
	}
}

// descent words the first pair of a list that is not in ascending order.
func descent[T interface {
	~int64
	String() string
}](attr string, list []T) string {
	for i := 1; i < len(list); i++ {
		if list[i] < list[i-1] {
			return attr + ": " + list[i].String() + " comes after " + list[i-1].String()
		}
	}
	return ""
}

const sizesExample = `
sizes "objects" {
  source = "access log of the object store"
  bytes  = ["0B", "4KB", "64KB", "1MB", "4MB"]
  share  = ["0%", "40%", "75%", "97.5%", "100%"]
}
`
