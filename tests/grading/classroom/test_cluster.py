"""A class on a Dask cluster: the same bytes, the same refusals, and machines that only share a
network.
"""

import contextlib
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from class_runs import (
    PATIENCE,
    RUBRIC,
    SUBMISSION,
    DeadlyMarker,
    GreedyMarker,
    journaled,
    small_class,
    wait_until,
    written,
)

from practica.grading.classroom import workers as batch
from practica.grading.classroom.marker import Task
from practica.grading.classroom.workers import mark_all, workers_at
from practica.grading.engine.framework import load_checks
from practica.grading.engine.rubric import load_rubric
from practica.grading.sandbox.probe import probe

distributed = pytest.importorskip("distributed", reason="needs the extra practica[dask]")
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(
        probe().level == "none", reason=f"no sandbox works here: {probe().failures}"
    ),
    # Dask's own, about its start, its end and the workers that are killed here
    pytest.mark.filterwarnings("default"),
]


LIMIT = 900  # seconds for a test that takes 20 on an idle machine
WORKER = ("distributed.cli.dask_worker", "--nthreads", "1", "--no-dashboard", "--no-nanny")


@contextlib.contextmanager
def running(command, environment):
    """Run a process for as long as the block lasts."""
    with subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


@pytest.fixture(autouse=True)
def limit():
    """Make a failure of a test that hangs."""

    def late(*_):
        pytest.fail(f"not over after {LIMIT} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(LIMIT)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def wait_for(address: str, count: int) -> str:
    """Wait for workers, and return the address of their scheduler."""
    with distributed.Client(address, timeout=PATIENCE) as client:
        client.wait_for_workers(count, timeout=PATIENCE)
    return address


@pytest.fixture(scope="module")
def made():
    """Yield a small class."""
    with small_class(12) as made:
        yield made


@pytest.fixture(scope="module")
def local(made):
    """Return what the processes of this machine write."""
    assert made.run(made.folder / "local")[0] == 1
    return written(made.folder / "local")


@pytest.fixture
def cluster(made):
    """Run a cluster of two processes for one test: some are killed, and a nanny of distributed may
    die with the process that it is to start again. Their temporary files go with the class.
    """
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        silence_logs=50,
        env={"TMPDIR": made.environment["TMPDIR"]},
    ) as local:
        yield local


def test_a_cluster_writes_the_same_bytes(made, local, cluster):
    """Whatever worker had which submission."""
    out = made.folder / "cluster"
    code, said = made.mark(out, "--scheduler", cluster.scheduler_address, "--workers", "2")
    assert code == 1, said
    assert written(out) == local
    assert len(set(re.findall(r" on (\S+)", (out / "registro.log").read_text()))) == 2


def test_a_worker_that_its_nanny_restarts_has_limits(tmp_path, cluster):
    """As those of this machine have: what the grader spends too much on costs no other its mark."""
    tasks = [
        Task(f"s{number}", "s.py", SUBMISSION.format(pause=0, comparison=">=").encode())
        for number in range(4)
    ]
    (tmp_path / "rubric.toml").write_text(RUBRIC)
    rubric = load_rubric(tmp_path / "rubric.toml", checks=load_checks())
    marker = GreedyMarker(rubric, seconds=3, burning=("s1",), hoarding=("s2",))
    cluster.scheduler.allowed_failures = 0
    with workers_at(cluster.scheduler_address, None) as workers:
        found = {
            task.id: marked.submission.status for task, marked in mark_all(tasks, marker, workers)
        }
    assert found == {"s0": "graded", "s1": "grader_error", "s2": "grader_error", "s3": "graded"}


def test_a_killed_worker_costs_nothing(made, local, cluster):
    """Its submission is marked by another one."""
    out = made.folder / "worker-killed"
    with made.start(out, "--scheduler", cluster.scheduler_address) as process:
        wait_until(lambda: journaled(out) >= 3)
        log = (out / "registro.log").read_text()
        os.kill(int(re.findall(r" on [^:]+:(\d+)$", log, flags=re.MULTILINE)[-1]), signal.SIGKILL)
        said, _ = process.communicate()
    assert process.returncode == 1, said
    assert written(out) == local


@pytest.mark.parametrize(("patience", "deaths"), [(0, 2), (2, 3)])
def test_a_submission_that_kills_workers_is_reported_and_the_others_get_their_marks(
    cluster, tmp_path, monkeypatch, patience, deaths
):
    """After the second worker, or as many as the cluster sends it to by itself: it is not sent
    again.
    """
    monkeypatch.setattr(batch, "ALONE", 60)
    cluster.scheduler.allowed_failures = patience
    (tmp_path / "rubric.toml").write_text(RUBRIC)
    rubric = load_rubric(tmp_path / "rubric.toml", checks=load_checks())
    marker = DeadlyMarker(rubric, always=("s2",), folder=str(tmp_path), pause=5.0)
    tasks = [Task(f"s{number}", "s.py", b"") for number in range(5)]
    with workers_at(cluster.scheduler_address, 2) as workers:
        try:
            found = {
                task.id: marked.submission for task, marked in mark_all(tasks, marker, workers)
            }
        # on a busy machine a nanny of distributed may die with its worker
        except ConnectionError as alone:
            pytest.skip(f"this cluster did not start its workers again: {alone}")
    assert {name: submission.status for name, submission in found.items()} == {
        name: "grader_error" if name == "s2" else "graded"
        for name in ("s0", "s1", "s2", "s3", "s4")
    }
    assert found["s2"].reason.facts == {"count": deaths}
    assert len((tmp_path / "s2").read_text().split()) == deaths


