# What a checkout can do. Go is all that build, demo and test need; site and playground take hugo and npm too.

GO ?= go

.PHONY: build demo test bench mutants hunt fmt golden pictures playground site release release-check

build:
	$(GO) build -o roceplan ./cmd/roceplan

# Compile an example into out/ucloud-pod and show what came out.
demo:
	$(GO) run ./cmd/roceplan compile examples/ucloud-pod -o out/ucloud-pod

# On a loaded machine cmd/roceplan takes longer than ten minutes, Go's own limit for a package.
# Go begins packages in their order, so the longest come first: at the end no core waits for one of them.
# Some tests wait, for devices that hang and for shells: one package more than processors is tested at a time.
JOBS = $$(($$(getconf _NPROCESSORS_ONLN) + 1))
LONGEST = ./cmd/roceplan ./apply ./model/adversary ./packaging/release ./site/gen ./ci ./model/sim
test:
	$(GO) test -p $(JOBS) -timeout 20m $(LONGEST) ./...

# Change one place of the source at a time and look whether a test fails. SEED draws which.
SEED ?= 1
mutants:
	$(GO) run ./internal/testing/mutants -seed $(SEED)

# What takes hours: fuzzers, the proof and the simulator checked against each other in 80,000
# runs, and mutants that nobody has seen.
hunt:
	.ci/fuzz 8m 2
	$(GO) test ./cmd/roceplan/outdir -run TestEveryCallFails -timeout 4h -hunt
	$(GO) test ./cmd/roceplan -run TestCommandsWriteWhole -timeout 4h -hunt
	$(GO) test ./verify -run TestEveryLeaf -timeout 2h -hunt
	$(GO) test ./apply -run TestRollouts -timeout 24h -hunt
	$(GO) test ./observe -run TestFaultsAreNamed -timeout 1h -hunt
	$(GO) test ./cmd/roceplan -run 'TestObserve(Service|ThreeDays)' -timeout 2h -hunt
	$(GO) test . -run 'TestMemory$$' -timeout 24h -edits 5000
	$(GO) test . -run TestTrainingStep -timeout 4h -hunt
	$(GO) test . -run TestMistakesAreRepaired -timeout 2h -mistakes 40
	$(GO) test ./design -run TestEveryChip -timeout 1h -every
	$(GO) test ./model/adversary -run TestProverAndAdversaryAgree -timeout 1h -agree.switches 10000
	$(GO) test ./model/sim -run TestHeadroomOfFabrics -timeout 1h -hunt
	$(GO) test ./cmd/roceplan -run TestProofAndSimulator -timeout 24h -hunt
	$(GO) run ./internal/testing/mutants -seed $$(date +%s) -n 100

# The program as WebAssembly in a page, whose editor is CodeMirror, by npm; any server of files can serve the folder.
PLAYGROUND ?= out/playground
NPM ?= $(PLAYGROUND).npm
PAGE = cmd/playground/page
playground:
	mkdir -p "$(PLAYGROUND)/examples" "$(NPM)"
	GOOS=js GOARCH=wasm $(GO) build -trimpath -ldflags="-s -w" -o "$(NPM)/roceplan.wasm" ./cmd/playground
	gzip -9nc "$(NPM)/roceplan.wasm" >"$(PLAYGROUND)/roceplan.wasm.packed"
	cp $(PAGE)/*.js $(PAGE)/*.json "$(NPM)"
	npm --prefix "$(NPM)" ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error
	"$(NPM)/node_modules/.bin/esbuild" "$(NPM)/playground.js" --bundle --minify --target=es2022 --log-level=warning \
		--banner:js="/* roceplan, and packages whose licences are in licences.txt */" --outfile="$(PLAYGROUND)/playground.js"
	find "$(NPM)/node_modules" -type f -iname 'licen[cs]e*' -not -path '*esbuild*' | sort | xargs tail -n +1 | sed 's|$(NPM)/node_modules/||' >"$(PLAYGROUND)/licences.txt"
	cp "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" $(PAGE)/index.html $(PAGE)/worker.js "$(PLAYGROUND)"
	$(GO) run ./cmd/roceplan init - >"$(PLAYGROUND)/fabric.hcl"
	for e in $$(grep -LF 'file(' examples/*/*.hcl | xargs -n1 dirname | sort -u); do cat $$e/*.hcl >"$(PLAYGROUND)/examples/$$(basename $$e)" || exit 1; done
	ls "$(PLAYGROUND)/examples" | grep -v index.txt >"$(PLAYGROUND)/examples/index.txt"

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

fmt:
	gofmt -s -w .
	$(GO) run ./cmd/roceplan fmt examples/*

# Write the golden files again. Read the diff before you commit it: it is the review.
golden:
	$(GO) test $$(grep -rlE '"update"|internal/testing/diagtest' --include='*_test.go' . | xargs -n1 dirname | sort -u) -update

# The pictures of a report that README and a tutorial show: make them again after its figures change.
LOOK = chromium --headless --no-sandbox --disable-gpu --hide-scrollbars
pictures:
	$(GO) run ./cmd/roceplan report examples/tomahawk5-ai-pod -o out/report.html
	sed -i 's|<details data-kind="picture" data-table="0">|<details open data-kind="picture" data-table="0">|' out/report.html
	$(LOOK) --window-size=1280,1720 --screenshot=docs/report.png "file://$(CURDIR)/out/report.html"
	$(LOOK) --window-size=1280,1150 --blink-settings=preferredColorScheme=0 --screenshot=docs/report-dark.png "file://$(CURDIR)/out/report.html"

# The documentation and the playground as one static site; hugo is Debian's.
SITE ?= out/site
site:
	rm -rf "$(SITE)" "$(SITE).pages"
	$(GO) build -o "$(SITE).pages/roceplan" ./cmd/roceplan
	$(GO) run ./site/gen -program "$(SITE).pages/roceplan" -o "$(SITE).pages/content"
	hugo --quiet --source site --contentDir "$(abspath $(SITE).pages/content)" --destination "$(abspath $(SITE))"
	$(MAKE) playground PLAYGROUND="$(SITE)/playground/app" NPM="$(SITE).pages/npm"
	"$(SITE).pages/npm/node_modules/.bin/pagefind" --site "$(SITE)" --quiet
	rm "$(SITE)"/pagefind/pagefind-ui.* "$(SITE)"/pagefind/pagefind-modular-ui.* "$(SITE)/pagefind/pagefind-highlight.js"

# What a release consists of, for the tag of the revision that is checked out.
DIST ?= dist
release:
	$(GO) run ./packaging/release -o "$(DIST)"

# A release for all platforms, twice: equal to the byte, installed, used, removed. As root.
release-check:
	CI=true $(GO) test ./packaging/release -count=1 -timeout 1h -full
