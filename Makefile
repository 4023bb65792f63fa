# What is done how; `make` alone lists it.
PYTHON ?= python3
BIN := .venv/bin
UV := .venv/uv/bin/uv
UV_VERSION := 0.13.8
CODEGEN := .venv/codegen
NODE_MODULES := app/client/typescript/node_modules/.package-lock.json
STUDIO_MODULES := app/studio/node_modules/.package-lock.json
COMPILE := $(UV) pip compile -q --universal --generate-hashes --python-version 3.11 --no-header
# Tries a command that fetches three times: $(FETCH) REGISTRY COMMAND…
FETCH := .ci/fetch
REQUIRE_PYTHON = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=…")'
# The packages of an extra. What the tests' lock has of them comes in its versions and with its hashes.
NAMED_EXTRA := 'import sys, tomllib; \
	extras = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]; \
	print(*extras.get(" ".join(sys.argv[1:])) or sys.exit("make extra NAME=…, one of: " + ", ".join(extras)), sep="\n")'
# Declared by packages we use, needed by nothing we call of them.
UNUSED := huggingface-hub polyfactory setuptools rich-click litestar-htmx cryptography

# Where it is set, each of a test run's processes compiles all modules again.
unexport PYTHONDONTWRITEBYTECODE

# Seconds that .ci/run has spent on installing before.
INSTALLED_IN := 0

.PHONY: help up test test-all test-outside install-test install-test-all install-test-outside check fix lock client extension studio studio-check screenshots docs demo bench extra
.DELETE_ON_ERROR:

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*##/\1\t/p' $(MAKEFILE_LIST)

up: .venv/up.stamp  ## start everything: Neo4j, Redis and the API
	$(BIN)/recollect up

test:  ## the gate: check, then run the tests that everybody runs; PATHS=tests/unit restricts it
	@$(REQUIRE_PYTHON)
	@$(PYTHON) -m tests.lanes test --installed-in $(INSTALLED_IN) $(PATHS)

test-all:  ## the gate and the proof: faults, every page, real models, other clients
	@$(REQUIRE_PYTHON)
	@$(PYTHON) -m tests.lanes test-all --installed-in $(INSTALLED_IN) $(PATHS)

test-outside:  ## what needs package registries: installations, documentation, other stores' packages
	@$(REQUIRE_PYTHON)
	@$(PYTHON) -m tests.lanes test-outside --installed-in $(INSTALLED_IN) $(PATHS)

install-test: .venv/test.stamp $(STUDIO_MODULES)
	$(FETCH) "Maven Central" $(BIN)/python -m tests.fixtures.maven_files

install-test-all: install-test .venv/codegen.stamp $(NODE_MODULES)

install-test-outside: install-test .venv/docs.stamp .venv/other-stores.stamp $(NODE_MODULES)

check: .venv/test.stamp  ## format, rules, types and the count of wordings, without changing a file
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	@$(BIN)/python -m tests.plain_words

fix: .venv/test.stamp  ## format, and repair what the rules can repair
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/python -m app.settings.env_example

lock: .venv/test.stamp $(UV)  ## resolve again what is installed: packages and Neo4j's jars
	printf "%s ; python_version < '3'\n" $(UNUSED) | $(COMPILE) pyproject.toml --overrides - -o requirements.lock
	$(COMPILE) pyproject.toml --group test --no-annotate -c requirements.lock -o tests/requirements.lock
	printf 'qdrant-client>=1.20\n' | $(COMPILE) - --no-annotate -c tests/requirements.lock -o docker/qdrant.lock
	printf 'mkdocs-material>=9.7,<10\n' | $(COMPILE) - --no-annotate -o docs/requirements.lock
	printf 'mem0ai>=2,<3\ngraphiti-core>=0.31\n' | $(COMPILE) - --no-annotate -o tests/other_stores/requirements.lock
	$(COMPILE) app/client/codegen.in -o app/client/codegen.lock
	$(BIN)/python -m app.embedded.jars

client: .venv/codegen.stamp  ## make the Python client again, after a change of the SDL or of its operations
	rm -rf app/client/generated
	PYTHONPATH=. $(CODEGEN)/bin/ariadne-codegen --config app/client/codegen.toml

