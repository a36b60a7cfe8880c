package main

import (
	"runtime"
	"runtime/debug"
)

type versionCmd struct{}

func (versionCmd) Help() string {
	return "For a bug report:\n\n    roceplan version --json"
}

// Run prints the version that Go stamped into the program: the tag it was installed
// under, else the revision it was built from.
func (versionCmd) Run(t *terminal) error {
	v := stampedVersion()
	if t.json {
		return t.printJSON(v)
	}
	t.printf("%s\n", v)
	return nil
}

type programVersion struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	time     string // of the revision, by RFC 3339; empty where it was not stamped
}

func (v programVersion) String() string { return "roceplan " + v.Version + " " + v.Go }

func stampedVersion() programVersion {
	v := programVersion{Version: "(devel)", Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.time = s.Value
		}
	}
	return v
}
