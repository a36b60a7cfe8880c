package packed_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/packed"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// The third row of ports that are counted on is predicted, and a row of another kind is between them.
func TestFoldRows(t *testing.T) {
	const rows = "T\tEthernet0\t1-4\tetp1a\nT\tEthernet4\t5-8\tetp2a\nK\tsku\t\nT\tEthernet8\t9-12\tetp3b\nT\tEthernet12\t13-16\tetp4b\n"
	const folded = "T\tEthernet0\t1-4\tetp1a\nT\tEthernet4\t5-8\tetp2a\nK\tsku\t~\nT\t~\t~\tetp3b\nT\t~\t~\tetp4b\n"
	must.Equalf(t, packed.FoldRows(rows), folded, "folded to")
	must.Equalf(t, packed.UnfoldRows(folded), rows, "unfolded to")
}

// Whatever is folded comes back: numbers with zeros before them, that fall, that do not fit, and rows of any length.
func TestUnfoldRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("TK\t\t\n\n0019-,a")), 0, 200, -1).Draw(t, "text")
		text += rapid.SampledFrom([]string{"", "\nT\t99999999999999999999\nT\t99999999999999999999\n"}).Draw(t, "end")
		must.Equalf(t, packed.UnfoldRows(packed.FoldRows(text)), text, "%q becomes", text)
	})
}
