"""The shape of the code: dependencies point one way, the core is pure, and nothing outgrows its budget. Read from the syntax trees."""

import ast
import fnmatch
import math
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

TOP_LEVEL = {
    ".ci",
    ".git",
    ".github",
    ".gitignore",
    ".pre-commit-config.yaml",
    ".streamlit",
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "app",
    "docs",
    "pyproject.toml",
    "reviewlib",
    "sample_cassettes",
    "tests",
}

LAYERS = (
    "errors",
    "model",
    "decode",
    "formats",
    "providers",
    "trajectory",
    "pairing",
    "diff",
    "groups",
    "verdicts",
    "summary",
    "report",
    "pipeline",
)
"""The straight line. A layer may import those before it, and whatever is no layer."""

EDGES = ("cli", "demo", "ledger", "paths", "serve", "sources.")
"""What talks to the world: files, git, the clock, the environment. ``sources`` itself holds the values that an edge gives the core."""

MAY_IMPORT_GIT = ("reviewlib.sources.", "reviewlib.ledger")

IMPURE = {
    "asyncio", "datetime.now", "git", "os", "pandas", "pathlib", "random", "secrets", "shutil", "socket", "streamlit", "subprocess",
    "tempfile", "threading", "time", "urllib.request", "uuid",
}  # fmt: skip
"""What the core does not import: a result depends on what was passed in, and on nothing else."""

CLOCKS = {"now", "utcnow", "today", "time", "monotonic", "perf_counter"}

MEANINGLESS = {"utils", "util", "helpers", "helper", "common", "misc"}

BROAD = {
    ("reviewlib/cli/__init__.py", "run"),  # a bug must not end with the exit code that says "something needs a person"
    ("reviewlib/formats/__init__.py", "_guarded"),  # one cassette's failure is a value
}

LINES_OF_A_FILE = 400
LINES_OF_A_FUNCTION = 60
LINES_OF_MOST_FUNCTIONS = 40
"""The 95th percentile."""


@cache
def sources() -> dict[str, ast.Module]:
    """The syntax trees of the product, by path."""
    paths = [path for folder in ("reviewlib", "app") for path in sorted((ROOT / folder).rglob("*.py"))]
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in paths
        if not {"_app", "_samples"} & set(path.parts)
    }


def module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def modules() -> dict[str, ast.Module]:
    """The library's syntax trees, by module."""
    return {module_name(path): tree for path, tree in sources().items() if path.startswith("reviewlib/")}


