"""A box works for honest code, loses what must be lost with the right reason, and says what it
cannot do.
"""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from practica.grading.assignment.network import activations, as_network
from practica.grading.engine import side_by_side
from practica.grading.engine.framework import load_checks
from practica.grading.engine.grade import grade_submission
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.runner import run_check
from practica.grading.engine.solution import LocalSolution, SolutionLost, StudentError
from practica.grading.inside.plain_data import Function, Handle
from practica.grading.report.words import flags_of
from practica.grading.sandbox import probe as sandbox
from practica.grading.sandbox import warm
from practica.grading.sandbox.box import Limits, SandboxError
from practica.grading.sandbox.client import MOST_TIMEOUTS, ProcessSolution
from practica.grading.sandbox.local import LocalProcesses
from practica.grading.sandbox.probe import Sandbox, probe, probe_level

PATIENT = Limits(call_seconds=30, import_seconds=60)
ROOT = Path(__file__).parents[3]

HONEST = b"""
import os
import random
import threading
import time

import numpy as np

counter = 0


def count():
    global counter
    counter += 1
    return counter


def double_(values):
    values *= 2
    return values


def draw():
    return [random.random(), np.random.rand(), np.random.default_rng().random()]


def burn(seconds):
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        pass

def wait(seconds):
    time.sleep(seconds)


def leave(code):
    os._exit(code)


def fail(x):
    return 1 / x


def facts():
    file, threads = os.path.basename(__file__), threading.active_count()
    return {"file": file, "name": __name__, "threads": threads, "uid": os.getuid()}
"""

TORCH = b"""
import torch


def build(function):
    first, second = torch.nn.Linear(2, 3), torch.nn.Linear(3, 1)
    return torch.nn.Sequential(first, torch.nn.Tanh(), second, torch.nn.Sigmoid())


def train(network):
    optimiser = torch.optim.Adam(network.parameters())
    for _ in range(3):
        optimiser.zero_grad()
        loss = network(torch.ones(4, 2)).mean()
        loss.backward()
        optimiser.step()
    return network, torch.get_num_threads()
"""


@pytest.fixture
def honest(sandbox):
    """Yield honest code in a box."""
    with ProcessSolution(HONEST, sandbox, PATIENT) as solution:
        yield solution


def test_it_answers_as_a_local_solution_does(honest):
    """The same surface, the same answers, the same draws."""
    names = {}
    exec(HONEST, names)
    local = LocalSolution(names)
    for solution in (honest, local):
        solution.seed = 3
    assert honest.has("draw")
    assert not honest.has("counter")
    assert honest.draw()[:2] == local.draw()[:2]
    values = np.arange(3.0)
    answers = [solution.answer("double_", values, want_args=True) for solution in (honest, local)]
    for answer in answers:
        assert answer.same_object == 0
        assert answer.kind == "ndarray"
        np.testing.assert_array_equal(answer.args[0], [0, 2, 4])
    np.testing.assert_array_equal(values, [0, 1, 2])


def test_generators_without_a_seed_repeat_with_the_example(honest):
    """`default_rng()` inside a function too, so that an example that fails fails again."""
    draws = []
    for seed in (1, 1, 2):
        honest.seed = seed
        draws.append(honest.draw())
    assert draws[0] == draws[1]
    assert draws[0][2] != draws[2][2]


def test_the_module_lives_as_long_as_its_process(honest):
    """What the student keeps between calls is kept, until the process is lost."""
    assert [honest.count(), honest.count()] == [1, 2]
    with pytest.raises(SolutionLost) as lost:
        honest.leave(3)
    assert (lost.value.reason, lost.value.facts) == ("died", {"exit": 3})
    assert honest.count() == 1
    assert honest.starts == 2


def test_a_students_error_is_not_a_loss(honest):
    """It has a type, a message and a line of the file."""
    with pytest.raises(StudentError) as error:
        honest.fail(0)
    assert (error.value.type, error.value.line) == (
        "ZeroDivisionError",
        HONEST[: HONEST.index(b"1 / x")].count(b"\n") + 1,
    )
    assert honest.answer("fail", "x").error.type == "TypeError"


