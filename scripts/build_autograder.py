#!/usr/bin/env python3
"""Build the zip that Gradescope takes as an autograder.

    $ .venv/bin/python scripts/build_autograder.py            autograder.zip, for the practice in
    Spanish $ .venv/bin/python scripts/build_autograder.py --lang en --rubric mine.toml --assignment
    DIR --out course.zip

It holds the wheel of `practica`, the rubric and the assignment if there are any,
`run_in_gradescope.py`, and two programs:

    setup.sh         once, when the image is built from Ubuntu 22.04 or newer: Python, bubblewrap,
                     and the wheel with what it needs
    run_autograder   for each submission: marks /autograder/submission and leaves
                     /autograder/results/results.json

A submission is one student's: of several files one is chosen, as everywhere. Where there is no
mark, Gradescope shows an error with the reason and not a 0. A container in which no sandbox works
marks nothing, unless the zip was built with --no-sandbox: then a file can read the checks, and
write marks of its own.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import _installed  # noqa: F401 - it says what to do first

from practica.grading.engine.rubric import load_rubric
from practica.grading.report.completeness import begin

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "scripts" / "run_in_gradescope.py"
EPOCH = (1980, 1, 1, 0, 0, 0)

SETUP = """\
#!/usr/bin/env bash
# Prepare the image: Python 3.11 or newer, what the sandbox needs, and the wheel in an environment
# of its own.
set -euo pipefail
cd "$(dirname "$0")/source" 2>/dev/null || cd "$(dirname "$0")"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends bubblewrap libseccomp2 python3 python3-venv
python=python3
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    apt-get install -y -qq --no-install-recommends python3.11 python3.11-venv
    python=python3.11
fi
"$python" -m venv venv
venv/bin/pip install --quiet ./*.whl
"""

RUN = """\
#!/usr/bin/env bash
# Mark a submission; `run_in_gradescope.py` says how.
base=$(cd "$(dirname "$0")" && pwd)
[ -d "$base/source" ] || base=$(dirname "$base")
exec "$base/source/venv/bin/python" "$base/source/{program}" "$base" {options}
"""


def build(
    out: Path, *, lang: str, rubric: Path | None, assignment: Path | None, no_sandbox: bool
) -> None:
    """Write the zip; ValueError if the rubric or the assignment is not whole."""
    if assignment is not None:
        begin(assignment)
    options = ["--lang", lang]
    if no_sandbox:
        options.append("--no-sandbox")
    files: dict[str, bytes] = {}
    if rubric is not None:
        load_rubric(rubric)
        files["rubric.toml"] = rubric.read_bytes()
        options += ["--rubric", "rubric.toml"]
    if assignment is not None:
        own = [
            path
            for path in assignment.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        ]
        files |= {
            f"assignment/{path.relative_to(assignment).as_posix()}": path.read_bytes()
            for path in own
        }
        options += ["--assignment", "assignment"]
    run = RUN.format(program=PROGRAM.name, options=shlex.join(options))
    files |= {"setup.sh": SETUP.encode(), "run_autograder": run.encode()}
    files[PROGRAM.name] = PROGRAM.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ValueError(f"{shlex.join(command)} ended with {done.returncode}:\n{done.stderr}")
        files |= {path.name: path.read_bytes() for path in Path(folder).glob("*.whl")}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type, info.create_system = zipfile.ZIP_DEFLATED, 3
            info.external_attr = (
                0o100755 if name in ("setup.sh", "run_autograder") else 0o100644
            ) << 16
            archive.writestr(info, content)


def main() -> None:
    """Build it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("autograder.zip"), metavar="ZIP")
    parser.add_argument(
        "--lang", choices=["es", "en"], default="es", help="of what students read [es]"
    )
    parser.add_argument("--rubric", type=Path, metavar="FILE")
    parser.add_argument(
        "--assignment", type=Path, metavar="DIR", help="the folder of another course"
    )
    parser.add_argument(
        "--no-sandbox", action="store_true", help="mark also where no sandbox works"
    )
    given = parser.parse_args()
    try:
        build(**vars(given))
    except (ValueError, OSError) as error:
        sys.exit(str(error))
    print(f"The autograder: {given.out}, {given.out.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
