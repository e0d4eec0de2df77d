"""The agent beside the student's code: plain data in and out, seeds, doubles, networks, lines of
errors.
"""

import random
import sys
import textwrap
import threading

import numpy as np
import pytest
import torch

from practica.grading.assignment.network import activations, as_network
from practica.grading.engine.solution import LocalSolution, SolutionLost, StudentError
from practica.grading.inside.agent import Agent
from practica.grading.inside.loading import load_source
from practica.grading.inside.plain_data import Answer, Failure, Function, Handle, Network, Opaque

PATH = "una_entrega.py"


def solution_of(source):
    """Load a text as a student's file."""
    return LocalSolution(load_source(textwrap.dedent(source).encode(), PATH, "una_entrega"))


def test_what_can_be_called_stays_behind_as_a_handle():
    """The same object is the same handle, and comes back as itself."""
    agent = Agent({"make": lambda: print, "same": lambda value: value is print}, first_handle=100)
    answer = agent.call("make", [], {}, seed=0)
    assert answer.value == Handle(100)
    assert agent.call("make", [], {}, seed=0).value == Handle(100)
    assert agent.call("same", [Handle(100)], {}, seed=0).value is True
    assert agent.call("same", [Handle(7)], {}, seed=0).error.type == "LookupError"


def test_arguments_are_copies_and_come_back_on_demand():
    """What the student does to them is seen in the answer only.

    Returning one of them is noticed.
    """
    solution = solution_of("""
        def halve(a, b):
            a /= 2
            b.append(1)
            return b
    """)
    array, values = np.ones(2), []
    answer = solution.answer("halve", array, values, want_args=True)
    assert array.tolist() == [1, 1]
    assert values == []
    assert answer.args[0].tolist() == [0.5, 0.5]
    assert answer.args[1] == [1]
    assert answer.same_object == 1
    assert solution.answer("halve", array, values).args is None


def test_an_error_tells_its_type_message_line_and_classes():
    """The line is the student's, however deep in a library the error was raised."""
    solution = solution_of("""
        import numpy as np

        def inner(x):
            return np.linalg.inv(x)

        def outer(x):
            print("before")
            return inner(x)

        def leave():
            raise SystemExit(3)
    """)
    answer = solution.answer("outer", np.zeros((2, 2)))
    classes = ["LinAlgError", "ValueError", "Exception", "BaseException", "object"]
    assert answer.error == Failure("LinAlgError", "Singular matrix", 5, classes)
    assert answer.printed == "before\n"
    with pytest.raises(StudentError, match=r"LinAlgError \(line 5\): Singular matrix"):
        solution.outer(np.zeros((2, 2)))
    assert solution.answer("leave").error.type == "SystemExit"
    assert solution.answer("missing").error.type == "KeyError"
    with pytest.raises(AttributeError):
        solution.missing()


def test_equal_seeds_repeat_and_calls_of_one_example_differ():
    """Whatever generator the student uses, those kept in global variables included.

    Ours go on as they were.
    """
    source = """
        import random
        import numpy as np
        import torch

        rng, old, own = np.random.default_rng(), np.random.RandomState(), random.Random()

        def draw():
            torch_numbers = torch.rand(2).tolist()
            of_numpy = [*np.random.rand(2), *rng.random(2), old.rand()]
            return [random.random(), own.random(), *of_numpy, *torch_numbers]
    """
    before = random.getstate(), torch.get_rng_state()
    solution, other = solution_of(source), solution_of(source)
    solution.seed = other.seed = 5
    first, second = solution.draw(), solution.draw()
    assert first == other.draw()
    assert not set(first) & set(second)
    solution.seed = 5
    assert solution.draw() == first
    solution.seed = 6
    assert not set(solution.draw()) & set(first)
    assert random.getstate() == before[0]
    assert torch.equal(torch.get_rng_state(), before[1])