def test_a_file_keeps_its_name_but_is_no_program(sandbox, tmp_path):
    """Its name is what its author knows, unless it is a strange one."""
    for name, shown in (("mi práctica-2.py", "mi práctica-2.py"), ("..py;rm", "entrega.py")):
        file = tmp_path / name
        file.write_bytes(HONEST)
        with ProcessSolution(file, sandbox, PATIENT) as solution:
            facts = solution.facts()
        assert facts["file"] == shown
        assert facts["name"] != "__main__"
        assert facts["threads"] == 1
        assert facts["uid"] != 0


def test_a_failed_import_is_final(sandbox):
    """It is told again without another try."""
    source = b"import os\n\nundefined_name\n"
    with ProcessSolution(source, sandbox, PATIENT) as solution:
        for _ in range(3):
            with pytest.raises(SolutionLost) as lost:
                solution.names()
            assert lost.value.reason == "import_failed"
            assert lost.value.facts == {
                "type": "NameError",
                "message": "name 'undefined_name' is not defined",
                "line": 3,
                "at": 3,
                "statement": "undefined_name",
            }
        assert solution.starts == 1


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("1 / 0", "import_failed"),
        ("import sys; sys.exit()", "import_failed"),
        ("import os; os._exit(0)", "died"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_was_defined_before_an_import_fails_is_still_asked(
    sandbox, statement, reason, newline
):
    """It is the file before that statement, in a process that never sees the rest."""
    source = newline.join(
        [
            "# ñ",
            "def f():",
            "    return open(__file__).read()",
            statement,
            "def f():",
            "    return 2",
        ]
    )
    with ProcessSolution(source.encode(), sandbox, PATIENT) as solution:
        assert solution.names() == ["f"]
        assert (solution.stop.line, solution.stop.statement, solution.stop.lost.reason) == (
            4,
            statement,
            reason,
        )
        assert solution.stop.before.decode() == source[: source.index(statement)]
        assert solution.f() == solution.stop.before.decode().replace("\r\n", "\n")


def test_an_import_that_never_ends_is_left_out(sandbox):
    """Wherever it is, and of whatever length."""
    limits = Limits(call_seconds=60, import_seconds=60, statement_seconds=1, total_seconds=900)
    with ProcessSolution(
        b"def f():\n    return 1\n\nwhile f():\n    pass\n", sandbox, limits
    ) as solution:
        assert solution.f() == 1
        assert (solution.stop.line, solution.stop.statement, solution.stop.lost.reason) == (
            4,
            "while f():",
            "timeout",
        )


def test_a_file_is_not_left_out_line_by_line(sandbox):
    """One that sees where it ends could fail there each time, and each time costs a process."""
    head = b"import sys\ndef f():\n    return 1\nend = len(open(sys.argv[0]).readlines())\n"
    rest = b"".join(b"if end == %d: 1 / 0\n" % line for line in range(5, 400))
    with ProcessSolution(head + rest, sandbox, PATIENT) as solution:
        with pytest.raises(SolutionLost, match="import_failed"):
            solution.names()
        assert solution.starts < 10


def test_a_file_that_only_fails_later_is_lost(sandbox, tmp_path):
    """Others have read it as it was, so it does not become another one."""
    tmp_path.chmod(0o777)
    source = (
        b"def f():\n    raise SystemError\ndef g():\n    import os; os._exit(1)\nN = 1 / (number -"
        b" 1)\n"
    )
    with ProcessSolution(b"number = 0\n" + source, sandbox, PATIENT) as solution:
        assert solution.names() == ["f", "g"]
        solution._source = b"number = 1\n" + source  # like one that draws it
        with pytest.raises(SolutionLost, match="died"):
            solution.g()
        with pytest.raises(SolutionLost, match="ZeroDivisionError"):
            solution.f()
        assert solution.stop is None


@pytest.mark.parametrize(("function", "argument"), [("wait", 60), ("leave", 3)])
def test_several_calls_at_once_are_those_that_come_back(sandbox, function, argument):
    """A call that is slow is the last one of its exchange.

    Where one never comes back, each is asked by itself.
    """
    limits = Limits(call_seconds=4, import_seconds=60)
    with ProcessSolution(HONEST, sandbox, limits) as solution:
        quick = [("call", ("double_", [np.array([n])], {}), {"seed": n}) for n in range(5)]
        answers = [answer.value.item() for answer in solution.quick_answers(quick)]
        assert answers
        assert answers == [0, 2, 4, 6, 8][: len(answers)]
        slow = [("call", ("burn", [0.25], {}), {"seed": n}) for n in range(5)]
        assert len(solution.quick_answers(slow)) == 1
        assert (
            solution.quick_answers([("call", (function, [argument], {}), {"seed": 0}), *quick])
            == []
        )
        assert solution.quick_answers(quick) == []
        assert solution.double_(3) == 6


@pytest.mark.thorough
def test_checks_find_the_same_side_by_side_and_one_after_the_other(sandbox, monkeypatch):
    """Also where a call ends the process, and where something is kept from one call to the next."""
    source = b"""
import os


def accuracy(outputs, targets, threshold=0.5):
    if len(outputs) == %d:
        os._exit(1)
    return float((outputs == targets).mean()) if outputs.dtype == bool else 0.0


class Net:
    def __call__(self, inputs):
        return inputs + self.n

net = Net()

def build_class_ann(n, topology, outputs):
    net.n = n
    return net
"""
    checks = [
        check for check in load_checks().values() if check.row.startswith(("accuracy", "build"))
    ]
    for size in (0, 3):
        found = []
        for most in (side_by_side.MOST_RUNS, 1):
            monkeypatch.setattr(side_by_side, "MOST_RUNS", most)
            with ProcessSolution(source % size, sandbox, PATIENT) as solution:
                found.append({each.id: run_check(each, solution, secret=5) for each in checks})
        assert found[0] == found[1]
        assert (found[0]["accuracy.bool.vector"].message == "lost.died") is (size == 3)


IN_COMPANY = b"""
import traceback
import numpy as np

def classify_outputs(outputs, *, threshold=0.5):
    outputs = np.asarray(outputs)
    if outputs.ndim == 1 or outputs.shape[1] == 1:
        right = "in several" not in str(traceback.extract_stack())
        return (outputs >= threshold) == right
    return np.arange(outputs.shape[1]) == outputs.argmax(axis=1)[:, None]
"""


@pytest.mark.parametrize("differs", [True, False])
def test_an_answer_that_differs_among_others_is_one_line_for_a_person(differs, sandbox, tmp_path):
    """Only what is answered alone counts."""
    source = IN_COMPANY if differs else IN_COMPANY.replace(b"in several", b"in nobody")
    (tmp_path / "rubric.toml").write_text('only = ["classify_outputs"]\n')
    rubric = load_rubric(tmp_path / "rubric.toml")
    with ProcessSolution(source, sandbox, PATIENT) as solution:
        marked = grade_submission(source, solution, rubric, identifier="ana", file="ana.py")
    assert marked.points == 0.25
    assert [flag.id for flag in flags_of(marked, "en")] == ["answers.differ"] * differs


def test_a_slow_call_is_lost_and_the_next_one_is_not(sandbox):
    """The clock is outside."""
    with ProcessSolution(HONEST, sandbox, Limits(call_seconds=1, import_seconds=60)) as solution:
        with pytest.raises(SolutionLost) as lost:
            solution.wait(1000)
        assert (lost.value.reason, lost.value.facts) == ("timeout", {"variant": "line", "line": 33})
        solution.wait(0)


@pytest.mark.thorough
def test_a_call_has_the_same_time_however_slow_earlier_ones_were(sandbox):
    """Alone, among others, and after one that ran out of it."""
    with ProcessSolution(HONEST, sandbox, Limits(call_seconds=1.5, import_seconds=60)) as solution:
        slow = [("call", ("burn", [0.7], {}), {"seed": n}) for n in range(3)]
        assert solution.quick_answers(slow) == []  # a call that is slow runs alone
        for wanted in (solution.burn, solution.wait):
            with pytest.raises(SolutionLost, match="timeout"):
                wanted(1000)
            for _ in range(5):
                assert wanted(0.7) is None


@pytest.mark.thorough
def test_a_submission_has_a_total_budget(sandbox):
    """Calls that hang get less of it once there are several.

    After it there is nothing, neither answers nor restarts, and no call is accused.
    """
    reasons, used = [], []
    with ProcessSolution(
        HONEST, sandbox, Limits(call_seconds=1, import_seconds=60, total_seconds=4)
    ) as solution:
        while reasons[-1:] in ([], ["timeout"]):
            before = solution.budget.seconds
            with pytest.raises(SolutionLost) as lost:
                solution.wait(1000)
            reasons.append(lost.value.reason)
            used.append(solution.budget.seconds - before)
        assert reasons[-1] == "budget"
        starts = solution.starts
        with pytest.raises(SolutionLost, match="budget"):
            solution.count()
        assert reasons.count("timeout") <= starts == solution.starts
        assert min(used[:MOST_TIMEOUTS]) >= 1 > max(used[MOST_TIMEOUTS:])
        assert solution.budget.seconds >= 4


@pytest.mark.thorough
def test_a_restart_for_which_no_budget_is_left_is_no_fault_of_the_import(sandbox):
    """Calls that hang have used it up; the file was imported before in as many seconds."""
    source = b"import time\ntime.sleep(0.6)\ndef wait(): time.sleep(1000)\n"
    with ProcessSolution(
        source, sandbox, Limits(call_seconds=1, import_seconds=60, total_seconds=2.5)
    ) as solution:
        reasons = []
        while reasons[-1:] in ([], ["timeout"]) and solution.import_loss is None:
            with pytest.raises(SolutionLost) as lost:
                solution.wait()
            reasons.append(lost.value.reason)
        assert (reasons[0], reasons[-1], solution.import_loss) == ("timeout", "budget", None)


@pytest.mark.thorough
def test_waiting_for_a_processor_is_not_charged(sandbox):
    """Beside processes that take all there is, a call may last much longer than its limit.

    Sleeping and burning end.
    """
    busy = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(4 * os.cpu_count())
    ]
    try:
        with ProcessSolution(
            HONEST, sandbox, Limits(call_seconds=1, import_seconds=60, total_seconds=600)
        ) as solution:
            for _ in range(5):
                assert solution.burn(0.3) is None
            for wanted in (solution.wait, solution.burn):
                with pytest.raises(SolutionLost, match="timeout"):
                    wanted(1000)
    finally:
        for process in busy:
            process.kill()
            process.wait()