def test_a_cluster_whose_workers_do_not_come_back_is_told_and_what_is_done_is_kept(
    made, tmp_path, monkeypatch
):
    """The submission that killed the last one is not to blame for those that nobody marks."""
    monkeypatch.setattr(batch, "ALONE", 1)
    (tmp_path / "rubric.toml").write_text(RUBRIC)
    rubric = load_rubric(tmp_path / "rubric.toml", checks=load_checks())
    marker = DeadlyMarker(rubric, always=("s1",), folder=str(tmp_path))
    tasks = [Task(f"s{number}", "s.py", b"") for number in range(3)]
    found = []
    with distributed.LocalCluster(
        n_workers=0, processes=True, dashboard_address=None, silence_logs=50
    ) as empty:
        address = empty.scheduler_address
        # the marker
        finding = {**made.environment, "PYTHONPATH": str(Path(__file__).parents[2])}
        with running([sys.executable, "-m", *WORKER, address], finding):
            wait_for(address, 1)
            with (
                workers_at(address, 1) as workers,
                pytest.raises(
                    ConnectionError, match=f"{re.escape(address)} has had no workers for 1 s"
                ),
            ):
                found.extend(task.id for task, _ in mark_all(tasks, marker, workers))
    assert found == ["s0"]


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "tcp://"])
def test_an_address_without_scheduler_is_told(made, address, monkeypatch):
    """One sentence, and nothing is marked."""
    monkeypatch.setattr(batch, "CONNECT", 0.5)
    code, said = made.mark(made.folder / "nobody", "--lang", "en", "--scheduler", address)
    assert code == 2
    assert re.fullmatch(rf"Error: there is no Dask scheduler at {address}: .+\n", said)


