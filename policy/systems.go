package policy

// A system is an operating system that a switch may run, as fabric files call it.
type system struct {
	name   string
	target string // what it takes, unless `targets` says otherwise
}

// systems lists all of them. What a new target is called goes in here; what it prints is in
// package internal/target, and a test there holds the two against each other.
func systems() []system {
	return []system{
		{"sonic", "sonic"}, {"eos", "eos"}, {"cumulus", "nvue"}, {"openconfig", "openconfig"},
		{"junos", "junos"}, {"srlinux", "srlinux"},
	}
}

func systemNames() []string {
	var names []string
	for _, s := range systems() {
		names = append(names, s.name)
	}
	return names
}

// TargetNames lists what `targets` may hold, in the order of the systems that take them.
func TargetNames() []string {
	var names []string
	for _, s := range systems() {
		names = append(names, s.target)
	}
	return names
}

// defaultTargets is what an operating system takes.
func defaultTargets(os string) []string {
	for _, s := range systems() {
		if s.name == os {
			return []string{s.target}
		}
	}
	return nil
}
