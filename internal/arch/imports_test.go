package arch

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/roceplan/roceplan/"

// A layer is a package and those below it. They may import the layers named and one
// another, unless apart is set.
type layer struct {
	name  string
	may   []string
	apart bool   // packages below it must not import one another
	all   bool   // may import everything
	why   string // what would be lost
}

// The order is the way of the data. A package that no layer covers is a failure: say
// here what it is.
var layers = []layer{
	{name: "units",
		why: "quantities are the bottom: what counts bytes must be able to import them"},
	{name: "diag",
		why: "every phase reports; what reports knows no phase"},
	{name: "chips", may: []string{"units", "diag", "internal/packed"},
		why: "the catalogue is facts about silicon, the same for the compiler and for the models that check it"},
	{name: "plan", may: []string{"units", "diag", "chips"},
		why: "the plan is what compiler, emitters, readers and models agree on; it cannot know any of them"},
	{name: "format/system", may: []string{"format", "emit", "read", "plan", "units", "diag", "internal/posjson"},
		why: "it prints and reads what rows say; which systems there are is not its business"},
	{name: "format/all", may: []string{"format", "format/junos", "format/nvue", "internal/exampletarget"},
		why: "it lists the systems, so that none of them knows another"},
	{name: "format", may: []string{"units", "diag"},
		why: "the configuration that a system takes is data: the language, emitters and readers look things up in it"},
	{name: "internal/exampletarget", may: []string{"format", "units"},
		why: "a system whose configuration nests as a plan does is rows and nothing else"},
	{name: "policy", may: []string{"plan", "units", "diag", "chips", "format/all", "internal/packed"},
		why: "the language says what the fabric is; formulas and vendors have no say in it. What it can pin is the plan's list"},
	{name: "calc", may: []string{"policy", "plan", "chips", "units", "diag", "internal/packed"},
		why: "formulas know no vendor's spelling"},
	{name: "emit", may: []string{"plan", "format", "units", "diag", "internal/stable"}, apart: true,
		why: "an emitter prints what the plan says; one that could compute would say what no check has seen"},
	{name: "read/cli", may: []string{"read", "diag"},
		why: "it has what running-configs share, and knows no vendor"},
	{name: "read", may: []string{"read/cli", "plan", "format", "units", "diag", "internal/posjson", "internal/packed"}, apart: true,
		why: "a reader believes the file alone; names that it shares with an emitter are rows"},
	{name: "model/sim/balance", may: []string{"model/sim/conweave", "model/sim/cells", "units"},
		why: "it chooses by what it is told; the engine that tells it asks it, never the other way"},
	{name: "model/sim/conweave", may: []string{"units"},
		why: "two leaves decide by what packets bring and by the time; queues, frames and events are the engine's"},
	{name: "model/sim/cells", may: []string{"units"},
		why: "ports grant credits by what waits and when it came; queues, frames and events are the engine's"},
	{name: "model", may: []string{"plan", "chips", "units", "diag", "model/sim/balance", "model/sim/conweave", "model/sim/cells"},
		why: "a model that sees the compiler would verify a formula with itself"},
	{name: "internal/natural",
		why: "names are put in order and things counted by every layer, and it knows none of them"},
	{name: "internal/forest",
		why: "it joins numbers, and knows nothing of the things that have them"},
	{name: "internal/stable",
		why: "lists are sorted by every layer, and it knows none of their elements"},
	{name: "internal/packed",
		why: "it holds texts of every layer that has some, and knows none"},
	{name: "lint", may: []string{"plan", "chips", "units", "diag"},
		why: "rules judge what a file says, no matter who wrote it; the compiler's intent is not theirs to see"},
	{name: "patch", may: []string{"plan", "format", "emit", "read", "model", "units", "diag", "internal/packed"},
		why: "a patch leads from one file to another; why the other is right is not its business"},
	{name: "way", may: []string{"plan", "chips", "diff", "patch", "verify", "model", "internal/target", "units", "diag"},
		why: "it proves what diff orders and patch divides, by what verify reads back; the order itself is not its business"},
	{name: "diff", may: []string{"plan", "units", "diag", "internal/target"},
		why: "two plans are compared, whoever made them; the plans hold the reasons of their numbers; a system must be able to write each state between them"},
	{name: "internal/posjson", may: []string{"diag"},
		why: "it says where JSON stands; what it means is for the readers to know"},
	{name: "explain", may: []string{"units", "diag", "plan"},
		why: "it says what a plan says of itself; it computes nothing"},
	{name: "verify", may: []string{"units", "diag", "chips", "plan", "calc", "emit", "read", "model", "lint", "format", "format/all", "format/system"},
		why: "it judges files by what was read of them; the language of fabrics and the terminal are not its business"},
	{name: "cabling", may: []string{"plan", "units", "diag", "internal/posjson"},
		why: "it says which cable is where; what a cable means for a buffer is for others to say"},
	{name: "observe", may: []string{"calc", "plan", "chips", "policy", "units", "diag", "internal/plain", "internal/posjson"},
		why: "it checks counters against a plan; where they come from, files or the network, is for the command to say"},
	{name: "alerts", may: []string{"plan", "model", "observe", "units", "diag"},
		why: "it writes the plan's numbers as rules for what is measured; how they were computed is not its business"},
	{name: "adopt", may: []string{"policy", "calc", "plan", "chips", "emit", "read", "diff", "lint", "verify", "model", "cabling", "units", "diag", "internal/plain"},
		why: "it writes a fabric and compiles it to see whether it is right; files and terminal are not its business"},
	{name: "internal/testing/readtest", may: []string{"format", "plan", "read", "units", "diag", "internal/posjson"},
		why: "it edits files and asks any reader what became of them; it can know no format"},
	{name: "internal/testing/yang", may: []string{"format", "internal/testing/oracle"},
		why: "tests compare rows with models; what a system writes and reads is not its business"},
	{name: "internal/testing/oracle",
		why: "it finds outside truth for tests of every layer"},
	{name: "internal/testing/anyplan", may: []string{"plan", "units", "diag"},
		why: "it draws random plans for tests of emitters and readers, which must not know one another"},
	{name: "internal/testing/smallswitch", may: []string{"model", "plan", "chips", "units", "diag"},
		why: "it draws switches about where their buffers begin to suffice, for tests of the proof and of those who attack it"},
	{name: "internal/testing/tinyswitch", may: []string{"model", "units"},
		why: "it visits all states of tiny buffers, and can know neither who proves nor who attacks them"},
	{name: "internal/testing/plantest", may: []string{"policy", "calc", "plan", "chips", "units", "diag", "emit"},
		why: "it compiles fabrics for tests of what comes after, and does not know them; emit: what a form says of a switch is checked by hand"},
	{name: "internal/testing/goldentest", may: []string{"chips", "plan", "emit", "internal/testing/plantest", "internal/testing/readtest", "internal/target", "diag"},
		why: "it reads the compiled examples, and compiles them, for tests of every layer"},
	{name: "internal/testing/must",
		why: "it ends tests of every layer, and knows none"},
	{name: "internal/testing/diagtest", may: []string{"diag"},
		why: "it runs the bad inputs of every layer that reports, so it can know none of them"},
	{name: "internal/regular",
		why: "it reads files for every layer that does, and knows none"},
	{name: "docs", may: []string{"internal/packed"},
		why: "it carries the pages about findings for those who print them"},
	{name: "internal/plain",
		why: "it shows texts for every layer that prints, and knows none"},
	{name: "internal/disk",
		why: "it writes and locks files for those who write, and does not know what is written"},
	{name: "internal/testing/crash", may: []string{"internal/disk"},
		why: "a disk that fails is one more file system; what writes to it is handed it"},
	{name: "internal/target", may: []string{"emit", "plan", "diag", "format/all", "format/system"},
		why: "it is the list of emitters, so that none of them knows another"},
	{name: "internal/testing/markingstudy", may: []string{".", "policy", "plan", "model", "units"},
		why: "it makes the data of docs/marking-study.md by the door and the simulator; nothing imports it"},
	{name: "internal/scenario", may: []string{"policy", "plan", "model", "model/sim/balance", "units", "diag"},
		why: "it hands the language's scenarios to the simulator, so that neither sees the other"},
	{name: "internal/runs", may: []string{"model"},
		why: "it keeps what runs did by what they depend on; what is searched is not its business"},
	{name: "internal/completion", may: []string{"policy", "plan", "chips", "model", "internal/scenario", "internal/runs", "units"},
		why: "it measures when what runs on a plan ends; who chose the numbers of the plan is not its business"},
	{name: "internal/published", may: []string{"plan", "chips", "units"},
		why: "it lays what others published over a plan; what comes of it is for the simulator to say"},
	{name: "internal/testing/anyfabric",
		why: "it draws the text of fabrics for tests of every layer, and knows none"},
	{name: "internal/compare", may: []string{"plan", "chips", "model", "internal/completion", "internal/published", "internal/runs"},
		why: "it runs a plan and what others would make of it; files, flags and terminal are the command's"},
	{name: "internal/tune", may: []string{"policy", "calc", "plan", "chips", "model", "internal/runs", "internal/completion", "units", "diag"},
		why: "it compiles points and simulates them; files, flags and terminal are the command's"},
	{name: "internal/goals", may: []string{"model"},
		why: "it prints verdicts on scenarios; its tests run them through the door"},
	{name: "internal/testing/chakratrace", may: []string{},
		why: "it writes traces as others do, to be read; it knows no reader"},
	{name: "internal/testing/chakratrace/write", may: []string{"internal/testing/chakratrace"},
		why: "it is the command of internal/testing/chakratrace"},
	{name: "internal/testing/mutants",
		why: "it changes the source of every layer and runs its tests; it uses none of it"},
	{name: "internal/counters", may: []string{"model", "observe", "units"},
		why: "it writes what simulated devices count under the names that are read; what is concluded of it must not see it"},
	{name: "apply", may: []string{"diag", "plan", "diff", "patch", "read", "verify", "emit", "observe", "internal/target", "internal/disk", "internal/plain"},
		why: "it tells devices what diff, patch and the emitters made, and reads it back as verify does; it computes no setting, and the network is observe/live's"},
	{name: "internal/testing/fakedevice", may: []string{"patch", "plan", "emit", "internal/target", "internal/testing/redisserver"},
		why: "it answers as devices do, for tests; of what is sent it knows what the updater refuses, and no more"},
	{name: "internal/testing/redisserver", may: []string{"internal/testing/oracle"},
		why: "it runs a server for tests, whatever they keep there"},
	{name: "internal/testing/year", may: []string{"internal/testing/oracle"},
		why: "it has texts of fabrics for tests, whoever compiles them"},
	{name: "internal/testing/testcerts",
		why: "it makes certificates for tests, whoever checks them"},
	{name: "internal/testing/browser", may: []string{"internal/testing/oracle"},
		why: "it opens pages for tests, whatever they are of"},
	{name: "internal/testing/typist",
		why: "it edits texts for tests, whatever they say"},
	{name: "internal/parallel",
		why: "it does pieces of work, whatever they are"},
	{name: "internal/chart",
		why: "it draws lines, whatever they are of"},
	{name: "internal/arch",
		why: "it reads the source, it does not use it"},
	{name: "design", may: []string{"chips", "diff", "units"},
		why: "it writes the text of a fabric from a few words; whether it compiles is for its caller to see"},
	{name: "repair", may: []string{"diag"},
		why: "it knows what people mistype; its caller compiles the text"},
	{name: ".", may: []string{"repair", "units", "diag", "chips", "plan", "policy", "calc", "emit", "read", "model", "verify", "diff", "explain", "observe", "internal/target", "internal/scenario"},
		why: "the door does what the program does, through values and an fs.FS: no terminal, no files, no flags"},
	{name: "report", may: []string{".", "units", "diag", "plan", "explain", "verify", "model", "internal/chart"},
		why: "it draws what the door says; it computes no number of its own but those of the picture"},
	{name: "lsp", may: []string{".", "units", "diag", "chips", "plan", "policy", "calc", "explain", "internal/regular"},
		why: "it tells an editor what the door says of a text"},
	{name: "mcp", may: []string{".", "diag", "explain", "model", "verify"},
		why: "it tells a language model what the door says, and reads nothing but what it is handed"},
	{name: "site", may: []string{"chips", "policy", "calc", "docs"},
		why: "it writes the pages of the site from what these say of themselves; nothing imports it"},
	{name: "examples", may: []string{"."},
		why: "examples show what others can do, through the door alone"},
	{name: "editors",
		why: "extensions of editors start the program; their tests check them against the language"},
	{name: "ci",
		why: "scripts for code hosts start the program; their tests run them"},
	{name: "packaging",
		why: "it packs the program, and asks it what to pack: it calls nothing of it"},
	{name: "cmd", all: true,
		why: "the command line uses everything and nothing uses it"},
}

