package policy

import "github.com/roceplan/roceplan/format/all"

func systemNames() []string {
	var names []string
	for _, s := range all.Systems() {
		names = append(names, s.OS)
	}
	return names
}

// TargetNames lists what `targets` may hold, in the order of the systems that take them.
func TargetNames() []string {
	var names []string
	for _, s := range all.Systems() {
		names = append(names, s.Name)
	}
	return names
}

// defaultTargets is what an operating system takes.
func defaultTargets(os string) []string {
	for _, s := range all.Systems() {
		if s.OS == os {
			return []string{s.Name}
		}
	}
	return nil
}