def test_a_cluster_without_workers_is_told(made, monkeypatch):
    """It would wait for ever."""
    monkeypatch.setattr(batch, "CONNECT", 1)
    with distributed.LocalCluster(
        n_workers=0, processes=True, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as empty:
        done = made.mark(made.folder / "nobody", "--scheduler", empty.scheduler_address)
        sentence = f"Error: the Dask scheduler at {empty.scheduler_address} has no workers\n"
    assert done == (2, sentence)


def test_a_scheduler_that_is_gone_ends_the_run_with_a_sentence_and_what_is_done_is_kept(
    made, local
):
    """Another run marks what is missing."""
    out, address = made.folder / "gone", made.folder / "address.json"
    serving = [
        "distributed.cli.dask_scheduler",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(address),
    ]
    with running([sys.executable, "-m", *serving], made.environment) as scheduler:
        wait_until(address.exists)
        wait_until(lambda: address.read_text().endswith("}"))
        found = json.loads(address.read_text())["address"]
        with (
            running([sys.executable, "-m", *WORKER, found], made.environment),
            made.start(out, "--scheduler", wait_for(found, 1), "--lang", "en") as process,
        ):
            wait_until(lambda: journaled(out) >= 2)
            scheduler.kill()
            said, _ = process.communicate()
    assert process.returncode == 2
    assert f"the Dask scheduler at {found} is gone" in said
    assert made.mark(out, "--resume")[0] == 1
    assert written(out) == local


# --- machines without what a sandbox needs --------------------------------------------------------

# As containers do it: a filter of system calls that says "not permitted" to what sandboxes are
# made of.
FORBIDDING = """
import ctypes, runpy, struct, sys
calls, sys.argv = [int(call) for call in sys.argv[1].split(",")], sys.argv[2:]
code = [(0x20, 0, 0, 0)]  # load the number of the call
# one of these: to the end
code += [(0x15, len(calls) - position, 0, call) for position, call in enumerate(calls)]
code += [(0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x00050001)]  # allowed; EPERM
filters = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code), ctypes.addressof(filters)))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program, 0, 0) == 0, ctypes.get_errno()
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
CALLS = {"x86_64": "165,272,444", "aarch64": "40,97,444"}  # mount, unshare, landlock_create_ruleset
needs_filter = pytest.mark.skipif(
    platform.machine() not in CALLS, reason="the numbers of system calls are unknown here"
)


def without_sandbox(*arguments: str) -> list[str]:
    """Return the command that runs a module where no sandbox works."""
    return [sys.executable, "-c", FORBIDDING, CALLS[platform.machine()], *arguments]


@needs_filter
def test_a_machine_without_sandbox_refuses_and_says_how_to_do_without():
    """--no-sandbox is written in the result."""
    with small_class(2, 0) as made:
        refuses_and_says_how_to_do_without(made)


def refuses_and_says_how_to_do_without(made):
    """Mark a class where no sandbox works, as it is and without one."""
    command = without_sandbox(
        "practica", *made.command(made.folder / "refused", "--lang", "en")[3:]
    )
    done = subprocess.run(
        command, capture_output=True, text=True, env=made.environment, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert re.search(
        r"Error: Other people's code does not run without a sandbox.*apt-get install bubblewrap",
        done.stderr,
        re.S,
    )
    assert "Traceback" not in done.stderr
    assert journaled(made.folder / "refused") == 0
    done = subprocess.run(
        [*command, "--no-sandbox"],
        capture_output=True,
        text=True,
        env=made.environment,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert b'"sandbox": "none"' in written(made.folder / "refused")["results.json"]


@needs_filter
def test_a_worker_without_sandbox_refuses_and_is_named(made):
    """What the others have done is kept."""
    with contextlib.ExitStack() as stack:
        empty = stack.enter_context(
            distributed.LocalCluster(
                n_workers=0, processes=True, dashboard_address="127.0.0.1:0", silence_logs=50
            )
        )
        worker = stack.enter_context(
            running(without_sandbox(*WORKER, empty.scheduler_address), made.environment)
        )
        wait_for(empty.scheduler_address, 1)
        out = made.folder / "worker-refused"
        code, said = made.mark(out, "--lang", "en", "--scheduler", empty.scheduler_address)
    assert code == 2
    assert re.search(
        rf"Error: Other people's code does not run without a sandbox.*\(\S+:{worker.pid}: no"
        r" sandbox works",
        said,
    )
    assert "Traceback" not in said
    assert journaled(out) == 0


# --- machines of a network ------------------------------------------------------------------------


@contextlib.contextmanager
def network(count: int):
    """Make network namespaces joined by a bridge in the first one.

    Yield their names: number n is 10.231.0.n+1.
    """
    names = [f"practica-{os.getpid()}-{number}" for number in range(count)]

    def ip(*arguments: str) -> None:
        subprocess.run(["ip", *arguments], check=True, capture_output=True)

    try:
        try:
            for name in names:
                ip("netns", "add", name)
                ip("-n", name, "link", "set", "lo", "up")
            ip("-n", names[0], "link", "add", "bridge", "type", "bridge")
            ip("-n", names[0], "addr", "add", "10.231.0.1/24", "dev", "bridge")
            ip("-n", names[0], "link", "set", "bridge", "up")
            for number, name in enumerate(names[1:], 1):
                ip(
                    "-n",
                    names[0],
                    "link",
                    "add",
                    f"port{number}",
                    "type",
                    "veth",
                    "peer",
                    "name",
                    "eth0",
                    "netns",
                    name,
                )
                ip("-n", names[0], "link", "set", f"port{number}", "master", "bridge", "up")
                ip("-n", name, "addr", "add", f"10.231.0.{number + 1}/24", "dev", "eth0")
                ip("-n", name, "link", "set", "eth0", "up")
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network namespaces here: {error.stderr.decode().strip()}")
        yield names
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)


@pytest.mark.skipif(
    os.geteuid() != 0 or not shutil.which("ip"),
    reason="only root, with iproute2, can make networks",
)
def test_two_machines_that_share_only_a_network_write_the_same_bytes(made, local):
    """Network namespaces: the scheduler and who asks in one, a worker in each of the two others."""
    out, address = made.folder / "network", "tcp://10.231.0.1:8786"
    with network(3) as names, contextlib.ExitStack() as stack:
        inside = [["ip", "netns", "exec", name] for name in names]
        serving = [
            "distributed.cli.dask_scheduler",
            "--host",
            "10.231.0.1",
            "--port",
            "8786",
            "--no-dashboard",
        ]
        stack.enter_context(running([*inside[0], sys.executable, "-m", *serving], made.environment))
        for place in inside[1:]:
            stack.enter_context(
                running([*place, sys.executable, "-m", *WORKER, address], made.environment)
            )
        wait = (
            f"import distributed; distributed.Client({address!r}, timeout=100).wait_for_workers(2,"
            " timeout=100)"
        )
        subprocess.run([*inside[0], sys.executable, "-c", wait], check=True, capture_output=True)
        command = [*inside[0], *made.command(out, "--scheduler", address)]
        done = subprocess.run(
            command, capture_output=True, text=True, env=made.environment, check=False
        )
    assert done.returncode == 1, done.stderr
    assert len(set(re.findall(r" on (\S+)", (out / "registro.log").read_text()))) == 2
    assert written(out) == local
