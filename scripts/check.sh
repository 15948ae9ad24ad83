#!/usr/bin/env bash
# The checks of a developer: all of them, or the steps that are named.
#
#   scripts/check.sh [lint] [types] [docs] [tests] [slow] [nojit] [bounds]
#
# lint    ruff: rules and format          slow    the slow tests alone
# types   mypy, strict                    nojit   kernel tests as plain Python
# tests   all tests but the slow ones     bounds  kernel tests with bounds checks
# docs    the manual, strictly, and the man pages, into build/
#
# PYTHON names the interpreter of an environment with the extra `dev` (default .venv/bin/python),
# PYTEST_OPTIONS more options for every pytest, such as "-n 0". All steps run even if one fails.
set -u
cd "$(dirname "$0")/.."
python=${PYTHON:-.venv/bin/python}
read -r -a options <<<"${PYTEST_OPTIONS:-}"
failed=()

run() { # NAME COMMAND...: runs the command, remembers a failure
    local name=$1
    shift
    printf '\n== %s: %s\n' "$name" "$*"
    "$@" || failed+=("$name")
}

# Code compiled in one mode must not serve another, so each has a cache of its own.
pytest_in() { # MODE ARGUMENTS...
    SIMON_SOLVER_CACHE="$PWD/build/cache/$1" "$python" -m pytest "${options[@]}" "${@:2}"
}
nojit() { NUMBA_DISABLE_JIT=1 pytest_in nojit -m "kernel and not slow"; }
bounds() { NUMBA_BOUNDSCHECK=1 pytest_in bounds -m "kernel and not slow"; }

for step in "${@:-all}"; do
    case $step in
    all) exec "$0" lint types docs tests nojit bounds slow ;;
    lint)
        run lint "$python" -m ruff check .
        run format "$python" -m ruff format --check .
        ;;
    types) run types "$python" -m mypy ;;
    docs)
        # Says that a later major version will come; the extra `docs` keeps to this one.
        export NO_MKDOCS_2_WARNING=1
        run docs "$python" -m mkdocs build --strict --quiet
        run man "$python" -m scripts.make_man
        ;;
    tests) run tests pytest_in jit ;;
    slow) run slow pytest_in jit --slow -m slow ;;
    nojit) run nojit nojit ;;
    bounds) run bounds bounds ;;
    *)
        echo "unknown step: $step (expected lint, types, docs, tests, slow, nojit, bounds)" >&2
        exit 2
        ;;
    esac
done

if ((${#failed[@]})); then
    printf '\nfailed: %s\n' "${failed[*]}"
    exit 1
fi
