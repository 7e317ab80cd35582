# The front door: `make help` says what it does. Everything works from a fresh clone, again and again.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help requirements test-requirements build run test lint format tsan asan fuzz model bench clean

# After a crash swift-backtrace may hang where there is no terminal.
export SWIFT_BACKTRACE ?= enable=no

swift_sources := Package.swift Sources Tests Fuzz db
run_tests := swift test --disable-xctest

help: ## Say what there is
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: requirements ## Build, and run a server with a demo organization from .usher/ (Ctrl-C stops it)
	@swift build --product usher
	@exec .build/debug/usher dev --demo

# What starts other programs or has short time-outs runs one test after the other, apart from those that want every core.
alone := (Integration|LocalCluster|Postgres|Reactor|Server|UsherClient)Tests
define pass_tests
@swift build --build-tests $(1)
@$(run_tests) --skip-build $(1) --skip '^$(alone)\.'
@$(run_tests) --skip-build $(1) --no-parallel --filter '^$(alone)\.'
endef

test: test-requirements ## Build, and pass every test, with a PostgreSQL of its own
	$(call pass_tests)

lint: build ## Format and warnings: nothing may be found
	@swift format lint --strict --parallel --recursive $(swift_sources)
	@for script in scripts/* Models/check .ci/run; do bash -n "$$script"; done
	@scripts/check-unit .build/debug/usher

format: ## Format every Swift file
	@swift format --in-place --parallel --recursive $(swift_sources)

# What a sanitizer adds to memory is not held against a test's limits.
tsan asan: export USHER_TEST_SANITIZER := 1
tsan: export TSAN_OPTIONS := halt_on_error=1
tsan: test-requirements ## Pass every test under ThreadSanitizer
	$(call pass_tests,--sanitize=thread --scratch-path .build-tsan)

asan: export LSAN_OPTIONS := suppressions=$(CURDIR)/Tests/lsan.supp
asan: test-requirements ## Pass every test under AddressSanitizer and LeakSanitizer
	$(call pass_tests,--sanitize=address --scratch-path .build-asan)

fuzz: test-requirements ## Run every fuzz target for 20 seconds
	@for target in $$(ls Fuzz/Corpora); do scripts/fuzz "$$target" 20; done

model: test-requirements ## Check the models of what runs at once, and that their mutations are caught
	@Models/check Models/seats.pml 5

bench: requirements ## Measure beside nginx, HAProxy and Caddy (ten minutes after the build)
	@Benchmarks/compare
	@Benchmarks/idle

clean: ## Remove what was built (.usher/ stays)
	@rm -rf .build .build-tsan .build-asan .build-fuzz

# Warnings are errors (Package.swift), so a build is half of the lint.
build: requirements
	@swift build --build-tests

requirements:
	@scripts/requirements

test-requirements:
	@scripts/requirements --tests