def test_a_double_is_seen_by_whatever_name_its_function_is_called():
    """It is the same object all the time; afterwards it is itself again."""
    source = """
from functools import partial
def part(x, y=1, *, z=1): return x + y + z
other, some = part, partial(part, 2)
def whole(given=part):
    return [other(1), some(), given(3, 4, z=5), (lambda f: f(6))(part), given is part is other]
"""
    agent = Agent(load_source(source.encode(), PATH))
    answer = agent.call("whole", [], {}, seed=0).value
    assert answer == [3, 4, 12, 8, True]
    for script, expected in (({"through": True}, answer), ({"returns": 0}, [0, 0, 0, 0, True])):
        transcript = agent.scripted("whole", {"part": script}, [], {}, seed=0)
        assert transcript.answer.value == expected
        assert [(call.args, call.kwargs) for call in transcript.calls] == [
            *[([1], {}), ([2], {}), ([3], {"y": 4, "z": 5}), ([6], {})],
        ]
        assert transcript.calls[0].bound == {"x": 1, "y": 1, "z": 1}
    assert agent.call("whole", [], {}, seed=0).value == answer


def test_what_is_printed_is_kept_in_part():
    """The beginning, so that nobody fills the report."""
    solution = solution_of("""
        import sys
        import warnings

        def talk():
            warnings.warn("careful")
            print("a" * 10**6)
            print("b", file=sys.stderr)
            for number in range(100):
                warnings.warn(str(number))
            sys.stdout.close()
    """)
    answer = solution.answer("talk")
    assert len(answer.printed) <= 10_000
    assert "careful" not in answer.printed


def test_kinds_tell_what_the_values_were():
    """A check that asks for numpy's own types can."""
    solution = solution_of("""
        import numpy as np

        def several():
            return np.float32(1), [1], np.ones(2)
    """)
    answer = solution.answer("several")
    assert (answer.kind, answer.kinds) == ("tuple", ["float32", "list", "ndarray"])
    assert type(answer) is Answer


NETWORKS = """
    import torch

    class Own(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = torch.nn.Linear(3, 4), torch.nn.Linear(4, 3)

        def forward(self, x):
            return torch.softmax(self.second(self.first(x).tanh()), dim=1)

    def own():
        return Own()

    def usual(function):
        first, second = torch.nn.Linear(3, 4), torch.nn.Linear(4, 3)
        return torch.nn.Sequential(first, torch.nn.Tanh(), second, torch.nn.Softmax(1))

    def one(function):
        class Layer(torch.nn.Module):
            def forward(self, x):
                return function(x)
        first, second = torch.nn.Linear(3, 2), torch.nn.Linear(2, 1)
        return torch.nn.Sequential(first, Layer(), second, torch.nn.Sigmoid()).double()

    def table():
        return {"not": "a network"}
"""


@pytest.mark.parametrize("make", ["own", "usual"])
def test_a_network_is_described_by_what_it_does(make):
    """A class of one's own and a Sequential look the same."""
    solution = solution_of(NETWORKS)
    network = solution.own() if make == "own" else solution.usual(None)
    facts = as_network(solution, network, (3, [4], 3), ["tanh"])
    assert facts["module"]
    assert [each.size for each in facts["values"]] == [3 * 4, 4, 4 * 3, 3]
    assert [(layer["in"], layer["out"], activations(layer)) for layer in facts["layers"]] == [
        (3, 4, ["tanh"]),
        (4, 3, ["softmax"]),
    ]
    inputs = np.random.default_rng(0).normal(size=(5, 3))
    outputs = solution.predict(network, inputs)
    assert outputs.shape == (5, 3)
    np.testing.assert_allclose(outputs.sum(axis=1), 1, rtol=1e-5)


@pytest.mark.parametrize(
    "name", ["sigmoid", "tanh", "relu", "identity", "softplus", "sin", "square"]
)
def test_a_transfer_function_by_name_is_found_again(name):
    """Also in a network of doubles."""
    solution = solution_of(NETWORKS)
    facts = as_network(solution, solution.one(Function(name)), (3, [2], 1), [name])
    assert facts["values"][0].dtype == "float64"
    assert name in activations(facts["layers"][0])
    assert activations(facts["layers"][1]) == ["sigmoid"]


def test_what_is_no_network_is_told_apart():
    """And asking it to predict is the student's error, not ours."""
    solution = solution_of(NETWORKS)
    function = LocalSolution({"f": lambda: len}).f()
    assert type(function) is Handle
    local = LocalSolution({"f": lambda: str.upper})
    assert local.describe(local.f(), np.ones((4, 3)))["module"] is False
    with pytest.raises(StudentError):
        local.predict(local.f(), np.zeros((1, 1)))
    assert solution.table() == {"not": "a network"}


