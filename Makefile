# The tasks of development. `make` lists them; each does its own set-up.

# Runs the tools; any CPython from 3.11 up.
PYTHON ?= python3
# The interpreters to set up and test, the main one first. Empty: every one that is found.
PYTHONS ?=
# The versions that run all tests, besides the main one and the newest: IN_FULL="3.12 3.13".
IN_FULL ?=
# Passed on to pytest, to the benchmark, to the campaign and to `uv pip compile`.
TESTARGS ?=
BENCHARGS ?=
FIDELITYARGS ?=
LOCKARGS ?=
# APT=yes: install missing system packages with apt-get (as root).
APT ?=
export WRONGCALL_APT = $(APT)

MAIN := .venvs/main/bin
SETUP := $(PYTHON) tools/environments.py

.DEFAULT_GOAL := help
.PHONY: help demo demo-web pythons test test-sanitized lint analyze format build web docs gallery package bench-record bench-where bench-questions bench-examples bench-origins bench-agents bench-bugs bench-tree bench-read bench-pack bench-import bench-startup bench-web bench-dap vsix test-vscode test-clients fidelity lock clean distclean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo '  PYTHONS="path path"  use these interpreters instead of every CPython >= 3.11 found'
	@echo '  APT=yes              install missing system packages with apt-get (as root)'
	@echo '  TESTARGS="..."       arguments for pytest, as in: make test TESTARGS="-k merge -x"'

demo: ## Set up what wrongcall needs to run, and find the bug of an example (docs/guide/tutorial.md)
	@$(SETUP) --run-only $(firstword $(PYTHONS))
	@$(PYTHON) tools/demo.py .venvs/run/bin/wrongcall

demo-web: web ## The same in the browser (needs node and npm)
	@$(SETUP) --run-only $(firstword $(PYTHONS))
	@$(PYTHON) tools/demo.py --web .venvs/run/bin/wrongcall

test: lint ## Check everything: lint, then the tests on the interpreters (tools/run_tests.py says which)
	@$(PYTHON) tools/provide_browser.py
	@$(PYTHON) tools/check_extension.py test --maybe
	@$(PYTHON) tools/run_tests.py --in-full $(IN_FULL) -- $(TESTARGS)

test-sanitized: export WRONGCALL_SANITIZE = 1
test-sanitized: build ## Run the tests with the extension under AddressSanitizer
	@$(PYTHON) tools/run_tests.py --in-full $(IN_FULL) -- $(TESTARGS)

lint: build ## Check style, types and layers (on the main interpreter)
	$(MAIN)/ruff check
	$(MAIN)/ruff format --check
	$(MAIN)/mypy
	$(MAIN)/lint-imports --no-logo
	NO_MKDOCS_2_WARNING=1 $(MAIN)/mkdocs build --strict --quiet
	$(MAIN)/python tools/write_keys.py --check
	$(MAIN)/python tools/generate_api.py --check
	@$(PYTHON) tools/build_page.py --check
	$(MAIN)/python tools/check_native.py

analyze: build ## Run the static analyzer over the native code (minutes; what was clean is not run again)
	$(MAIN)/python tools/check_native.py --analyze

format: build ## Format the sources and fix what can be fixed
	$(MAIN)/ruff format
	$(MAIN)/ruff check --fix
	$(MAIN)/python tools/generate_api.py
	@$(PYTHON) tools/build_page.py --format
	$(MAIN)/python tools/check_native.py --format

pythons: ## Provide optimised builds of CPython 3.14 and 3.15 in .pythons (on Debian; nothing is installed)
	@$(PYTHON) tools/provide_pythons.py

build: ## Make the virtual environments, build the extension in each, and the page
	@$(SETUP) $(PYTHONS)
	@$(PYTHON) tools/build_page.py --maybe

web: ## Build the page of `wrongcall web` (needs node and npm); an error if that fails
	@$(PYTHON) tools/build_page.py

vsix: ## Build the extension for VS Code, editors/vscode/wrongcall.vsix (needs node and npm)
	@$(PYTHON) tools/check_extension.py package

test-vscode: build ## Test the extension for VS Code and the adapter with clients in node
	@$(PYTHON) tools/check_extension.py test