@pytest.mark.slow
def test_networks_stay_in_the_box_and_are_lost_with_it(sandbox):
    """A handle of a process that is gone is not one of the next."""
    with ProcessSolution(TORCH + HONEST, sandbox, PATIENT) as solution:
        network = solution.build(Function("tanh"))
        assert type(network) is Handle
        trained, threads = solution.train(network)
        assert (trained, threads) == (network, 1)
        assert solution.predict(network, np.zeros((5, 2))).shape == (5, 1)
        facts = as_network(solution, network, (2, [3], 1), ["tanh"])
        assert [*map(activations, facts["layers"])] == [["tanh"], ["sigmoid"]]
        with pytest.raises(SolutionLost):
            solution.leave(0)
        with pytest.raises(SolutionLost, match="handle"):
            solution.predict(network, np.zeros((5, 2)))
        assert solution.build(None) != network


def test_scripts_and_traces_cross_the_pipe(honest):
    """All methods of the agent have their answers."""
    transcript = honest.scripted("fail", {"count": {"returns": 1}}, 0)
    assert transcript.answer.error.type == "ZeroDivisionError"
    assert transcript.calls == []
    assert len(honest.observe("count", [], {}, apart=["fail"])["steps"]) > 1
    assert honest.signature("count") == []


def test_the_file_does_not_find_who_watches_it(sandbox):
    """What serves it is in no table of modules that it can read."""
    source = b"import sys\ndef seen(): return [name for name in sys.modules if 'practica' in name]"
    with ProcessSolution(source, sandbox, PATIENT) as solution:
        assert solution.answer("seen").value == []


