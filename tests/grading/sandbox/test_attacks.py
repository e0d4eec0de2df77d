"""What a hostile file can do to the trusted process, to its verdicts and to the next submission:
nothing.
"""

import os
import socket
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from lanes import one_in
from submissions import HERE, attacks

import practica
from practica.grading.engine.solution import SolutionLost
from practica.grading.inside.plain_data import Handle, Opaque
from practica.grading.inside.processes import sockets_of
from practica.grading.sandbox.box import Limits
from practica.grading.sandbox.client import ProcessSolution
from practica.grading.sandbox.mounts import _site_packages
from practica.grading.sandbox.probe import Sandbox

# only a broken sandbox uses it up
PATIENT = Limits(call_seconds=300, import_seconds=300, total_seconds=900)
SHORT = Limits(call_seconds=1.5, import_seconds=1.5, memory=768 << 20)  # for what never ends
QUESTIONS = [
    ([True, False, True, True], 0.75),
    ([False, False, True, False], 0.25),
    ([True, True, True, True], 1.0),
]

WARM = 3  # bubblewrap outside, bubblewrap inside, and the warm process

ATTACKS = attacks("sandbox")
HALF = "def accuracy(outputs, targets): return 0.5\n"
RIGHT = (
    "def accuracy(outputs, targets):\r\n\treturn sum(map(bool.__eq__, outputs, targets)) /"
    " len(año)\r\n"
)
FILES = {
    "nothing": (b"", "missing"),
    "no syntax": (HALF.replace(")", "").encode(), "import_failed"),
    "a NUL": (HALF.encode() + b"\0\n", "import_failed"),
    "UTF-16": (HALF.encode("utf-16"), "import_failed"),
    "an invented encoding": (b"# coding: klingon\n" + HALF.encode(), "import_failed"),
    "binary": (bytes(range(256)) * 8, "import_failed"),
    "Latin-1 undeclared": (f"año = 1\n{HALF}".encode("latin-1"), "wrong"),
    "Latin-1 declared": (f"# coding: latin-1\naño = 'ñand'\n{RIGHT}".encode("latin-1"), "right"),
    "a BOM, CRLF and tabs": (f"\ufeffaño = 'ñand'\r\n\r\n{RIGHT}".encode(), "right"),
}
# Of each file its source, and what may become of it: why it is lost, "wrong", "right", or "error"
# of the file's code.
OUTCOMES = {
    name: (attack["source"], " ".join(attack["becomes"])) for name, attack in ATTACKS.items()
} | FILES


@pytest.fixture(scope="module")
def sandbox(sandbox):
    """Yield a sandbox of this file's own: other files leave branches in which functions are
    disabled.
    """
    with Sandbox(sandbox.level) as own:
        yield own


def attack_of(name, sandbox, limits=None):
    """Open an attack; one that never ends gets little time."""
    limits = limits or (PATIENT if ATTACKS.get(name, {}).get("ends", True) else SHORT)
    return ProcessSolution(OUTCOMES[name][0], sandbox, limits)


def outcome(solution):
    """Ask as a check would and say what came of it."""
    outcomes = set()
    for outputs, expected in QUESTIONS:
        try:
            if not solution.has("accuracy"):
                return "missing"
            answer = solution.answer("accuracy", outputs, [True] * 4)
        except SolutionLost as lost:
            return lost.reason
        if answer.error is not None:
            return "error"
        outcomes.add(type(answer.value) is float and answer.value == expected)
    return "right" if outcomes == {True} else "wrong"


def processes_below(pid):
    """List a process and its descendants."""
    found, waiting = [], [pid]
    while waiting:
        number = waiting.pop()
        found.append(number)
        try:
            for task in os.listdir(f"/proc/{number}/task"):
                waiting += map(
                    int, Path(f"/proc/{number}/task/{task}/children").read_text().split()
                )
        except OSError:
            continue
    return found


def processes(sandbox):
    """List the processes in a sandbox."""
    return processes_below(sandbox._process.pid)


def turns_of(box):
    """Return how often each thread of a box had its turn.

    Nothing, unless all of them are stopped.
    """
    if (
        box._group is not None
        and "frozen 1" not in Path(box._group._path, "cgroup.events").read_text()
    ):
        return {}
    turns = {}
    for number in processes_below(box.pid):
        for task in Path(f"/proc/{number}/task").iterdir():
            status = dict(line.split(":", 1) for line in (task / "status").read_text().splitlines())
            if box._group is None and status["State"].split()[0] not in "TZ":
                return {}
            turns[task.name] = (
                status["voluntary_ctxt_switches"],
                status["nonvoluntary_ctxt_switches"],
            )
    return turns


def is_alone(sandbox):
    """Tell whether only the warm process is left.

    The supervisor ends a moment after its submission.
    """
    deadline = time.monotonic() + 120
    while len(alone := processes(sandbox)) > WARM and time.monotonic() < deadline:
        time.sleep(0.005)
    return len(alone) <= WARM


