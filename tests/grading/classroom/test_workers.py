"""A class on workers: what is killed is done again or reported, and nothing of a run is left
behind.
"""

import contextlib
import gc
import json
import os
import pty
import random
import re
import resource
import signal
import subprocess
import sys
import threading
import time
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from class_runs import (
    PATIENCE,
    RUBRIC,
    DeadlyMarker,
    GreedyMarker,
    journaled,
    nothing_left,
    small_class,
    wait_until,
    written,
)
from joblib.externals import loky

from practica.grading.classroom.grader_limits import apart
from practica.grading.classroom.marker import Marker, Task, closing_sandboxes, mark_here
from practica.grading.classroom.workers import mark_all, workers_at
from practica.grading.engine.framework import load_checks
from practica.grading.engine.rubric import load_rubric
from practica.grading.sandbox.client import ProcessSolution
from practica.grading.sandbox.probe import probe

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        probe().level == "none", reason=f"no sandbox works here: {probe().failures}"
    ),
]
RIGHT = b"""
import numpy as np

def classify_outputs(outputs, *, threshold=0.5):
    return np.asarray(outputs) >= threshold
"""


@pytest.fixture(scope="module")
def made():
    """Yield a small class."""
    with small_class() as made:
        yield made


@pytest.fixture(scope="module")
def undisturbed(made):
    """Return what a run that nobody disturbs writes."""
    code, said = made.mark(made.folder / "undisturbed")
    assert code == 1, said
    return written(made.folder / "undisturbed")


IMPOSTORS = [
    "joblib",
    "numpy",
    "random",
    "secrets",
    "signal",
    "multiprocessing",
    "sklearn",
    "click",
]


@pytest.mark.thorough
def test_files_called_like_modules_are_only_submissions(tmp_path):
    """Where somebody marks the files of the folder in which he stands.

    `python -m` looks there first.
    """
    for name in IMPOSTORS:
        (tmp_path / f"{name}.py").write_bytes(
            b"import os\nopen(os.path.expanduser('~/ran'), 'w')\n" + RIGHT
        )
    (tmp_path / "ana.py").write_bytes(RIGHT)
    rubric = tmp_path / "rubric.toml"
    rubric.write_text(RUBRIC)
    home = tmp_path / "home"
    home.mkdir()
    command = [
        sys.executable,
        "-m",
        "practica",
        "grade",
        "--rubric",
        rubric,
        "--workers",
        "2",
        "--out",
        home / "notas",
    ]
    done = subprocess.run(
        [*command, "ana.py", *(f"{name}.py" for name in IMPOSTORS)],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(home)},
        capture_output=True,
        text=True,
    )
    assert not (home / "ran").exists(), done.stdout + done.stderr
    found = json.loads((home / "notas" / "results.json").read_text())["submissions"]
    assert {each["points"] for each in found} == {1}, done.stdout + done.stderr


@pytest.mark.thorough
def test_killed_at_three_moments_and_resumed_a_run_ends_with_the_same_bytes(made, undisturbed):
    """A moment is some submissions and some milliseconds later.

    Workers see by themselves that it is over.
    """
    chance = random.Random(6)
    out = made.folder / "killed"
    ends = []
    for _ in range(3):
        with made.start(out, "--resume") as process:
            target = min(journaled(out) + chance.randint(1, 4), made.count)
            wait_until(lambda: journaled(out) >= target or process.poll() is not None)  # noqa: B023
            time.sleep(chance.uniform(0, 0.2))
            process.kill()
        ends.append(process.returncode)
        wait_until(lambda: nothing_left(made))
    assert ends.count(-signal.SIGKILL) >= 2  # the last one may come when all is done
    code, said = made.mark(out, "--resume")
    assert code == 1, said
    assert written(out) == undisturbed


@pytest.mark.thorough
@pytest.mark.parametrize("done", [0, 5])
def test_ctrl_c_ends_with_a_sentence_and_what_is_done_is_kept(done, made, undisturbed):
    """In a terminal, where every process gets it; 0 is while the workers start."""
    out = made.folder / f"interrupted-{done}"
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe(sys.executable, made.command(out), made.environment)
    said = Terminal(terminal)
    wait_until(lambda: (out / "registro.log").exists() and journaled(out) >= done)
    os.write(terminal, b"\x03")
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 130
    assert re.search(r"Interrumpido con \d+ de 20 entregas hechas", text := said.text())
    assert not re.search("Traceback|Warning", text)
    wait_until(lambda: nothing_left(made))
    assert journaled(out) >= done
    assert made.mark(out, "--resume")[0] == 1
    assert written(out) == undisturbed