@pytest.mark.parametrize(
    "value", ["3", "[[1, 2]]", "[[1, 2, 'a']]", "[['a', 'b', 1, 2]]", "[[True, 2, 3]]", "None"]
)
def test_a_trace_or_signature_of_another_shape_is_malformed(value, sandbox):
    """Who answers is not trusted: lines are whole numbers, names are texts, or the answer is
    none.
    """
    source = f"""
import sys
agent = next(each.f_globals for each in map(sys._getframe, range(9)) if "Agent" in each.f_globals)
def answered(*args, **kwargs): return agent["Answer"](value={value})
agent["ANSWERING"] = dict.fromkeys(agent["ANSWERING"], answered)
agent["ANSWERING"]["names"] = agent["Agent"].names
def count(): ...
"""
    for ask in (
        lambda solution: solution.observe("count", [], {}),
        lambda solution: solution.signature("count"),
    ):
        with (
            ProcessSolution(source.encode(), sandbox) as solution,
            pytest.raises(SolutionLost, match="malformed"),
        ):
            ask(solution)


def test_one_warm_process_serves_many(sandbox):
    """Two submissions at a time do not see each other, and the import of torch is paid once."""
    if not sandbox.shared:
        pytest.skip("this machine has no nested namespaces: each submission has a box of its own")
    with (
        ProcessSolution(HONEST, sandbox, PATIENT) as one,
        ProcessSolution(HONEST, sandbox, PATIENT) as other,
    ):
        warm = sandbox._process.pid
        assert [one.count(), other.count(), one.count()] == [1, 1, 2]
        with pytest.raises(SolutionLost):
            one.leave(0)
        assert other.count() == 2
        assert sandbox._process.pid == warm


