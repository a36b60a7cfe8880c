package main

import (
	"os"
	"path/filepath"
)

// shelf are the documents of the checkout that are pages of the site, in the order of reading.
var shelf = []struct{ file, at, about string }{
	{"site/home.md", "/", "Compile one description of a RoCE fabric into configuration that is proved lossless."},
	{"docs/tutorials/ai-pod.md", "tutorials/ai-pod", "512 GPUs in twelve commands: from an empty folder to configuration that is proved and reviewed."},
	{"docs/tutorials/first-fabric.md", "tutorials/first-fabric", "From an empty folder to the configuration of sixteen switches, with the reason for each number."},
	{"docs/tutorials/proof.md", "tutorials/proof", "The assumptions of a verdict, a way to lose a packet, and the margin."},
	{"docs/tutorials/tuning.md", "tutorials/tuning", "Simulate traffic on the fabric, and tune ECN marking for it."},
	{"docs/tutorials/rollout.md", "tutorials/rollout", "Review a change, order its steps, and apply it to running switches."},
	{"docs/tutorials/brownfield.md", "tutorials/brownfield", "Audit running switches, and import them as a fabric."},
	{"docs/tutorials/apply.md", "tutorials/apply", "Import a running lab, change it over SSH, and roll it back."},
	{"docs/howto/README.md", "howto/", "Answers by question, each with its commands."},
	{"docs/howto/conditional.md", "howto/conditional", "Declare a fact, pay for it with headroom, or ask the device."},
	{"docs/howto/cable.md", "howto/cable", "The longest cable for the files that run, and for the fabric."},
	{"docs/howto/import.md", "howto/import", "From running configurations to a fabric that compiles to them."},
	{"docs/howto/rack.md", "howto/rack", "A safe order of the change, without a drain."},
	{"docs/howto/servers.md", "howto/servers", "The settings of NICs, and how to compare a server with them."},
	{"docs/howto/drops.md", "howto/drops", "The configuration, the facts, the wiring."},
	{"docs/howto/explain.md", "howto/explain", "The derivation of a number, with its sources."},
	{"docs/questions/README.md", "questions/", "Common questions to the simulator, each with one command and a plot."},
	{"docs/questions/completion.md", "questions/completion", "Compare completion times by load and size with a goal."},
	{"docs/questions/incast.md", "questions/incast", "The effect of incast on other hosts."},
	{"docs/questions/failure.md", "questions/failure", "The loss and delay when a spine or links fail."},
	{"docs/questions/all-to-all.md", "questions/all-to-all", "The bandwidth of each GPU by the number of GPUs."},
	{"docs/questions/kmin.md", "questions/kmin", "The effect of Kmin on short messages and long transfers."},
	{"docs/using.md", "guides/using", "The language, the commands, the verdicts, the simulator and pull requests."},
	{"docs/glossary.md", "guides/glossary", "The terms of RoCE fabrics."},
	{"docs/targets.md", "guides/targets", "The settings that each system supports."},
	{"docs/certificates.md", "guides/certificates", "The fields and inequalities of a certificate, and how to check them."},
	{"docs/adopt.md", "guides/adopt", "Import a running pod as a fabric file."},
	{"docs/defaults.md", "guides/defaults", "The values that devices have without a line, by system, with their sources and the releases of these."},
	{"docs/observe.md", "guides/observe", "Compare the counters of switches and servers with the plan."},
	{"docs/apply.md", "guides/apply", "Apply a change to running devices, roll it back, and read the journal."},
	{"docs/tune.md", "guides/tune", "The search space, the constraints and the comparisons of tune."},
	{"docs/compare.md", "guides/compare", "The measurements of compare, its configurations and its confidence."},
	{"docs/dcqcn.md", "guides/dcqcn", "The sources of the DCQCN constants."},
	{"docs/sim-results.md", "guides/sim-results", "The results that the simulator prints."},
	{"docs/sim-fluid.md", "guides/sim-fluid", "Fluid simulation, its results and its accuracy."},
	{"docs/reproduce.md", "guides/reproduce", "Results of papers, reproduced with roceplan."},
	{"docs/marking-study.md", "guides/marking-study", "Measurements for the choice of the marking curve."},
	{"docs/alpha.md", "guides/alpha", "The inequalities that determine alpha, compared with simulations."},
	{"docs/editors.md", "guides/editors", "Findings, values and completion in your editor."},
	{"docs/decisions.md", "guides/decisions", "Design decisions and their reasons."},
	{"ARCHITECTURE.md", "guides/architecture", "The structure of the program, and where to add a chip, a formula or a target."},
	{"BENCHMARKS.md", "guides/benchmarks", "Run time and memory."},
	{"CHANGELOG.md", "guides/changelog", "Changes in each release."},
}

// documents reads the shelf.
func documents(root string) (pages []page, err error) {
	pages = []page{
		{at: "playground", title: "Playground", weight: 5, layout: "playground", about: "Run roceplan in your browser. Your input stays on your computer."},
		{at: "tutorials/", title: "Tutorials", weight: 1, about: "Tests run each command on these pages and check its output."},
		{at: "guides/", title: "Guides", weight: 2, about: "Each guide explains one topic in depth."},
		{at: "reference/", title: "Reference", weight: 3, about: "The program generates these pages from its decoder, command line, formulas and catalogue."},
	}
	for i, d := range shelf {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(d.file)))
		if err != nil {
			return nil, err
		}
		p := pageOf(d.at, d.file, string(text))
		p.weight, p.about = i+1, d.about
		pages = append(pages, p)
	}
	return pages, nil
}