def test_a_pool_that_is_stopped_with_tasks_that_it_has_not_sent_prints_no_traceback(tmp_path):
    """Pytest would tell of a thread that ends in one."""
    busy, free, gate = threading.Event(), threading.Event(), tmp_path / "gate"
    os.mkfifo(gate)
    with workers_at(None, 2):
        pool = loky.ProcessPoolExecutor(1)
        # not before it is written: a callback of what is done runs in this thread
        done = pool.submit(gate.read_bytes)
        # in the thread that sends
        done.add_done_callback(lambda _: (busy.set(), free.wait(PATIENCE)))
        gate.write_bytes(b"")
        assert busy.wait(PATIENCE)
        pool.submit(int)
        manager = pool._executor_manager_thread  # others may be there, of pools that nobody stops
        pool.shutdown(wait=False, kill_workers=True)
        free.set()
        manager.join(PATIENCE)
        assert not manager.is_alive()


class Terminal:
    """Reads what a terminal shows, all the time: a process that writes to a full one would wait for
    ever.
    """

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._parts: list[bytes] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # at its end
            while part := os.read(self._terminal, 1 << 16):
                self._parts.append(part)

    def text(self) -> str:
        """Return all of it, when the process is gone, as one line without the codes that move the
        cursor.
        """
        self._reader.join()
        os.close(self._terminal)
        return " ".join(
            re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", b"".join(self._parts).decode()).split()
        )


@pytest.mark.thorough
def test_a_worker_killed_from_outside_costs_nothing(made, undisturbed):
    """What it was doing is done again, and the log says so."""
    out = made.folder / "worker-killed"
    with made.start(out) as process:
        wait_until(lambda: journaled(out) >= 4)
        log = (out / "registro.log").read_text()
        os.kill(int(re.findall(r" on [^:]+:(\d+)$", log, flags=re.MULTILINE)[-1]), signal.SIGKILL)
        said, _ = process.communicate()
    assert process.returncode == 1, said
    assert "a worker died that was marking ana-" in (out / "registro.log").read_text()
    assert written(out) == undisturbed
    assert nothing_left(made)


@pytest.mark.thorough
def test_a_submission_that_kills_its_worker_twice_is_reported_and_the_others_get_their_marks(
    tmp_path,
):
    """One that did it once has a mark, like those that were at work beside them."""
    tasks = [Task(f"s{number}", "s.py", RIGHT) for number in range(6)]
    (tmp_path / "rubric.toml").write_text(RUBRIC)
    rubric = load_rubric(tmp_path / "rubric.toml", checks=load_checks())
    marker = DeadlyMarker(rubric, always=("s2",), once=("s5",), folder=str(tmp_path))
    with workers_at(None, 2) as workers:
        found = [(task.id, marked.submission) for task, marked in mark_all(tasks, marker, workers)]
    assert sorted(name for name, _ in found) == sorted(task.id for task in tasks)
    for name, submission in found:
        if name in marker.always:
            assert (submission.status, submission.points) == ("grader_error", None)
            assert submission.reason.facts == {"count": 2}
        else:
            assert (submission.status, submission.points) == ("graded", 1.0)
    deaths = {
        name: len((tmp_path / name).read_text().split()) for name in (*marker.always, *marker.once)
    }
    assert deaths == {"s2": 2, "s5": 1}


@pytest.mark.thorough
def test_a_submission_on_which_the_grader_spends_too_much_costs_no_other_its_mark(tmp_path):
    """Its worker is ended by the kernel, whatever it does, or gets no more memory."""
    tasks = [Task(f"s{number}", "s.py", RIGHT) for number in range(6)]
    (tmp_path / "rubric.toml").write_text(RUBRIC)
    rubric = load_rubric(tmp_path / "rubric.toml", checks=load_checks())
    marker = GreedyMarker(rubric, seconds=2, burning=("s1",), hoarding=("s4",))
    with workers_at(None, 2) as workers:
        found = {task.id: marked.submission for task, marked in mark_all(tasks, marker, workers)}
    assert {name: each.reason and each.reason.facts for name, each in found.items()} == {
        **dict.fromkeys(["s0", "s2", "s3", "s5"], None),
        **{"s1": {"count": 2}, "s4": {"count": 0}},
    }


def test_what_loky_says_of_a_worker_that_stopped_is_not_printed():
    """The log has our own sentence, with the submission; other warnings are as they were."""
    with workers_at(None, 1):
        warnings.warn(
            "A worker stopped while some jobs were given to the executor. This can be…",
            stacklevel=1,
        )
        with pytest.raises(UserWarning, match="another"):
            warnings.warn("another", stacklevel=1)