// exceptions are single edges that the table would forbid, by importer.
var exceptions = map[string][]string{
	// `calc threshold` answers by running the buffer model packet by packet. The model
	// sees nothing of calc, so it stays a witness.
	"calc/threshold": {"model/mmu"},
	// The documents of formulas are texts to be quoted; no number comes from them.
	"explain": {"calc/formulas"},
}

func TestImports(t *testing.T) {
	packages := list(t)
	if len(packages) < 5 {
		t.Fatalf("go list found %d packages of this module, too few to mean anything", len(packages))
	}
	for importer, imports := range packages {
		for _, imported := range imports {
			if err := allowed(importer, imported); err != nil {
				t.Error(err)
			}
		}
	}
}

// The rules themselves: what must be refused is refused.
func TestForbiddenImportsAreFound(t *testing.T) {
	for _, edge := range [][2]string{
		{"model/proof", "calc"}, {"model/mmu", "calc/headroom"}, {"model/sim", "policy"}, {"model/proof", "emit/sonic"},
		{"emit/eos", "calc"}, {"emit/sonic", "policy"}, {"emit/sonic", "emit/eos"}, {"emit/eos", "chips"},
		{"chips", "plan"}, {"policy", "emit/sonic"}, {"policy", "calc"}, {"plan", "policy"}, {"units", "diag"},
		{"read/sonic", "read/eos"}, {"read/sonic", "emit/eos"}, {"read/sonic", "emit/sonic"}, {"calc", "emit/sonic"}, {"calc/pool", "model/mmu"},
		{"model/sim/balance", "model/sim"}, {"model/sim/conweave", "model/sim/balance"}, {"model/sim/cells", "model/sim"},
		{"diag", "cmd/roceplan/outdir"}, {"brandnew", "units"}, {"units", "brandnew"},
	} {
		if allowed(edge[0], edge[1]) == nil {
			t.Errorf("%s may import %s", edge[0], edge[1])
		}
	}
	for _, edge := range [][2]string{
		{"emit/sonic", "emit"}, {"calc", "calc/headroom"}, {"model/sim", "model/mmu"}, {"model/sim", "model/sim/cells"},
		{"cmd/roceplan", "emit/eos"}, {"calc/threshold", "model/mmu"}, {"policy", "plan"},
	} {
		if err := allowed(edge[0], edge[1]); err != nil {
			t.Error(err)
		}
	}
}