def test_a_sandbox_that_is_gone_is_built_again(sandbox):
    """Somebody else may kill it; the submission then starts anew."""
    with ProcessSolution(HONEST, sandbox, PATIENT) as solution:
        assert solution.count() == 1
        sandbox.close()
        assert solution.count() == 1
        assert sandbox.running


def test_a_private_box_serves_one_submission_after_the_other():
    """Where namespaces cannot be nested, each submission has its own warm process."""
    if not probe_level("full").works:
        pytest.skip("; ".join(probe_level("full").failures))
    with warm.WarmBox("full", shared=False) as private:
        pids = []
        for _ in range(2):
            with ProcessSolution(HONEST, private, PATIENT) as solution:
                assert solution.count() == 1
                pids.append(private._process.pid)
        assert pids[0] != pids[1]


def test_nothing_is_left_of_a_sandbox():
    """No process and no folder."""
    if probe().level == "none":
        pytest.skip("; ".join(probe().failures))
    with Sandbox() as own:
        own.start()
        folder, pid = Path(own._folder), own._process.pid
        assert folder.is_dir()
    assert not folder.exists()
    assert not Path(f"/proc/{pid}").exists()


def test_the_probe_says_what_it_tried():
    """Every step of a level that works was stopped."""
    found = probe_level("full")
    if not found.works:
        pytest.skip("; ".join(found.failures))
    names = {step.name for step in found.steps}
    assert names >= {
        "read",
        "answers",
        "home",
        "package",
        "write",
        "tcp",
        "signal",
        "privileges",
        "limits",
        "user",
    }
    assert all(step.stopped for step in found.steps)
    assert probe().level == "full"
    assert probe_level("full") is found