def test_a_submission_alone_has_the_limits_of_a_worker(tmp_path):
    """In this process, which goes on with the limits that it had."""
    (tmp_path / "rubric.toml").write_text(RUBRIC)
    rubric = load_rubric(tmp_path / "rubric.toml", checks=load_checks())
    marker = GreedyMarker(rubric, seconds=1, loops=("s1",), hoarding=("s2",))
    before = [resource.getrlimit(name) for name in (resource.RLIMIT_CPU, resource.RLIMIT_DATA)]
    with closing_sandboxes():
        statuses = [
            mark_here(marker, Task(f"s{number}", "s.py", RIGHT)).submission.status
            for number in range(3)
        ]
    assert statuses == ["graded", "grader_error", "grader_error"]
    assert [
        resource.getrlimit(name) for name in (resource.RLIMIT_CPU, resource.RLIMIT_DATA)
    ] == before


def test_what_the_grader_does_wrong_with_one_submission_costs_no_other_its_mark():
    """A defect that nobody knows yet, in reading the source: there is no mark, and the reason is
    told.
    """
    rubric = load_rubric()
    broken = Marker(replace(rubric, rows=dict.fromkeys(rubric.rows)))
    with closing_sandboxes():
        marked = broken(Task("s", "s.py", RIGHT)).submission
    assert (marked.status, marked.points, marked.max_points) == ("grader_error", None, 2.5)
    assert marked.reason.facts["error"].startswith("AttributeError: ")


@pytest.mark.skipif(
    os.geteuid() != 0, reason="boxes have users of their own only where root grades"
)
def test_no_two_sandboxes_of_the_machine_have_the_same_user():
    """Each ends by killing all that its user runs: one that began with the same number takes the
    next one.
    """
    program = (
        "import sys\nfrom practica.grading.sandbox import uids, warm\nuids._turn = iter([7, 7])\n"
        "first, second = warm.WarmBox('full', shared=True), warm.WarmBox('full', shared=True)\n"
        "print(first.user, second.user, flush=True)\nsys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program]
    with contextlib.ExitStack() as stack:
        users = []
        for _ in range(3):
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
            users += (
                stack.enter_context(subprocess.Popen(command, **pipes)).stdout.readline().split()
            )
    assert len(set(users)) == 6, users


@pytest.mark.parametrize("when", ["before its file is loaded", "after it"])
def test_a_submission_whose_box_is_killed_is_marked_once_more(when, tmp_path, monkeypatch):
    """It keeps its points, and is not accused of an answer that it did not give."""
    loads, started = ProcessSolution._load, []

    def killed(solution):
        started.append(solution)
        steps = [loads, lambda _: len(started) > 1 or os.kill(solution._box.pid, signal.SIGKILL)]
        for step in steps if when == "after it" else reversed(steps):
            step(solution)

    monkeypatch.setattr(ProcessSolution, "_load", killed)
    (tmp_path / "rubric.toml").write_text(RUBRIC)
    marker = Marker(load_rubric(tmp_path / "rubric.toml", checks=load_checks()), seed=1)
    with closing_sandboxes():
        submission = marker(Task("ana", "ana.py", RIGHT)).submission
    assert (submission.status, submission.functions[0].verdict) == ("graded", "pass")
    assert not [each for each in submission.functions[0].rules if each.cost == "flag"]


WAITING = """
import time
from practica.grading.classroom.grader_limits import apart
apart(time.sleep, 200)
"""


def test_what_reads_a_submission_ends_with_the_grader():
    """Killed, a grader leaves no process."""
    with subprocess.Popen([sys.executable, "-c", WAITING]) as grader:
        children = Path(f"/proc/{grader.pid}/task/{grader.pid}/children")
        wait_until(children.read_text)
        (child,) = children.read_text().split()
        grader.kill()
    wait_until(lambda: not os.path.exists(f"/proc/{child}"))


class _Left:
    """Garbage in a cycle, whose end says where it came."""

    def __init__(self, path):
        self.path, self.itself = path, self

    def __del__(self):
        with open(self.path, "a") as file:
            file.write(f"{os.getpid()}\n")


def test_a_child_does_not_end_what_its_parent_has_left(tmp_path):
    """Such as a temporary folder, or a file: its finalizer would run in each child."""
    _Left(tmp_path / "ends")
    apart(gc.collect)
    gc.collect()
    assert (tmp_path / "ends").read_text().split() == [str(os.getpid())]