def imports(tree: ast.Module) -> Iterator[str]:
    """Every module that is imported, anywhere in the file; ``from a import b`` gives ``a`` and ``a.b``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_imports(name: str) -> set[str]:
    """The modules of the library that a module imports: of ``a`` and ``a.b``, the deeper where it is a module."""
    found = {target for target in imports(modules()[name]) if target in modules()}
    packages = {target for target in found if any(other.startswith(f"{target}.") for other in found)}
    named = {target for target in packages if not _takes_names_of(name, target)}
    return found - named - {name}


def _takes_names_of(name: str, package: str) -> bool:
    """Whether a module imports something from a package that is no module of it."""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == package
        and any(f"{package}.{alias.name}" not in modules() for alias in node.names)
        for node in ast.walk(modules()[name])
    )


def inner(name: str) -> str:
    return name.removeprefix("reviewlib").removeprefix(".")


def is_edge(name: str) -> bool:
    return any(inner(name) == edge or inner(name).startswith(f"{edge.rstrip('.')}.") for edge in EDGES) and (
        name != "reviewlib.sources"
    )


def core() -> list[str]:
    return [name for name in modules() if not is_edge(name)]


def layer(name: str) -> int | None:
    """The place of a module in the straight line; decode_yaml belongs to decode."""
    first = inner(name).split(".")[0].partition("_")[0]
    return LAYERS.index(first) if first in LAYERS else None


def functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, node


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


# Dependencies


def test_no_module_imports_itself_in_a_circle():
    try:
        TopologicalSorter({name: own_imports(name) for name in modules()}).prepare()
    except CycleError as error:
        pytest.fail(f"circle: {' ← '.join(error.args[1])}")


def test_layers_import_only_layers_before_them():
    wrong = [
        f"{name} imports {target}"
        for name in modules()
        for target in own_imports(name)
        if (here := layer(name)) is not None and (there := layer(target)) is not None and there > here
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("who", "whom"),
    [
        ("reviewlib.formats", "reviewlib.providers"),
        ("reviewlib.providers", "reviewlib.formats"),
        ("reviewlib.align", "reviewlib.model"),
        ("reviewlib.report", "reviewlib.diff"),
        ("reviewlib.report", "reviewlib.costs"),
        ("reviewlib.report", "reviewlib.pipeline"),
    ],
)
def test_some_never_meet(who, whom):
    assert [
        name for name in modules() if _inside(name, who) and any(_inside(to, whom) for to in own_imports(name))
    ] == []


def test_the_model_imports_nothing_but_itself():
    wrong = {
        target
        for name in modules()
        if _inside(name, "reviewlib.model")
        for target in imports(modules()[name])
        if target.startswith("reviewlib") and not _inside(target, "reviewlib.model")
    }
    assert wrong == set()


def test_the_core_imports_no_edge():
    assert [f"{name} imports {to}" for name in core() for to in own_imports(name) if is_edge(to)] == []


def test_the_core_imports_nothing_that_reaches_the_world():
    wrong = [f"{name} imports {to}" for name in core() for to in imports(modules()[name]) if to in IMPURE]
    assert wrong == []


def test_the_core_reads_no_clock():
    wrong = [
        f"{name}:{node.lineno}"
        for name in core()
        for node in ast.walk(modules()[name])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CLOCKS
    ]
    assert wrong == []


def test_the_core_opens_no_file():
    wrong = [
        f"{name}:{node.lineno}"
        for name in core()
        for node in ast.walk(modules()[name])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open"
    ]
    assert wrong == []


def test_only_the_sources_and_the_ledger_import_git():
    wrong = [
        path
        for path, tree in sources().items()
        if any(to.split(".")[0] == "git" for to in imports(tree)) and not module_name(path).startswith(MAY_IMPORT_GIT)
    ]
    assert wrong == []


def test_the_library_imports_streamlit_only_where_the_server_starts():
    users = {name for name in modules() if any(to.split(".")[0] == "streamlit" for to in imports(modules()[name]))}
    assert users <= {"reviewlib.serve"}


def test_the_presentation_of_the_dashboard_is_pure():
    tree = sources()["app/dashboard/present.py"]
    assert [to for to in imports(tree) if to.split(".")[0] in {"streamlit", "git", "os", "time"}] == []


# Budgets


def test_no_file_is_longer_than_its_budget():
    long = {path: end for path, tree in sources().items() if (end := _last_line(path)) > LINES_OF_A_FILE}
    assert long == {}


def test_no_function_is_longer_than_its_budget():
    long = [
        f"{path}:{each.lineno} {each.name}: {length(each)}"
        for path, each in functions()
        if length(each) > LINES_OF_A_FUNCTION
    ]
    assert long == []


def test_most_functions_are_short():
    lengths = sorted(length(each) for _, each in functions())
    assert lengths[math.floor(len(lengths) * 0.95)] <= LINES_OF_MOST_FUNCTIONS


def test_no_module_has_a_name_without_meaning():
    assert [path for path in sources() if MEANINGLESS & set(Path(path).with_suffix("").parts)] == []


def test_everything_is_caught_in_two_places_only():
    broad = {
        (path, each.name)
        for path, each in functions()
        for node in ast.walk(each)
        if isinstance(node, ast.ExceptHandler) and _is_broad(node.type)
    }
    assert broad <= BROAD
    everywhere = [
        path
        for path, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler) and _is_broad(node.type)
    ]
    assert len(everywhere) == len(broad)


def test_there_are_at_least_as_many_lines_of_tests_as_of_source():
    tests = sum(_last_line(path.relative_to(ROOT).as_posix()) for path in (ROOT / "tests").rglob("*.py"))
    assert tests >= sum(_last_line(path) for path in sources())


def test_the_top_level_holds_what_is_listed_and_nothing_else():
    ignored = [
        line.rstrip("/") for line in (ROOT / ".gitignore").read_text().splitlines() if line and not line.startswith("#")
    ]
    found = {
        entry.name
        for entry in ROOT.iterdir()
        if not any(fnmatch.fnmatch(entry.name, pattern.lstrip("/")) for pattern in ignored)
    }
    assert found <= TOP_LEVEL


def _inside(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def _last_line(path: str) -> int:
    return len((ROOT / path).read_text(encoding="utf-8").splitlines())


def _is_broad(caught: ast.expr | None) -> bool:
    if caught is None:
        return True
    names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(isinstance(name, ast.Name) and name.id in {"Exception", "BaseException"} for name in names)
