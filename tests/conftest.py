"""What every test shares: Hypothesis tries the same examples on every run, and no test measures
time.
"""

import contextlib
import gc
import os
import signal

# The networks of the tests are tiny: threads that wait for each other would only stall a
# busy machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("COLUMNS", "1000")  # sentences stand in one line
os.environ["LC_ALL"] = "C.UTF-8"  # commands answer in Spanish, on every machine

import pytest
from hypothesis import settings

from practica.grading.inside.preload import later
from practica.grading.sandbox.probe import Sandbox, probe_level

# a run in the background; what it starts would ignore Ctrl-C too
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("practica", derandomize=True, deadline=None, max_examples=30)
settings.load_profile("practica")
# of an old release, which does not try constants of the modules around a test
with contextlib.suppress(ImportError):
    from hypothesis.internal.conjecture import providers

    # there is no setting, and each worker has imported others
    providers.is_local_module_file = lambda path: False
gc.disable()  # until all is collected: it stays to the end, and there is much of it


# files that take the longest: they begin first, so that no process waits for one of them at the end
LONGEST = (
    *("test_networks", "test_mistakes", "test_printed_examples", "test_wrong_answers"),
    *("test_kit", "test_costs"),
    *("test_check", "test_packaging", "test_another_course", "test_cluster", "test_class_life"),
    *("test_end_to_end", "test_workers", "test_forbidden", "test_edition", "test_decisions"),
    *("test_sentences", "test_marking", "test_undeserved", "test_diagnosis", "test_documents"),
    *("test_block_training", "test_upload", "test_observations", "test_containers"),
    *("test_client", "test_records", "test_tables", "test_pages_in_browser", "test_attacks"),
    *("test_position", "test_changed_answers", "test_docs", "test_seeds", "test_rubrics"),
)


def pytest_collection_modifyitems(items):
    """Put the longest files first; the tests of a file stay together."""
    items.sort(
        key=lambda item: (
            LONGEST.index(item.path.stem) if item.path.stem in LONGEST else len(LONGEST)
        )
    )


def pytest_collection_finish():
    """Do as boxes and workers do: no optimiser imports the compiler, and garbage is looked for
    where it may be.
    """
    later()
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()


def open_sandbox(level):
    """Yield a sandbox of a level, or skip with what is missing."""
    found = probe_level(level)
    if not found.works:
        pytest.skip("; ".join(found.failures))
    with Sandbox(level) as sandbox:
        yield sandbox


@pytest.fixture
def one_thread():
    """Let torch use one thread: several wait for each other on small networks."""
    import torch  # most tests need none

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(autouse=True)
def own_state(monkeypatch, tmp_path_factory):
    """Keep the language that a test chooses from the user and from the next test."""
    monkeypatch.setenv(
        "XDG_STATE_HOME", str(tmp_path_factory.getbasetemp() / "state" / os.urandom(8).hex())
    )


@pytest.fixture
def own_cache(monkeypatch, tmp_path_factory):
    """Keep what `practica check` remembers out of the user's cache, and begin without any."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture(scope="session")
def sandbox():
    """Yield the best sandbox of this machine."""
    level = next((level for level in ("full", "reduced") if probe_level(level).works), None)
    yield from open_sandbox(level or "full")


@pytest.fixture(scope="session")
def full_sandbox():
    """Yield a sandbox of level full."""
    yield from open_sandbox("full")


@pytest.fixture(scope="session")
def reduced_sandbox():
    """Yield a sandbox of level reduced."""
    yield from open_sandbox("reduced")


@pytest.fixture(params=["full", "reduced"])
def each_sandbox(request):
    """Yield a sandbox of each level that holds against something."""
    return request.getfixturevalue(f"{request.param}_sandbox")