@pytest.mark.parametrize("name", one_in(4, OUTCOMES))
def test_no_attack_passes_and_none_outlives_its_box(name, sandbox):
    """Each file gets what it deserves, leaves no process behind, and the same warm process serves
    the next one.
    """
    with attack_of(name, sandbox) as solution:
        assert outcome(solution) in OUTCOMES[name][1].split()
        assert solution.forged or not ATTACKS.get(name, {}).get("forges", False)
    sandbox.start()
    assert not sandbox.shared or is_alone(sandbox)
    with attack_of("correcta", sandbox) as solution:
        assert outcome(solution) == "right"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["hijos_sueltos", "se_detiene", "bomba_de_procesos", "correcta", "red"]
)
def test_the_reduced_sandbox_holds_too(name, reduced_sandbox):
    """Without bubblewrap an attack still gains nothing."""
    with attack_of(name, reduced_sandbox) as solution:
        assert outcome(solution) in [*OUTCOMES[name][1].split(), "died"]
        pids = set(processes(reduced_sandbox))
    reduced_sandbox.close()
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def test_a_message_of_another_submission_is_not_found(full_sandbox):
    """Neither files, memory, modules, environment nor sockets lead from one submission to the
    next.
    """
    with attack_of("deja_recados", full_sandbox) as solution:
        solution.leave()
        assert "/tmp" in solution.find()
        with attack_of("deja_recados", full_sandbox) as other:
            assert other.find() == []
    with attack_of("deja_recados", full_sandbox) as other:
        assert other.find() == []


def test_nothing_of_the_machine_is_in_sight(full_sandbox):
    """No project, tests, home, reference, rubric, nor anybody's process."""
    project = Path(practica.__file__).parent.parent
    folders = [
        str(project),
        str(project / "tests"),
        str(Path.home()),
        "/home",
        "/root",
        "/var",
        "/run",
        "/srv",
    ]
    with attack_of("lee_el_proyecto", full_sandbox) as solution:
        assert solution.look(folders) == []
        names = [
            "metrics.py",
            "rubric.toml",
            "readings.py",
            "vectors.json",
            "sandbox.py",
            "test_attacks.py",
        ]
        found = solution.search(names)
        assert not [path for path in found if "practica" in path or "site" not in path]


def test_results_of_its_own_reach_no_file(sandbox, tmp_path):
    """What it writes stays in its /tmp and goes with it."""
    tmp_path.chmod(0o777)
    folders = [str(tmp_path), str(HERE), str(Path.home()), "/var/tmp", "/usr", "/etc"]
    with attack_of("escribe_resultados", sandbox) as solution:
        assert solution.write(folders) == []
    assert list(tmp_path.iterdir()) == []


def test_nobody_is_called_over_the_network(sandbox):
    """A server that listens on this machine hears nothing, over TCP, UDP or an abstract socket."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
        socket.socket(socket.AF_UNIX) as local,
    ):
        port = server.getsockname()[1]
        datagrams.bind(("127.0.0.1", port))
        local.bind(f"\0practica-{port}")
        local.listen()
        with attack_of("red", sandbox) as solution:
            assert solution.call_home(port, f"practica-{port}") == []
        for line in (server, datagrams, local):
            line.settimeout(0.01)
        with pytest.raises(TimeoutError):
            server.accept()
        with pytest.raises(TimeoutError):
            local.accept()
        with pytest.raises(TimeoutError):
            datagrams.recv(10)


def test_the_kernel_gives_nothing_back(full_sandbox):
    """No namespaces, mounts, users, limits or other processes' memory."""
    with attack_of("sale_de_la_caja", full_sandbox) as solution:
        assert solution.answer("attempts").value == []


def test_daemons_are_in_the_box_and_die_with_it(full_sandbox):
    """They are seen while it lives and gone afterwards."""
    with attack_of("hijos_sueltos", full_sandbox) as solution:
        deadline = time.monotonic() + 120
        while (seen := solution.children()) < 6 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert seen >= 6
        assert len(processes(full_sandbox)) >= WARM + 6
    assert is_alone(full_sandbox)


def test_the_disk_of_a_box_is_small(each_sandbox):
    """Large files end at the limit, and so do small ones."""
    with attack_of("llena_el_disco", each_sandbox) as solution:
        size, count = solution.fill(["."])
    assert size <= PATIENT.disk
    assert count <= 20_000


PROGRAM = b"""
import os, subprocess, sys
def run(way):
    if way == "subprocess":
        subprocess.run([sys.executable, "-c", ""])
    elif way == "execv":
        os.execv(sys.executable, [sys.executable, "-c", ""])
    else:
        os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {})
"""


@pytest.mark.parametrize("way", ["subprocess", "execv", "posix_spawn"])
def test_no_program_starts(each_sandbox, way):
    """Nobody would watch what it runs."""
    with ProcessSolution(PROGRAM, each_sandbox, PATIENT) as solution:
        assert solution.answer("run", way).error.type == "FileNotFoundError"