// allowed judges one import, both given below the module.
func allowed(importer, imported string) error {
	from, ok := layerOf(importer)
	if !ok {
		return fmt.Errorf("%s belongs to no layer: say in the table what it is and what it may import", importer)
	}
	to, ok := layerOf(imported)
	if !ok {
		return fmt.Errorf("%s imports %s, which belongs to no layer", importer, imported)
	}
	switch {
	case from.all, slices.Contains(exceptions[importer], imported):
		return nil
	case to.name == "internal/natural", to.name == "internal/stable", to.name == "internal/forest":
		return nil // an order of names says nothing of what is named, nor a count of what is counted, nor a part of its nodes
	case to.name == "internal/regular", to.name == "internal/parallel", to.name == "internal/plain":
		return nil // nor does what a file is say anything of what it holds, nor how a text is shown of the text
	case from.name == to.name && !from.apart, from.name == to.name && imported == to.name:
		return nil
	case slices.Contains(from.may, to.name):
		return nil
	}
	return fmt.Errorf("%s must not import %s: %s", importer, imported, from.why)
}

func layerOf(path string) (layer, bool) {
	for _, l := range layers {
		if path == l.name || strings.HasPrefix(path, l.name+"/") {
			return l, true
		}
	}
	return layer{}, false
}

// list returns the imports of every package of the module within the module, without
// those of tests: a test may check one layer against another.
func list(t *testing.T) map[string][]string {
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Imports", module+"...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := make(map[string][]string)
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages
		}
		if err != nil {
			t.Fatal(err)
		}
		var inside []string
		for _, imported := range p.Imports {
			if below, ok := strings.CutPrefix(imported+"/", module); ok {
				inside = append(inside, cmp.Or(strings.TrimSuffix(below, "/"), "."))
			}
		}
		packages[cmp.Or(strings.TrimSuffix(strings.TrimPrefix(p.ImportPath+"/", module), "/"), ".")] = inside
	}
}