def test_the_probe_sees_what_is_not_isolated():
    """Without isolation the same code reads, writes, connects and signals."""
    with warm.WarmBox("none", shared=False) as nothing:
        steps = {step.name: step.stopped for step in sandbox._try_to_escape(nothing)}
    assert not any(steps[name] for name in ("read", "answers", "home", "tcp", "socket"))
    assert steps["limits"]


def test_no_isolation_is_never_chosen(monkeypatch):
    """Only by its name; a level that does not work says how to mend it."""
    failed = sandbox.Probe(
        "full",
        False,
        False,
        (),
        ("full: bubblewrap is not installed; sudo apt-get install bubblewrap",),
    )
    monkeypatch.setattr(sandbox, "probe_level", lambda level: failed)
    for level in ("auto", "full"):
        with pytest.raises(SandboxError, match="apt-get install bubblewrap"):
            Sandbox(level)
    with Sandbox("none") as nothing, ProcessSolution(HONEST, nothing, PATIENT) as solution:
        assert nothing.level == "none"
        assert solution.count() == 1
    with pytest.raises(ValueError, match="strict"):
        Sandbox("strict")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("Creating new namespace failed", "user namespaces are forbidden"),
        ("bwrap: Unknown option --size", "0.7 or newer"),
    ],
)
def test_advice_fits_the_error(error, said, monkeypatch):
    """What failed, and what to do."""
    monkeypatch.setattr(sandbox.shutil, "which", lambda name, path: "/usr/bin/bwrap")
    monkeypatch.setattr(
        sandbox.Path,
        "read_text",
        lambda self: {"unprivileged_userns_clone": "1"}.get(self.name, "0"),
    )
    assert said in sandbox._advice("full", error)
    monkeypatch.setattr(sandbox.shutil, "which", lambda name, path: None)
    assert "sudo apt-get install bubblewrap" in sandbox._advice("full", error)
    monkeypatch.setattr(sandbox.shutil, "which", lambda name, path: "/usr/bin/bwrap")
    monkeypatch.setattr(sandbox.Path, "read_text", lambda self: "1")
    if "size" not in error:
        assert "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0" in sandbox._advice(
            "full", error
        )


def test_a_missing_bubblewrap_is_a_sandbox_error(monkeypatch):
    """Not a mark, not a crash."""
    monkeypatch.setattr(sandbox.shutil, "which", lambda name, path: "/nonexistent/bwrap")
    with warm.WarmBox("full", shared=True) as broken, pytest.raises(SandboxError, match="bwrap"):
        broken.start()


@pytest.mark.slow
def test_an_unprivileged_user_has_boxes_too():
    """The same ladder for an instructor who is not root, where this machine lets us try."""
    if os.geteuid() != 0 or not probe_level("full").works:
        pytest.skip("needs root, to become somebody else")
    program = textwrap.dedent(f"""
        import os, sys
        from practica.grading.inside import isolation
        isolation.unshare(["mount"])
        isolation.make_mounts_private()
        home = os.open("/root", os.O_PATH)
        isolation.mount_tmpfs("/root", 1 << 20, mode="755")
        for name in os.listdir(f"/proc/self/fd/{{home}}"):
            source, target = f"/proc/self/fd/{{home}}/{{name}}", f"/root/{{name}}"
            if os.path.isdir(source) and name in sys.prefix + sys.base_prefix:
                os.mkdir(target)
                isolation.bind(source, target)
        isolation.drop_user(61001, 61001)
        os.environ["HOME"] = "/root"
        if not (os.access(sys.executable, os.X_OK) and os.access({str(ROOT)!r}, os.R_OK | os.X_OK)):
            sys.exit("unreadable")
        from practica.grading.sandbox.probe import Sandbox, probe_level
        from practica.grading.sandbox.client import MOST_TIMEOUTS, ProcessSolution
        for level in ("full", "reduced"):
            found = probe_level(level)
            print(level, found.works, *found.failures)
            if found.works:
                with Sandbox(level) as sandbox, ProcessSolution({HONEST!r}, sandbox) as solution:
                    print(solution.count(), solution.facts()["uid"])
    """)
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin", "PYTHONPATH": str(ROOT)},
    )
    if done.stderr == "unreadable\n":
        pytest.skip("an unprivileged user cannot read this project or its Python")
    assert done.stderr == ""
    assert done.stdout.splitlines()[:2] == ["full True", "1 61001"]