ORCHESTRA = """
    from sklearn.svm import SVC

    def part(x, *, scale=1):
        return x * scale

    def whole(n):
        return [part(i, scale=2) for i in range(n)]

    def trained(network):
        return network

    def fit(C):
        model = SVC(C=C)
        model.fit([[0.0], [1.0]], [0, 1])
        return model.predict([[0.9]])
"""


@pytest.mark.parametrize(
    ("parameters", "bound"),
    [
        ("x, y=2", {"x": 1, "y": 2}),
        ("x, **others", {"x": 1, "z": 3}),
        ("x, *more, **others", {"x": 1, "z": 3}),
        ("*all, **others", {}),
    ],
)
def test_arguments_are_recorded_by_the_names_that_they_have(parameters, bound):
    """Those of a `**kwargs` too; what a `*args` takes has none."""
    more = "" if "others" not in parameters else ", z=3"
    solution = solution_of(f"""
        def part({parameters}):
            return 0

        def whole():
            return part(1{more})
        """)
    (call,) = solution.scripted("whole", {"part": {"returns": 0}}).calls
    assert call.bound == bound


def test_doubles_record_answer_and_go_away():
    """The student's own function is called by name, and restored."""
    solution = solution_of(ORCHESTRA)
    transcript = solution.scripted("whole", {"part": {"sequence": [10, 20]}}, 3)
    assert transcript.answer.value == [10, 20, 20]
    assert [call.args for call in transcript.calls] == [[0], [1], [2]]
    assert [call.bound for call in transcript.calls] == [{"x": i, "scale": 2} for i in range(3)]
    through = solution.scripted("whole", {"part": {"through": True}}, 3)
    assert through.answer.value == [call.result for call in through.calls] == [0, 2, 4]
    assert solution.scripted("whole", {"part": {"returns": "x"}}, 2).answer.value == ["x", "x"]
    failed = solution.scripted("whole", {"part": {"raises": "no"}}, 2)
    assert failed.answer.error.type == "RuntimeError"
    assert len(failed.calls) == 1
    assert solution.whole(3) == [0, 2, 4]
    unused = solution.scripted("whole", {"not_there": {"returns": 1}}, 1)
    assert unused.calls == []
    assert not solution.has("not_there")


def test_doubles_reach_into_libraries():
    """Each fit of an estimator is seen, with its parameters, and the library is itself again
    afterwards.
    """
    from sklearn.svm import SVC

    before = SVC.fit
    transcript = solution_of(ORCHESTRA).scripted(
        "fit", {"sklearn.svm:SVC.fit": {}, "sklearn.svm:SVC.predict": {}}, 3.0
    )
    assert [call.name for call in transcript.calls] == [
        "sklearn.svm:SVC.fit",
        "sklearn.svm:SVC.predict",
    ]
    assert transcript.calls[0].bound["y"] == [0, 1]
    assert transcript.calls[0].owner["class"] == "SVC"
    assert transcript.calls[0].owner["params"]["C"] == 3.0
    assert transcript.calls[0].owner["object"] == transcript.calls[1].owner["object"]
    assert SVC.fit is before
    assert "predict" not in vars(SVC)


def test_a_function_does_not_see_that_it_has_a_double():
    """It is the object that the file knows, with its name, place and signature.

    Aliases lead to it too.
    """
    solution = solution_of(
        """
        import functools, inspect

        def facts():
            return [
                twice is saved, twice.__name__, twice.__qualname__, twice.__module__,
                twice.__defaults__, dir(twice), twice.__globals__ is globals(),
                str(inspect.signature(twice)),
            ]

        def twice(x, y=1):
            return 2 * x

        @functools.singledispatch
        def kind(x):
            return "object"

        @kind.register
        def _(x: int):
            return "int"

        saved, table = twice, {"kind": kind}

        def both(x):
            return facts(), saved(x), table["kind"](x), kind("a")
        """
    )
    script = {"twice": {"sequence": [7]}, "kind": {"through": True}}
    transcript = solution.scripted("both", script, 3)
    assert transcript.answer.value == (solution.facts(), 7, "int", "object")
    assert [(call.name, call.bound) for call in transcript.calls] == [
        ("twice", {"x": 3, "y": 1}),
        ("kind", {"x": 3}),
        ("kind", {"x": "a"}),
    ]
    assert solution.both(3)[1:] == (6, "int", "object")


