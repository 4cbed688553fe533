# What one does with this repository. make prints the list. make test and make run need only Go.

# Tools, each version in this one place.
GOLANGCI_VERSION := v2.15.0
REDOCLY_VERSION  := 2.77.0

ADDR     ?= 127.0.0.1:8000
FUZZTIME ?= 10s

GOLANGCI := .bin/golangci-lint-$(GOLANGCI_VERSION)

# Where the tests with the official clients are, and what they need is installed.
SUITES  := examples/conformance/testdata
INTEROP := .bin/interop

# Where the protocol's reference server is installed, to compare with, and its agents.
REFERENCE := .bin/reference
SCRIPTS   := examples/load/testdata/reference

# The race detector needs a C compiler. Without one, go says that cgo is off, and tests run without it.
RACE = $(if $(filter 1,$(shell go env CGO_ENABLED)),-race)

# The files that make generate writes, and those beside them.
GENERATED := find . -path ./.git -prune -o -type f \( -name '*.gen.go' -o -path './generated/*' \) -print

.DEFAULT_GOAL := help

.PHONY: help
help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: ## Serve the quickstart example, at ADDR=127.0.0.1:8000
	go run ./examples/quickstart -addr $(ADDR)

.PHONY: test
test: ## Run all tests
	@$(if $(RACE),:,echo 'no C compiler: testing without the race detector' >&2)
	go test $(RACE) ./...

.PHONY: interop
interop: interop-deps ## Test with the official Python and Node.js clients (needs python3 and npm)
	INTEROP=required go test -count=1 -run '^TestOfficialClients$$' ./examples/conformance

.PHONY: interop-deps
interop-deps: $(INTEROP)/python/installed $(INTEROP)/node/installed ## Install the official clients

.PHONY: generate
generate: ## Make all generated files anew
	go generate ./...

.PHONY: check
check: ## Fail if a generated file is not what its sources say
	go run ./cmd/agentgen check ./...
	@tmp=$$(mktemp -d) && trap 'rm -rf "$$tmp"' EXIT && mkdir "$$tmp/before" "$$tmp/after" && \
	$(GENERATED) | tar -cf - -T - | tar -xf - -C "$$tmp/before" && \
	$(MAKE) --no-print-directory generate && \
	$(GENERATED) | tar -cf - -T - | tar -xf - -C "$$tmp/after" && \
	if ! diff -ru "$$tmp/before" "$$tmp/after"; then \
		echo 'generated files were stale; they are up to date now' >&2; exit 1; \
	fi

.PHONY: lint
lint: $(GOLANGCI) ## Check the Go code
	$(GOLANGCI) run ./...

.PHONY: lint-openapi
lint-openapi: ## Check the OpenAPI document (needs Node.js)
	@if ! command -v npx >/dev/null; then \
		echo 'SKIPPED lint-openapi: there is no npx; install Node.js to check openapi/agentgen.yaml' >&2; \
	else \
		REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
		npx --yes @redocly/cli@$(REDOCLY_VERSION) lint --config redocly.yaml openapi/agentgen.yaml; \
	fi

.PHONY: fmt
fmt: $(GOLANGCI) ## Format the Go code
	$(GOLANGCI) fmt ./...

.PHONY: bench
bench: ## Run all benchmarks
	go test -run '^$$' -bench . -benchmem ./...

.PHONY: load
load: ## Run many runs at once, here and on the reference server (LOAD=flags)
	@if [ -f $(REFERENCE)/installed ]; then reference='-reference $(REFERENCE)/bin/python'; else \
		echo 'SKIPPED the reference server: `make load-deps` installs it (needs python3)' >&2; fi; \
	go run ./examples/load $$reference $(LOAD)

.PHONY: load-deps
load-deps: $(REFERENCE)/installed ## Install the reference server, for make load

.PHONY: fuzz
fuzz: ## Run each fuzz test for FUZZTIME=10s
	@grep -rl --include='*_test.go' --exclude-dir=testdata '^func Fuzz' . | while read -r file; do \
		for name in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/p' "$$file"); do \
			echo "$$name in $$file"; \
			go test "$$(dirname "$$file")" -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) || exit 1; \
		done; \
	done

$(GOLANGCI):
	GOBIN=$(CURDIR)/.bin go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mv .bin/golangci-lint $@

$(INTEROP)/python/installed: $(SUITES)/python/requirements.txt
	rm -rf $(@D)
	python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps --requirement $<
	touch $@

$(REFERENCE)/installed: $(SCRIPTS)/requirements.txt
	rm -rf $(@D)
	python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps --requirement $<
	touch $@

$(INTEROP)/node/installed: $(SUITES)/node/package.json $(SUITES)/node/package-lock.json
	mkdir -p $(@D)
	cp $^ $(@D)
	npm ci --prefix $(@D) --no-audit --no-fund --loglevel error
	touch $@
