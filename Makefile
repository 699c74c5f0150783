# realm-cli: what to type. `make` alone lists the targets.
# The work is done by small scripts (.ci/, Tests/), so that all of it also runs where there is no make.
PREFIX ?= /usr/local
DESTDIR ?=
STATIC ?= 1
export STATIC

BIN = .build/release/realm-cli
SOURCES = Package.swift Sources Tests
CONFORMANCE = ../shared/conformance/check.py

.PHONY: help demo test check release bench fuzz sanitize format generate install deb tarball image deps

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1 – /p' Makefile

demo: ## build, and show what is in fixtures/zoo.realm
	sh Tests/demo

test: ## run every test
	sh Tests/run

check: ## everything a change must pass: format, no warnings, all tests, conformance
	swift format lint --strict --recursive $(SOURCES)
	SCRATCH=.build/check sh Tests/run -Xswiftc -warnings-as-errors
	if [ -e $(CONFORMANCE) ]; then sh Tests/conformance $(CONFORMANCE) $(BIN); fi

release: ## one static executable, .build/release/realm-cli (STATIC=0: with the system's C libraries)
	sh .ci/release

bench: release ## time the program beside sqlite3, on ROWS (1000000) rows
	sh Tests/Benchmarks/run

fuzz: ## feed damaged files to the engine for FUZZ_SECONDS (default 60) a target
	sh Tests/Fuzz/run

sanitize: ## run the tests with the address sanitizer, then with the thread sanitizer
	sh Tests/sanitize

format: ## put all Swift files into the one format
	swift format --in-place --recursive $(SOURCES)

generate: ## write man pages and completions anew from the tables of the program
	sh .ci/generate

install: release ## copy program, man pages and completions to DESTDIR/PREFIX
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1" \
	  "$(DESTDIR)$(PREFIX)/share/man/man5" "$(DESTDIR)$(PREFIX)/share/man/man7" \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" \
	  "$(DESTDIR)$(PREFIX)/share/zsh/site-functions" \
	  "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	install -m 755 $(BIN) "$(DESTDIR)$(PREFIX)/bin/realm-cli"
	for section in 1 5 7; do \
	  install -m 644 man/*.$$section "$(DESTDIR)$(PREFIX)/share/man/man$$section/" || exit 1; done
	install -m 644 completions/realm-cli.bash \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/realm-cli"
	install -m 644 completions/_realm-cli "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_realm-cli"
	install -m 644 completions/realm-cli.fish \
	  "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/realm-cli.fish"

deb: ## a Debian package in .build/packages
	.packaging/deb

tarball: ## the static program with its pages and completions, .build/packages/realm-cli-*.tar.xz
	.packaging/tarball

image: ## the root of a container image and its Dockerfile, .build/packages/image
	.packaging/image

deps: ## install the C libraries that are missing
	sh .ci/deps