def test_a_double_of_a_method_is_not_that_of_another_class():
    """Even if both inherit the same function."""
    solution = solution_of(
        """
        from sklearn.svm import SVC, SVR

        def both():
            models = [model.fit([[0.0], [1.0]], [0, 1]) for model in (SVC(), SVR())]
            return [model.predict([[2.0]]).shape for model in models]
        """
    )
    transcript = solution.scripted("both", {"sklearn.svm:SVC.fit": {"through": True}})
    assert transcript.answer.value == [(1,), (1,)]
    assert [call.owner["class"] for call in transcript.calls] == ["SVC"]


def test_a_double_may_keep_what_was_returned_as_it_was():
    """A copy of a network is recorded, which what follows does not change."""
    solution = solution_of(
        """
        import torch

        def build():
            return torch.nn.Linear(1, 1)

        def zeroed():
            network = build()
            torch.nn.init.zeros_(network.weight)
            return network
        """
    )
    transcript = solution.scripted("zeroed", {"build": {"through": True, "copies": True}})
    (call,) = transcript.calls
    assert solution.describe(transcript.answer.value, np.ones((1, 1)))["values"][0] == 0
    assert solution.describe(call.result, np.ones((1, 1)))["values"][0] != 0


def test_a_network_that_is_let_through_may_get_other_weights():
    """Small ones, the same for the same seed, whatever generator it draws its own from.

    It stays the file's own.
    """
    solution = solution_of(
        """
        import torch

        class Own(torch.nn.Linear):
            pass

        def build():
            torch.seed()
            return Own(2, 3)

        def run():
            return build()
        """
    )
    doubles = [{"build": {"through": True, "copies": True, "tame": seed}} for seed in (1, 1, 2)]
    networks = [solution.scripted("run", each).answer.value for each in doubles]
    found = [solution.describe(each, np.ones((1, 2))) for each in networks]
    weights = [facts["values"][0] for facts in found]
    assert np.array_equal(weights[0], weights[1])
    assert not np.array_equal(weights[0], weights[2])
    assert abs(weights[0]).max() <= 0.1
    assert 0 < abs(found[0]["values"][1]).max() <= 0.05
    assert {facts["class"] for facts in found} == {"Own"}


def test_a_network_that_was_shaken_gets_its_own_weights_back():
    """All that is told of it is told with the others."""
    solution = solution_of(
        """
        import torch

        def build():
            return torch.nn.Linear(2, 3)
        """
    )
    network = solution.build()
    before, shaken, after = (
        solution.describe(network, np.ones((3, 2)), shaken=each) for each in (False, True, False)
    )
    assert np.array_equal(before["values"][0], after["values"][0])
    assert np.array_equal(before["outputs"], after["outputs"])
    for name in ("values", "outputs", "steps"):
        assert str(shaken[name]) != str(before[name])
    weight, bias = shaken["values"]
    np.testing.assert_allclose(
        shaken["outputs"], np.ones((3, 2)) @ weight.T + bias, rtol=1e-4, atol=1e-5
    )


def test_a_network_of_doubles_may_have_hidden_layers():
    """With sigmoids, or the functions that it is given."""
    solution = solution_of(ORCHESTRA)
    hidden, last = [[np.eye(2), np.ones(2)]], (np.ones((1, 2)), np.zeros(1), "identity")
    for functions, value in ([], 2 / (1 + np.exp(-2))), ([Function("square")], 8):
        network = solution.trained(Network(*last, hidden, functions))
        np.testing.assert_allclose(solution.predict(network, np.ones((1, 2))), [[value]], rtol=1e-5)


def test_a_network_of_doubles_computes():
    """`softmax(inputs @ weight.T + bias)`, in torch."""
    solution = solution_of(ORCHESTRA)
    network = solution.trained(Network(np.zeros((3, 2)), np.log([1.0, 2.0, 1.0]), "softmax"))
    np.testing.assert_allclose(
        solution.predict(network, np.ones((4, 2))), [[0.25, 0.5, 0.25]] * 4, rtol=1e-5
    )


