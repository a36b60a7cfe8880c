package policy

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"go.yaml.in/yaml/v4"
)

// Bounds of what yamldecode takes. The parser makes a node of some 200 B of each value.
const (
	maxYAML      = 4 << 20 // bytes of a text
	maxYAMLNodes = 1 << 18 // values, those of aliases with each use
)

// yamlDecodeFunc gives the value of a YAML text, as inventories are written: mappings,
// sequences, texts, numbers, truth values and nothing.
func yamlDecodeFunc() function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "text", Type: cty.String}},
		Type:   function.StaticReturnType(cty.DynamicPseudoType), // whatever the text holds
		Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return decodeYAML(args[0].AsString()) },
	})
}

func decodeYAML(text string) (cty.Value, error) {
	if len(text) > maxYAML {
		return cty.DynamicVal, problemf(TooLarge, "the YAML text has %d bytes, at most %d are read", len(text), maxYAML)
	}
	if indented(text) > maxDepth || nesting(text) > maxDepth {
		return cty.DynamicVal, problemf(TooDeep, "the YAML text nests more than %d levels", maxDepth)
	}
	if !slices.ContainsFunc(strings.Split(text, "\n"), saysYAML) {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	var document yaml.Node
	if err := yaml.Load([]byte(text), &document); err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return cty.DynamicVal, fmt.Errorf("this is not YAML: %s", strings.TrimPrefix(line, "yaml: "))
	}
	if len(document.Content) == 0 {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	y := yamlDecoder{left: maxYAMLNodes}
	return y.value(document.Content[0], 0)
}

// saysYAML reports whether a line is more than a remark.
func saysYAML(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && line[0] != '#'
}

// indented returns a bound of the depth of block mappings and sequences: one for each step of
// indentation, and for each dash.
func indented(text string) (deepest int) {
	for line := range strings.Lines(text) {
		inner := strings.TrimLeft(line, " -?")
		deepest = max(deepest, (len(line)-len(inner)+1)/2)
	}
	return deepest
}

type yamlDecoder struct{ left int }

func (y *yamlDecoder) value(n *yaml.Node, depth int) (cty.Value, error) {
	if y.left--; y.left < 0 {
		return cty.DynamicVal, problemf(TooLarge, "the YAML text has more than %d values, with those that aliases stand for", maxYAMLNodes)
	}
	if depth > maxDepth {
		return cty.DynamicVal, problemf(TooDeep, "the YAML text nests more than %d levels, with those that aliases stand for", maxDepth)
	}
	switch n.Kind {
	case yaml.AliasNode:
		return y.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		return y.sequence(n, depth)
	case yaml.MappingNode:
		return y.mapping(n, depth)
	case yaml.ScalarNode:
		return plainYAML(n)
	}
	return cty.DynamicVal, fmt.Errorf("line %d: this is not a value", n.Line)
}

func (y *yamlDecoder) sequence(n *yaml.Node, depth int) (cty.Value, error) {
	values := make([]cty.Value, 0, len(n.Content))
	for _, item := range n.Content {
		v, err := y.value(item, depth+1)
		if err != nil {
			return v, err
		}
		values = append(values, v)
	}
	return cty.TupleVal(values), nil
}

func (y *yamlDecoder) mapping(n *yaml.Node, depth int) (cty.Value, error) {
	values := make(map[string]cty.Value, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			return cty.DynamicVal, fmt.Errorf("line %d: a key is a text", key.Line)
		}
		if _, twice := values[key.Value]; twice {
			return cty.DynamicVal, fmt.Errorf("line %d: the key %q occurs twice", key.Line, clip(key.Value))
		}
		v, err := y.value(n.Content[i+1], depth+1)
		if err != nil {
			return v, err
		}
		values[key.Value] = v
	}
	return cty.ObjectVal(values), nil
}

// plainYAML reads a plain value by the core schema of YAML 1.2: on and yes are texts.
func plainYAML(n *yaml.Node) (cty.Value, error) {
	switch n.ShortTag() {
	case "!!str", "!!timestamp":
		return cty.StringVal(n.Value), nil
	case "!!null":
		return cty.NullVal(cty.DynamicPseudoType), nil
	case "!!bool":
		return cty.BoolVal(strings.EqualFold(n.Value, "true")), nil
	case "!!int":
		if whole, ok := new(big.Int).SetString(n.Value, 0); ok && len(n.Value) <= maxDigits {
			return cty.ParseNumberVal(whole.String())
		}
		return cty.DynamicVal, fmt.Errorf("line %d: %s is not a whole number of at most %d characters", n.Line, clip(n.Value), maxDigits)
	case "!!float":
		if len(n.Value) <= maxDigits {
			if v, err := cty.ParseNumberVal(n.Value); err == nil {
				return v, nil
			}
		}
		return cty.DynamicVal, fmt.Errorf("line %d: %s is not a number of at most %d characters", n.Line, clip(n.Value), maxDigits)
	}
	return cty.DynamicVal, fmt.Errorf("line %d: values of type %s are not supported", n.Line, clip(n.Tag))
}
