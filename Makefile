# The commands of Remit. `make help` lists them; CONTRIBUTING.md explains the loop.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# Project-local tools first, then what the machine has.
export PATH := $(CURDIR)/.tools/bin:$(CURDIR)/end2end/node_modules/.bin:$(PATH):$(HOME)/.cargo/bin

TARGET := $(or $(CARGO_TARGET_DIR),target)
REMIT := $(TARGET)/release/remit
DASHBOARD := index.html Trunk.toml Cargo.toml Cargo.lock $(shell find src style public crates/contract/src crates/contract/Cargo.toml -type f)

.PHONY: help run test quick build dev bench tools

help: ## List the commands.
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-6s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Build everything and serve it on 127.0.0.1:8080 with an example organisation.
	@exec $(REMIT) serve --example

build: tools dist/index.html ## Build dist/ and the release server target/release/remit.
	@cargo build --release --locked --quiet --package remit-server

test: ## Run every check: formatting, lints, tests, the build, its size, the browser.
	@scripts/install-tools test
	@node scripts/test.mjs

quick: tools ## Run the checks that need no build: formatting, lints, tests.
	@node scripts/test.mjs --quick

dev: tools ## Rebuild and reload on every change: dashboard on 127.0.0.1:8081, API on 8080.
	@scripts/dev

bench: build ## Measure speed and size, print a table, add a row to bench/HISTORY.md.
	@scripts/install-tools test
	@node scripts/bench.mjs

dist/index.html: $(DASHBOARD)
	@trunk --quiet build --release

tools:
	@scripts/install-tools build
