"""The journal of a class: what it holds survives whatever cuts it, and nobody else's file is
touched.
"""

import contextlib
import errno
import fcntl
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from practica.grading.classroom.journal import Journal, Unfinished, key_of

RECORDS = {f"{number:064}": {"points": number, "name": "Ñandú\n"} for number in range(4)}


def write(path, *, finish=True):
    """Write a journal with the records, and return its bytes."""
    with Journal(path, resume=False) as journal:
        for key, record in RECORDS.items():
            journal.add(key, record)
        if finish:
            journal.finish(list(RECORDS))
    return path.read_bytes()


@given(cut=st.integers(0, 450), rest=st.binary(max_size=30))
def test_cut_anywhere_it_keeps_every_whole_record_and_goes_on(tmp_path_factory, cut, rest):
    """A line that was being written when it was cut is done again.

    It never runs into the next one.
    """
    path = tmp_path_factory.mktemp("journal") / "diario.jsonl"
    content = write(path, finish=False)
    whole = content[:cut].count(b"\n")
    path.write_bytes(content[:cut] + (rest.replace(b"\n", b"") if 0 < whole < 5 else b""))
    with Journal(path, resume=True) as journal:
        assert journal.records == dict(list(RECORDS.items())[: max(0, whole - 1)])
        journal.add("new", 7)
    with Journal(path, resume=True) as journal:
        assert journal.records == dict([*list(RECORDS.items())[: max(0, whole - 1)], ("new", 7)])


def test_lines_that_are_none_of_ours_are_passed_over(tmp_path):
    """What is around them is not lost."""
    path = tmp_path / "diario.jsonl"
    first, *others = write(path, finish=False).splitlines(keepends=True)
    foreign = [
        b"\n",
        b"# by hand\n",
        b'{"key": 7}\n',
        b"\xff\xfe\n",
        b"[]\n",
        b'{"other": 1}\n',
        b'{"seed": true}\n',
    ]
    foreign.append(b'{"key": "a", "record": "\\ud800"}\n')
    path.write_bytes(
        first
        + b"".join(line + foreign[number] for number, line in enumerate(others))
        + b"".join(foreign)
    )
    with Journal(path, resume=True) as journal:
        assert journal.records == RECORDS
        assert journal.seed is None


@pytest.mark.parametrize(
    "content", [b"my diary\n", b'{"journal": 2}\n', b'{"key": "a", "record": 1}\n', b"\0" * 99]
)
@pytest.mark.parametrize("resume", [False, True])
def test_a_file_that_is_no_journal_is_left_as_it_is(tmp_path, content, resume):
    """Somebody else's, or that of a later version."""
    path = tmp_path / "diario.jsonl"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="not a journal of this version"):
        Journal(path, resume=resume)
    assert path.read_bytes() == content


def test_a_run_that_did_not_end_is_not_forgotten_by_mistake(tmp_path):
    """It says how much there is; the file stays."""
    path = tmp_path / "diario.jsonl"
    content = write(path, finish=False)
    with pytest.raises(Unfinished) as refusal:
        Journal(path, resume=False)
    assert refusal.value.count == 4
    assert path.read_bytes() == content


def test_a_run_that_ended_is_forgotten_by_the_next_one_unless_it_resumes(tmp_path):
    """Its records are in the order of the class, whatever the order in which they came."""
    path = tmp_path / "diario.jsonl"
    write(path, finish=False)
    with Journal(path, resume=True) as journal:
        journal.finish(sorted(RECORDS, reverse=True)[:3])
    with Journal(path, resume=True) as journal:
        assert list(journal.records) == sorted(RECORDS, reverse=True)[:3]
        journal.finish(list(journal.records))
    with Journal(path, resume=False) as journal:
        assert journal.records == {}


