package lsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/policy"
)

// blockCalled follows the types of blocks from the outermost; nil where the language has none.
func blockCalled(names []string) *policy.Block {
	here := policy.Block{Blocks: policy.Schema()}
	for _, name := range names {
		i := slices.IndexFunc(here.Blocks, func(b policy.Block) bool { return b.Name == name })
		if i < 0 {
			return nil
		}
		here = here.Blocks[i]
	}
	return &here
}

func attributeOf(b *policy.Block, name string) *policy.Attribute {
	if b == nil {
		return nil
	}
	if i := slices.IndexFunc(b.Attributes, func(a policy.Attribute) bool { return a.Name == name }); i >= 0 {
		return &b.Attributes[i]
	}
	return nil
}

// page returns the documentation of an attribute.
func page(a *policy.Attribute) string {
	text := fmt.Sprintf("**%s**: %s\n\n%s", a.Name, a.Kind, a.Doc)
	switch {
	case a.Required:
		text += "\n\nRequired."
	case a.Default != "":
		text += "\n\nLeft out: " + a.Default + "."
	}
	return text
}

// refers lists the types of blocks that an attribute names: "nic" where its value is nic.NAME.
func refers(a *policy.Attribute) (kinds []string) {
	for _, kind := range []string{"nic", "traffic_class", "switch"} {
		if strings.Contains(a.Kind, kind+".") {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}