HIDDEN = ["memfd", "sysv", "shared", "zero", "sockets", "in flight", "messages", "locks", "epoll"]


def test_no_memory_escapes_the_count(each_sandbox):
    """Without a process that maps it there is none, but for what few sockets hold."""
    with attack_of("memoria_escondida", each_sandbox) as solution:
        assert {way: solution.hold(way, 2) for way in HIDDEN} == dict.fromkeys(HIDDEN, 0)


def test_sockets_count_as_memory(full_sandbox):
    """Each as much as fits into it, wherever it is."""
    with attack_of("memoria_escondida", full_sandbox) as solution:
        solution.hold("sockets", 1)
        assert sockets_of(solution._box.pid) > 100


@pytest.mark.parametrize("way", ["orphans", "mappings", "no first thread"])
def test_what_children_hold_counts_as_memory(each_sandbox, way):
    """Those whose parent has ended too; and what the kernel holds for them."""
    with (
        attack_of(
            "memoria_escondida", each_sandbox, replace(PATIENT, memory=192 << 20)
        ) as solution,
        pytest.raises(SolutionLost) as lost,
    ):
        solution.hold(way, 60)
    assert lost.value.reason == "memory"


def test_nothing_runs_between_two_calls(each_sandbox):
    """Neither children nor threads, whoever wakes them; all of them go on with the next call."""
    # a process that is being born may count as all that its parent has
    roomy = replace(PATIENT, memory=8 << 30)
    with attack_of("entre_llamadas", each_sandbox, roomy) as solution:
        for count in range(1, 6):
            solution.begin()
            assert len(processes_below(solution._box.pid)) > 2 * count
            # one that waits for its turn has yet to hear that it must stop
            deadline = time.monotonic() + 60
            while not (before := turns_of(solution._box)) and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(0.1)
            assert before
            later = turns_of(solution._box)
            assert before.items() <= later.items()
            # One that was being born when all were stopped has had the turn in which it stopped.
            assert all(sum(map(int, later[number])) <= 1 for number in later.keys() - before.keys())


def test_the_kernel_knows_only_what_computations_need(each_sandbox):
    """No other call, by no other number, no argument in disguise, and no family of sockets but
    one.
    """
    if os.uname().machine != "x86_64":
        pytest.skip("the attack has the numbers of x86-64")
    with attack_of("llamadas_prohibidas", each_sandbox) as solution:
        assert solution.reached() == []
        assert solution.reached_as_32_bits() == []
        assert solution.disguised() == []
        assert solution.families() == [socket.AF_UNIX]


def test_no_key_is_left_or_found(each_sandbox):
    """Not those of the grader's session, nor those of another submission."""
    with attack_of("llavero", each_sandbox) as solution:
        assert solution.leave("practica-recado") == []
        assert solution.find("practica-recado") == []


def test_no_setuid_programs_and_no_path_of_the_project(full_sandbox):
    """The lists of mounts, command lines, environments and installed packages tell nothing of where
    the grader is.
    """
    project = Path(practica.__file__).parent.parent
    with attack_of("mira_alrededor", full_sandbox) as solution:
        assert solution.setuid() == []
        assert [name for name in solution.programs() if not name.startswith("python")] == []
        told = solution.traces()
    if os.geteuid() == 0:  # others may not be allowed to show folders under other names
        assert str(project) not in told
        assert not [
            site for site in _site_packages() if not site.startswith("/usr/") and site in told
        ]


@pytest.mark.parametrize(
    "function", ["cyclic", "deep", "wide", "doubled", "broadcast", "empty", "narrow", "number"]
)
def test_a_value_without_measure_is_opaque(function, sandbox):
    """It does not travel; the submission lives on."""
    with attack_of("valores_enormes", sandbox) as solution:
        assert type(getattr(solution, function)()) is Opaque
        assert outcome(solution) == "wrong"


def test_a_generator_stays_where_it_is(sandbox):
    """Nobody draws from a generator without end."""
    with attack_of("valores_enormes", sandbox) as solution:
        assert type(solution.endless()) in (Opaque, Handle)


def test_a_bomb_of_pickles_is_opaque(sandbox):
    """Nothing is ever unpickled, so what would run then does not."""
    with attack_of("pickles", sandbox) as solution:
        bombs = solution.objects()
    assert type(bombs) is np.ndarray
    assert bombs.tolist() == [Opaque("_Bomb")] * 2


@pytest.mark.parametrize("function", ["silent", "long", "group"])
def test_hostile_exceptions_are_short_texts(function, sandbox):
    """A message that fails is empty, and a long one is cut."""
    with attack_of("excepciones_hostiles", sandbox) as solution:
        error = solution.answer(function).error
    assert error is not None
    assert len(error.message) <= 2000
    assert error.line is not None
