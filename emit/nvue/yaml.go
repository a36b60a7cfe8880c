package nvue

import "go.yaml.in/yaml/v4"

// yaml prints an object as `nv config patch` reads it: a list of one operation. Keys that
// are numbers are strings in NVUE's own YAML.
func (o *object) yaml() []byte {
	root := &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{
		{Kind: yaml.MappingNode, Content: []*yaml.Node{scalar("set", ""), o.node()}},
	}}
	text, err := yaml.Dump(root, yaml.WithIndent(2), yaml.WithLineWidth(-1))
	if err != nil {
		panic("nvue: " + err.Error()) // the tree is ours
	}
	return text
}

func (o *object) node() *yaml.Node {
	if len(o.keys) == 0 && o.value != "" {
		return scalar(o.value, o.tag)
	}
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, key := range o.keys {
		n.Content = append(n.Content, scalar(key, ""), o.kids[key].node())
	}
	return n
}

// scalar is a string unless a tag says otherwise.
func scalar(value, tag string) *yaml.Node {
	if tag == "" {
		tag = "!!str"
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}
}
