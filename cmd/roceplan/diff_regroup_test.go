package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// How the switches and ports of a fabric are spread over blocks is not a difference.
func TestRegroupingIsNoDifference(t *testing.T) {
	example := filepath.Join("../..", examples, "ucloud-pod", "fabric.hcl")
	text, err := os.ReadFile(example)
	check(t, err)
	fabric := string(text)
	tors, rest, _ := strings.Cut(fabric, `switch "leaf-[1..8]"`)
	head, tors, _ := strings.Cut(tors, `switch "tor-[01..16]"`)
	servers := tors[strings.Index(tors, `  port_group "servers"`):strings.Index(tors, `  port_group "uplinks"`)]
	for name, text := range map[string]string{
		"two blocks of switches": head + `switch "tor-[01..08]"` + tors + `switch "tor-[09..16]"` + tors + `switch "leaf-[1..8]"` + rest,
		"two groups of ports": strings.Replace(fabric, servers,
			strings.Replace(servers, "0..31", "0..15", 1)+strings.Replace(strings.Replace(servers, "0..31", "16..31", 1), `"servers"`, `"more"`, 1), 1),
		"other names of groups": strings.ReplaceAll(strings.ReplaceAll(fabric, `"uplinks"`, `"up"`), `"tors"`, `"down"`),
	} {
		var stdout, stderr strings.Builder
		code := run([]string{"diff", example, "-"}, strings.NewReader(text), &stdout, &stderr, func(string) string { return "" })
		if code != exitFine || text == fabric {
			t.Errorf("%s: exit code %d\n%s%s", name, code, stdout.String(), stderr.String())
		}
	}
}

// What a fabric compiles to is not a difference from it, for all targets and in both directions,
// though no format holds all that a fabric says.
func TestFilesAreNoDifferenceFromTheirFabric(t *testing.T) {
	t.Chdir("../..")
	for _, example := range fabrics(t, examples) {
		fabric, configs := filepath.Join(examples, example), filepath.Join(t.TempDir(), example)
		var out strings.Builder
		if code := run([]string{"compile", fabric, "-o", configs, "--no-verify"}, strings.NewReader(""), &out, &out, func(string) string { return "" }); code != exitFine {
			t.Fatalf("%s: exit code %d\n%s", example, code, out.String())
		}
		for _, sides := range [][2]string{{configs, fabric}, {fabric, configs}} {
			out.Reset()
			code := run([]string{"diff", sides[0], sides[1]}, strings.NewReader(""), &out, &out, func(string) string { return "" })
			if code != exitFine || !strings.HasPrefix(out.String(), "no difference on ") {
				t.Errorf("%s: exit code %d\n%.2000s", example, code, out.String())
			}
		}
	}
}
