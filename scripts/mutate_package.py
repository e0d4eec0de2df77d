#!/usr/bin/env python
"""Change the package in one place at a time, run the tests that concern the place, and say which
changes they notice.

    scripts/mutate_package.py                              60 mutants, drawn with a fixed seed
    scripts/mutate_package.py --module practica/files.py   those of one module; may be given several
    times scripts/mutate_package.py --against ../before          and beside them what the tests of
    another tree notice

With another tree only modules that are the same in both are changed, so that both get the same
mutants. The trees stay as they are: the tests run in copies.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import _installed  # noqa: F401 - it says what to do first
from mutants import changes, line_of, replaced

ROOT = Path(__file__).parent.parent
SLOWEST = 900  # seconds; a mutant that never ends has been noticed


def copied(tree: Path, folder: Path) -> Path:
    """Copy the files of a tree that git knows."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=tree, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(tree / name, folder / name)
    return folder


def concerned(tree: Path, module: str) -> list[str]:
    """List the test files that import a module by its name, or those of its folder if none does."""
    package, _, name = module.removesuffix(".py").replace("/", ".").rpartition(".")
    imports = (f"{package}.{name}", f"from {package} import {name}")
    folder = tree / "tests" / Path(module).relative_to("practica").parent
    found = [
        path
        for path in (tree / "tests").rglob("test_*.py")
        if any(each in path.read_text() for each in imports)
    ]
    return sorted(str(path.relative_to(tree)) for path in found or folder.glob("test_*.py"))


def notices(tree: Path, module: str) -> bool:
    """Return whether the tests of a copy fail."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        *concerned(tree, module),
    ]
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, timeout=SLOWEST, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def main() -> None:
    """Print a line for each mutant, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument(
        "--module", action="append", help="only of this one, such as practica/files.py"
    )
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", type=Path, metavar="TREE")
    options = parser.parse_args()
    trees = {"here": ROOT} | ({"there": options.against.resolve()} if options.against else {})
    modules = options.module or [
        str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("practica/**/*.py"))
    ]
    sources = {
        module: [
            (tree / module).read_bytes() if (tree / module).exists() else b""
            for tree in trees.values()
        ]
        for module in modules
    }
    possible = []
    for module, same in sources.items():
        if len(set(same)) == 1:
            tree = ast.parse(same[0])
            possible += [
                (module, tree, node, new) for node in ast.walk(tree) for _, new in changes(node)
            ]
    counts = dict.fromkeys(trees, 0)
    with tempfile.TemporaryDirectory() as folder:
        copies = {name: copied(tree, Path(folder, name)) for name, tree in trees.items()}
        chosen = random.Random(options.seed).sample(possible, min(options.count, len(possible)))
        for module, tree, node, new in chosen:
            found = {}
            for name, copy in copies.items():
                (copy / module).write_text(replaced(tree, node, new), encoding="utf-8")
                found[name] = notices(copy, module)
                (copy / module).write_bytes(sources[module][0])
                counts[name] += found[name]
            words = ", ".join(
                f"{name}: {'killed' if killed else 'SURVIVES'}" for name, killed in found.items()
            )
            before, after = (ast.unparse(each).partition("\n")[0][:60] for each in (node, new))
            print(f"{words}  {module}:{line_of(node)} {before} -> {after}", flush=True)
    print(
        f"{len(chosen)} mutants;",
        ", ".join(f"{name}: {count} killed" for name, count in counts.items()),
    )


if __name__ == "__main__":
    main()
