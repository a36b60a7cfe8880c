package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// The order of blocks means nothing: every example, with its blocks shuffled, compiles
// to the same bytes.
func TestOrderOfBlocksMeansNothing(t *testing.T) {
	t.Chdir("../..")
	for _, name := range fabrics(t, examples) {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(3) {
				shuffled := t.TempDir()
				shuffle(t, filepath.Join(examples, name), shuffled, rand.New(rand.NewPCG(seed, 0)))
				out := filepath.Join(t.TempDir(), "out")
				compile(t, shuffled, out, "--no-verify")
				compareWithGolden(t, name, out)
			}
		})
	}
}

// shuffle copies a fabric with the top-level blocks of each *.hcl in another order.
func shuffle(t *testing.T, from, to string, random *rand.Rand) {
	for _, path := range glob(t, filepath.Join(from, "*")) {
		text, err := os.ReadFile(path)
		check(t, err)
		if strings.HasSuffix(path, ".hcl") {
			text = shuffleBlocks(t, text, random)
		}
		check(t, os.WriteFile(filepath.Join(to, filepath.Base(path)), text, 0o666))
	}
}

func shuffleBlocks(t *testing.T, text []byte, random *rand.Rand) []byte {
	file, found := hclsyntax.ParseConfig(text, "", hcl.InitialPos)
	if found.HasErrors() {
		t.Fatal(found)
	}
	blocks := file.Body.(*hclsyntax.Body).Blocks
	random.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
	var out bytes.Buffer
	for _, b := range blocks {
		out.Write(text[b.TypeRange.Start.Byte:b.CloseBraceRange.End.Byte])
		out.WriteByte('\n')
	}
	return out.Bytes()
}
