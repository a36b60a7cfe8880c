package main

import (
	"os"
	"path/filepath"
)

// shelf are the documents of the checkout that are pages of the site, in the order of reading.
var shelf = []struct{ file, at, about string }{
	{"site/home.md", "/", "One description of a RoCE fabric, compiled into configuration that is proved lossless."},
	{"docs/tutorials/ai-pod.md", "tutorials/ai-pod", "512 GPUs in twelve commands: from an empty folder to configuration that is proved and reviewed."},
	{"docs/tutorials/first-fabric.md", "tutorials/first-fabric", "From an empty folder to the configuration of sixteen switches, and why each number is what it is."},
	{"docs/tutorials/proof.md", "tutorials/proof", "What a verdict rests on, how a packet would be lost, and how far you are from it."},
	{"docs/tutorials/tuning.md", "tutorials/tuning", "What traffic makes of the fabric, and marking that suits it better."},
	{"docs/tutorials/rollout.md", "tutorials/rollout", "A change: reviewed, ordered, carried to switches that run."},
	{"docs/tutorials/brownfield.md", "tutorials/brownfield", "Switches that run already: what is wrong with them, and the fabric that they are."},
	{"docs/tutorials/apply.md", "tutorials/apply", "A lab that runs: imported, changed by apply over SSH, and taken back."},
	{"docs/questions/README.md", "questions/", "What the simulator is asked most, each with one command and a plot."},
	{"docs/questions/completion.md", "questions/completion", "Completion times by load and by size, against a goal."},
	{"docs/questions/incast.md", "questions/incast", "What hosts that send to one at once do to others."},
	{"docs/questions/failure.md", "questions/failure", "A spine or any number of links fails: what is lost, what is late."},
	{"docs/questions/all-to-all.md", "questions/all-to-all", "What each GPU gets, by their number."},
	{"docs/questions/kmin.md", "questions/kmin", "Short messages against long transfers, by Kmin."},
	{"docs/using.md", "guides/using", "The language in brief, every command, what a verdict says, the simulator, pull requests."},
	{"docs/targets.md", "guides/targets", "What each system can be told, and what it cannot."},
	{"docs/certificates.md", "guides/certificates", "Every field of a certificate, every inequality, and how to check them."},
	{"docs/adopt.md", "guides/adopt", "A running pod becomes a fabric file; all that import asks for."},
	{"docs/observe.md", "guides/observe", "Counters of switches and servers against the plan: which assumption reality broke."},
	{"docs/apply.md", "guides/apply", "A change carried out on devices that run: the way on each system, the way back, the journal."},
	{"docs/tune.md", "guides/tune", "What tune searches, what it rejects, what it compares."},
	{"docs/compare.md", "guides/compare", "What compare measures, beside which configurations, and how sure it is."},
	{"docs/dcqcn.md", "guides/dcqcn", "Where the constants of DCQCN come from."},
	{"docs/sim-results.md", "guides/sim-results", "Every figure that the simulator prints."},
	{"docs/sim-fluid.md", "guides/sim-fluid", "Runs as flows: their results, and how exact they are."},
	{"docs/reproduce.md", "guides/reproduce", "What the papers say, and what comes out here."},
	{"docs/marking-study.md", "guides/marking-study", "Where the marking curve should be: measured."},
	{"docs/alpha.md", "guides/alpha", "What decides alpha: the inequalities, and how they meet the simulator."},
	{"docs/editors.md", "guides/editors", "Findings, values and completion as you type."},
	{"docs/decisions.md", "guides/decisions", "Choices that others would have made otherwise, and why."},
	{"ARCHITECTURE.md", "guides/architecture", "How the program is built, and where to add a chip, a formula or a target."},
	{"BENCHMARKS.md", "guides/benchmarks", "What it costs to run."},
	{"CHANGELOG.md", "guides/changelog", "What changed."},
}

// documents reads the shelf.
func documents(root string) (pages []page, err error) {
	pages = []page{
		{at: "playground", title: "Playground", weight: 4, layout: "playground", about: "The program in this page: nothing that you type leaves it."},
		{at: "tutorials/", title: "Tutorials", weight: 1, about: "Every command on these pages is run by a test, and prints what the page shows."},
		{at: "guides/", title: "Guides", weight: 2, about: "One subject each, in depth."},
		{at: "reference/", title: "Reference", weight: 3, about: "Written by the program: from its decoder, its command line, its formulas and its catalogue."},
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