extension: .venv/up.stamp  ## pack the browser extension, which saves chats of other sites
	$(BIN)/python -m app.extension.packing

studio: .venv/up.stamp  ## build the Studio now (`make up` does so beside the service)
	$(BIN)/python -m app.cli.servers.studio_build

studio-check: $(STUDIO_MODULES)  ## format, rules, types and unit tests of the Studio
	npm run check --prefix app/studio
	npm test --prefix app/studio

screenshots: .venv/test.stamp $(STUDIO_MODULES)  ## take pictures of the Studio into screenshots/, and four small ones into docs/pictures/
	$(BIN)/python -m pytest -q tests/studio/screenshots.py

docs: .venv/up.stamp .venv/docs.stamp  ## build the documentation into site/, with the reference made from the code
	PYTHONPATH=. $(BIN)/python docs/reference.py
	NO_MKDOCS_2_WARNING=1 .venv/docs/bin/mkdocs build --strict --quiet

extra: .venv/up.stamp  ## install an extra of pyproject.toml, such as `make extra NAME=llm`
	@$(BIN)/python -c $(NAMED_EXTRA) $(NAME) > .venv/extra.in
	$(MAKE) --no-print-directory $(UV)
	$(FETCH) PyPI $(UV) pip install --python $(BIN)/python -c tests/requirements.lock -r .venv/extra.in
	rm -rf .venv/uv .venv/extra.in

demo: .venv/up.stamp  ## import a conversation into the running service and ask about it
	$(BIN)/recollect demo

bench: .venv/test.stamp  ## measure: `make bench` lists the benches, `make bench NAME=quality ARGS="--set madial"` runs one
	@PYTHONPATH=. $(BIN)/python -m tests.bench $(NAME) $(ARGS)

# uv is removed again after each install: it is needed only when a lock changes, and weighs 50 MB.
define install
$(REQUIRE_PYTHON)
test -x $(BIN)/python || $(PYTHON) -m venv --without-pip .venv
$(MAKE) --no-print-directory $(UV)
$(FETCH) PyPI $(UV) pip install --python $(BIN)/python --require-hashes --no-deps -r $(1)
$(FETCH) PyPI $(UV) pip install --python $(BIN)/python --no-deps --editable .
rm -rf .venv/uv
touch $@
endef

.venv/up.stamp: requirements.lock pyproject.toml
	$(call install,requirements.lock)

.venv/test.stamp: tests/requirements.lock .venv/up.stamp
	$(call install,tests/requirements.lock)

# ariadne-codegen needs graphql-core < 3.3 and strawberry a later one, so it has an environment of its own.
.venv/codegen.stamp: app/client/codegen.lock | .venv/up.stamp
	$(PYTHON) -m venv --clear $(CODEGEN)
	$(FETCH) PyPI $(CODEGEN)/bin/python -m pip install --quiet --require-hashes --no-deps -r $<
	touch $@

.venv/docs.stamp: docs/requirements.lock | .venv/up.stamp
	$(PYTHON) -m venv --clear .venv/docs
	$(FETCH) PyPI .venv/docs/bin/python -m pip install --quiet --require-hashes --no-deps -r $<
	touch $@

# Stores whose exports are imported in tests are made by mem0 and Graphiti themselves.
.venv/other-stores.stamp: tests/other_stores/requirements.lock | .venv/up.stamp
	$(PYTHON) -m venv --clear .venv/other-stores
	$(FETCH) PyPI .venv/other-stores/bin/python -m pip install --quiet --require-hashes --no-deps -r $<
	touch $@

# Scripts of packages are not run: neither the TypeScript example nor the Studio needs one.
$(NODE_MODULES) $(STUDIO_MODULES): %/node_modules/.package-lock.json: %/package-lock.json
	$(FETCH) npm npm ci --prefix $* --ignore-scripts --silent
	touch $@

$(UV):
	$(PYTHON) -m venv .venv/uv
	$(FETCH) PyPI .venv/uv/bin/python -m pip install --quiet uv==$(UV_VERSION)