@pytest.mark.slow
def test_a_virtual_environment_of_the_systems_python_gives_full_boxes(tmp_path):
    """Its folder, which may be in the project or in somebody's home, is not shown.

    Only its packages are.
    """
    python, other = (
        "/usr/bin/python3",
        f"import sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})",
    )
    if not probe_level("full").works:
        pytest.skip("no full boxes here")
    if not os.access(python, os.X_OK) or subprocess.run([python, "-c", other]).returncode:
        pytest.skip("the system has no Python, or another version")
    subprocess.run([python, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    packages = [str(ROOT), *(path for path in sys.path if path.endswith("-packages"))]
    done = subprocess.run(
        [tmp_path / "venv/bin/python", "-m", "practica.grading.sandbox.probe"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin", "HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(packages)},
    )
    assert "full: works" in done.stdout, done.stdout + done.stderr


TRAINS = b"""
import sys
import torch


def compiler():
    return [name for name in sys.modules if name.startswith("torch._dynamo")]


def train(compiled):
    torch.manual_seed(0)
    net = torch.nn.Linear(2, 1)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    optimizer.add_param_group({"params": [torch.nn.Parameter(torch.zeros(1))]})
    step = torch.compile(net, backend="eager") if compiled else net
    losses = []
    for _ in range(5):
        optimizer.zero_grad()
        loss = (step(torch.ones(4, 2)) - 1).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    optimizer.load_state_dict(optimizer.state_dict())
    return losses


def settings():
    return torch._dynamo.config.suppress_errors
"""


@pytest.mark.thorough
def test_training_needs_no_compiler_until_the_file_asks_for_it(tmp_path):
    """An optimiser is the same without.

    With `torch.compile` torch goes its own way again, and so are the losses.
    """
    limits = Limits(call_seconds=300, import_seconds=300, total_seconds=900)
    with ProcessSolution(TRAINS, LocalProcesses(tmp_path), limits) as solution:
        losses = solution.train(False)
        assert solution.compiler() == ["torch._dynamo"], (
            "_Later in practica/grading/inside/preload.py lacks what optimisers call"
        )
        assert solution.train(True) == losses
        assert len(solution.compiler()) > 10
        assert solution.train(False) == losses
    with ProcessSolution(TRAINS, LocalProcesses(tmp_path), limits) as solution:
        assert solution.settings() is False
        assert len(solution.compiler()) > 10


def test_one_that_has_children_is_charged_by_the_wall_clock(sandbox):
    """What they use is known of nobody once they are gone, and their parent could wait for a turn
    beside them.
    """
    source = b"import os, time\ndef f():\n    if os.fork() == 0:\n        time.sleep(60)\n"
    with ProcessSolution(source, sandbox) as solution:
        solution.names()
        assert solution._box.used()[1] > 0
        solution.answer("f")
        assert solution._box.used()[1] == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_what_outlives_a_process_of_ones_own_keeps_nobody_waiting(tmp_path):
    """A child in a session of its own, which holds all that its parent held."""
    source = b"""import os, time
def f():
    child = os.fork()
    if child:
        open("child", "w").write(str(child))
        os._exit(1)
    os.setsid()
    time.sleep(600)
"""
    with (
        ProcessSolution(source, LocalProcesses(tmp_path), PATIENT) as solution,
        pytest.raises(SolutionLost) as lost,
    ):
        solution.f()
    assert lost.value.reason == "died"
    os.kill(int(Path(tmp_path, "child").read_text()), signal.SIGKILL)  # it is still there