@pytest.mark.parametrize(
    ("name", "grows"),
    [
        ("vectorised", False),
        ("loop", True),
        ("comprehension", True),
        ("mapped", True),
        ("vectorize", True),
        ("recursive", True),
        ("ordered", True),
        ("helper", True),
        ("over_classes", False),
    ],
)
def test_steps_grow_with_the_patterns_only_where_python_visits_each(name, grows):
    """Wherever the loop hides."""
    solution = solution_of("""
        import numpy as np

        def vectorised(x):
            return (x > 0).sum()

        def loop(x):
            total = 0
            for value in x:
                total += value
            return total

        def comprehension(x):
            return sum([value + 1 for value in x])

        def mapped(x):
            return list(map(lambda value: value + 1, x))

        def vectorize(x):
            return np.vectorize(lambda value: value + 1)(x)

        def recursive(x):
            return 0 if len(x) == 0 else x[0] + recursive(x[1:])

        def ordered(x):
            return sorted(x, key=lambda value: -value)

        def helper(x):
            return loop(x)

        def over_classes(x):
            return [(x == label).sum() for label in range(3)]
    """)
    few, many = (ran(solution, name, [np.arange(size) % 3]) for size in (30, 60))
    assert (many > few + 20) is grows
    assert grows or many == few


def ran(solution, name, args, apart=()):
    """Count the lines that a call runs, and how often it comes back to its function."""
    seen = solution.observe(name, args, {}, apart=apart)
    return sum(times for _, _, times in seen["steps"]) + seen["entries"] - 1


TRACED = """
def outer(x):
    for value in range(x):
        helper(value)
        other(value)
    return outer(0) if x else x

def helper(x):
    return x

@(lambda f: lambda x: f(x))
def other(x):
    for _ in range(9):
        helper(x)

def fails(x):
    raise ValueError
"""


def test_a_trace_tells_the_lines_of_a_call_but_for_those_that_are_judged_apart():
    """Each function's lines in turn.

    Other functions of the rubric, and the same one called again, are left out.
    """
    solution = solution_of(TRACED)
    seen = solution.observe("outer", [3], {}, apart=["outer", "other"])
    steps = seen["steps"]
    assert sorted(steps) == sorted(
        [[0, 3, 1], [3, 4, 3], [4, 5, 3], [5, 3, 3], [3, 6, 1], [0, 9, 3]]
    )
    assert seen["entries"] == 2
    apart = ran(solution, "outer", [3], ["outer", "other"])
    assert ran(solution, "outer", [3], ["outer"]) > apart + 3 * 9
    assert ran(solution, "other", [3], ["outer", "other"]) > 1


def test_a_call_is_only_traced_while_it_is_asked_for():
    """However the call ends."""
    solution, before = solution_of(TRACED), (sys.gettrace(), threading.gettrace())
    assert [solution.observe(name, [1], {})["raised"] for name in ("helper", "fails")] == [
        False,
        True,
    ]
    assert (sys.gettrace(), threading.gettrace()) == before


def test_a_signature_is_plain_data():
    """With the defaults as they are where the function runs.

    What is no plain data is told by its type.
    """
    solution = solution_of("""
        import functools, numpy as np
        HALF = 1 / 2
        def f(a, /, b: "nothing", *rest, c=HALF, d=(1, {2: len}), e=np.float64(2), **others): ...
        g = functools.partial(f, 1, c=3)
        class Broken:
            __signature__ = 3
            def __call__(self): ...
        broken = Broken()
    """)
    assert solution.signature("f") == [
        ["a", "POSITIONAL_ONLY", False, None],
        ["b", "POSITIONAL_OR_KEYWORD", False, None],
        ["rest", "VAR_POSITIONAL", False, None],
        ["c", "KEYWORD_ONLY", True, 0.5],
        ["d", "KEYWORD_ONLY", True, (1, {2: Opaque("builtin_function_or_method")})],
        ["e", "KEYWORD_ONLY", True, 2.0],
        ["others", "VAR_KEYWORD", False, None],
    ]
    assert [name for name, *_ in solution.signature("g")] == ["b", "rest", "c", "d", "e", "others"]
    with pytest.raises(StudentError):
        solution.signature("broken")


def test_names_are_those_that_can_be_called():
    """Constants, and what begins with two underscores, are not."""
    solution = LocalSolution({"f": len, "x": 3, "__secret": len, "K": dict})
    assert solution.names() == ["f", "K"]
    assert solution.has("f")
    assert not solution.has("x")


def test_a_lost_solution_says_why():
    """The reason is a short id; facts stand beside it."""
    lost = SolutionLost("import_failed", type="NameError", message="x", line=3)
    assert lost.reason == "import_failed"
    assert lost.facts["line"] == 3
    assert str(lost) == "import_failed (type=NameError, message=x, line=3)"