def test_it_knows_the_seed_of_its_records(tmp_path):
    """Of those that are taken over."""
    path = tmp_path / "diario.jsonl"
    with Journal(path, resume=False) as journal:
        assert journal.seed is None
        journal.begin(7)
        journal.add("a", 1)
        journal.begin(7)
        journal.finish(["a"])
    assert path.read_bytes().count(b"seed") == 1
    for resume, seed in ((True, 7), (False, None)):
        with Journal(path, resume=resume) as journal:
            assert journal.seed == seed
            journal.finish(list(journal.records))


def test_nobody_else_may_write_it_meanwhile(tmp_path):
    """Another process has it; when that one is killed it is free."""
    path = tmp_path / "diario.jsonl"
    program = (
        "import sys\nfrom pathlib import Path\nfrom practica.grading.classroom.journal import"
        " Journal\njournal = Journal(Path(sys.argv[1]), resume=False)\njournal.add('a',"
        " 1)\nprint(flush=True)\nsys.stdin.read()\n"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", program, str(path)], **pipes) as other:
        other.stdout.readline()
        with pytest.raises(BlockingIOError):
            Journal(path, resume=True)
        other.kill()
        other.wait()
        with Journal(path, resume=True) as journal:
            assert journal.records == {"a": 1}


def test_whoever_waits_for_a_run_that_ends_writes_the_journal_that_it_leaves(tmp_path, monkeypatch):
    """Not the one that it has replaced, which nobody would find; and a third one is refused."""
    path = tmp_path / "diario.jsonl"
    first = Journal(path, resume=False)

    def ends_first(file, how):
        monkeypatch.undo()
        first.add("a", 1)
        first.finish(["a"])
        first.close()
        return fcntl.flock(file, how)

    monkeypatch.setattr("practica.grading.classroom.journal.fcntl.flock", ends_first)
    with Journal(path, resume=True) as second:
        assert second.records == {"a": 1}
        second.add("b", 2)
        with pytest.raises(BlockingIOError):
            Journal(path, resume=True)
    with Journal(path, resume=True) as last:
        assert last.records == {"a": 1, "b": 2}


@pytest.mark.parametrize("reader", [True, False])
def test_a_pipe_is_no_journal(tmp_path, reader):
    """Whoever opened it would wait for a reader, or write to one."""
    path = tmp_path / "diario.jsonl"
    os.mkfifo(path)
    with contextlib.ExitStack() as stack:
        if reader:
            stack.callback(os.close, os.open(path, os.O_RDONLY | os.O_NONBLOCK))
        with pytest.raises(ValueError, match="pipe or a device"):
            Journal(path, resume=False)


def test_a_device_is_no_journal(tmp_path):
    """What is written there is lost."""
    path = tmp_path / "diario.jsonl"
    path.symlink_to(os.devnull)
    with pytest.raises(ValueError, match="pipe or a device"):
        Journal(path, resume=True)


def test_what_does_not_fit_leaves_no_half_of_it(tmp_path):
    """A limit on the size of files stands for a full disk: the kernel says it in the same place."""
    path = tmp_path / "diario.jsonl"
    program = (
        "import resource, signal, sys\nfrom pathlib import Path\n"
        "from practica.grading.classroom.journal"
        " import Journal\njournal = Journal(Path(sys.argv[1]), resume=False)\njournal.add('a',"
        " 1)\nsignal.signal(signal.SIGXFSZ,"
        " signal.SIG_IGN)\nresource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\ntry:\n   "
        " journal.add('b', 'x' * 200)\nexcept OSError as error:\n    print(error.errno,"
        " list(journal.records))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [str(errno.EFBIG), "['a']"]
    assert path.read_bytes() == b'{"journal": 1}\n{"key": "a", "record": 1}\n'


@given(
    parts=st.lists(st.text(max_size=3), min_size=1, max_size=4),
    other=st.lists(st.text(max_size=3), max_size=4),
)
def test_keys_are_the_same_only_for_the_same_parts(parts, other):
    """However they are cut."""
    assert (key_of(*parts) == key_of(*other)) == (parts == other)