test-clients: build vsix ## Drive a real VS Code, and the inspector and conformance suite of MCP (installs them in .venvs/node)
	@$(PYTHON) tools/provide_browser.py
	@$(PYTHON) tools/provide_clients.py
	WRONGCALL_CLIENTS=1 $(MAIN)/python -m pytest tests/clients -n 0 $(TESTARGS)

package: build web ## Build the sdist and a wheel in dist/, install both elsewhere and try them
	@$(MAIN)/python tools/check_package.py

docs: build ## Build the site of docs/ in build/site
	NO_MKDOCS_2_WARNING=1 $(MAIN)/mkdocs build --strict --quiet

gallery: build web ## Make the pictures of docs/gallery anew
	@$(PYTHON) tools/provide_browser.py
	WRONGCALL_GALLERY=1 $(MAIN)/python -m pytest tests/web -k page

bench-record: ## Measure what recording costs, on every interpreter
	@$(SETUP) --with requirements/bench.txt $(PYTHONS)
	$(MAIN)/python bench/record.py --pythons $$(cat .venvs/ready) $(BENCHARGS)

bench-where: ## Profile recorded runs with perf: where their time goes
	@$(SETUP) --with requirements/bench.txt $(PYTHONS)
	$(MAIN)/python bench/where.py $(BENCHARGS)

bench-questions: ## Count the questions of every strategy, for every place of the bug
	@$(SETUP) --with requirements/bench.txt $(PYTHONS)
	$(MAIN)/python bench/questions.py $(BENCHARGS)

bench-examples: build ## Count the questions that find the bugs of the examples
	PYTHONPATH=. $(MAIN)/python bench/examples.py $(BENCHARGS)

bench-origins: build ## Measure how soon origins of wrong values reach the faulty lines
	PYTHONPATH=. $(MAIN)/python bench/origins.py $(BENCHARGS)

bench-agents: build ## Count the tokens that a scripted agent needs to solve the examples
	PYTHONPATH=.:bench $(MAIN)/python bench/agents.py $(BENCHARGS)

bench-bugs: ## Search mutants of real projects for their bugs (hours; BENCHARGS=--report prints what is there)
	@$(SETUP) --with requirements/fidelity.txt $(PYTHONS)
	PYTHONPATH=. $(MAIN)/python bench/bugs.py $(BENCHARGS)

bench-tree: build ## Measure trees of 10,000 to 10 million calls
	$(MAIN)/python bench/tree.py $(BENCHARGS)

bench-web: build web ## Measure the page in the browser on traces of one and of ten million calls
	@$(PYTHON) tools/provide_browser.py
	$(MAIN)/python bench/web.py $(BENCHARGS)

bench-pack: build ## Measure how fast events are packed
	PYTHONPATH=. $(MAIN)/python bench/pack.py $(BENCHARGS)

bench-import: build ## Measure what importing a recorded package costs
	$(MAIN)/python bench/imports.py $(BENCHARGS)

bench-startup: build ## Measure how long a recorded program takes to start and to end
	$(MAIN)/python bench/startup.py $(BENCHARGS)

bench-read: build ## Measure how fast a large trace is read
	$(MAIN)/python bench/read.py $(BENCHARGS)

bench-dap: build ## Measure how fast the debug adapter steps back in a run of a million events
	$(MAIN)/python bench/dap.py $(BENCHARGS)

fidelity: ## Prove that recording is exact and harmless, on every interpreter (long)
	@$(SETUP) --with requirements/fidelity.txt $(PYTHONS)
	$(MAIN)/python -m fidelity.campaign $(FIDELITYARGS)

lock: build ## Pin the requirements (LOCKARGS=--upgrade: to the newest versions)
	for name in dev run tables notebook contracts bench fidelity uv pythons node; do \
	    UV_CUSTOM_COMPILE_COMMAND="make lock" .venvs/uv/bin/uv pip compile --quiet $(LOCKARGS) \
	        --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	        requirements/$$name.in --output-file requirements/$$name.txt >/dev/null || exit 1; \
	done
	! grep -n '://' requirements/*

clean: ## Remove what was built and cached; the virtual environments stay
	rm -rf build dist src/wrongcall/web/page src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests tools bench examples fidelity -name __pycache__ -prune -exec rm -rf {} +
	find src -name '*.so' -delete

distclean: clean ## Remove the virtual environments too
	rm -rf .venvs web/node_modules editors/vscode/node_modules tests/clients/node_modules
