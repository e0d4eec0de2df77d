"""Files that are written whole or not at all, and folders that are removed."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from practica.files import opened, opened_bytes, remove_tree, write_bytes


def test_bytes_are_written_as_they_are(tmp_path):
    """Line ends and all, in the place of what was there."""
    (tmp_path / "a.csv").write_bytes(b"old")
    write_bytes(tmp_path / "a.csv", b"\xff\r\n\0")
    assert (tmp_path / "a.csv").read_bytes() == b"\xff\r\n\0"
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


@pytest.mark.parametrize(
    "open_file", [lambda path: opened(path, data=()), opened_bytes], ids=["text", "bytes"]
)
def test_a_block_that_fails_leaves_what_was_there(tmp_path, open_file):
    """And nothing beside it."""
    (tmp_path / "a.csv").write_bytes(b"old")
    with pytest.raises(TypeError), open_file(tmp_path / "a.csv") as file:
        # the second is nothing to write
        file.writelines([("new" if "b" not in file.mode else b"new"), None])
    assert (tmp_path / "a.csv").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def test_the_data_are_never_overwritten(tmp_path):
    """Nor by another name for the same file."""
    (tmp_path / "notas.csv").write_bytes(b"old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "notas.csv")
    with pytest.raises(ValueError, match=r"link\.csv is the file with the data"):
        write_bytes(tmp_path / "link.csv", b"new", data=tmp_path / "notas.csv")
    assert (tmp_path / "notas.csv").read_bytes() == b"old"


def test_a_link_is_followed_and_stays_a_link(tmp_path):
    """The file it points to is the one to replace."""
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    with opened(tmp_path / "link.json", data=tmp_path / "data.csv") as file:
        file.write("new")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == "new"


@pytest.mark.parametrize("name", ["data.csv", "nowhere/out.json"])
def test_what_cannot_be_kept_shows_before_anything_is_done(tmp_path, name):
    """The block is never entered."""
    with pytest.raises(ValueError, match=name), opened(tmp_path / name, data=tmp_path / "data.csv"):
        pytest.fail("the block was entered")


def test_without_a_path_there_is_no_file():
    """The command line's default."""
    with opened(None, data=__file__) as file:
        assert file is None


def test_a_folder_is_no_file(tmp_path):
    """One sentence says which."""
    (tmp_path / "a.csv").mkdir()
    with pytest.raises(ValueError, match=r"a\.csv cannot be written: it is a folder"):
        write_bytes(tmp_path / "a.csv", b"new")
    with pytest.raises(
        ValueError, match=r"nowhere/a\.csv cannot be written: No such file or directory"
    ):
        write_bytes(tmp_path / "nowhere" / "a.csv", b"new")


def test_a_disk_that_fills_up_leaves_what_was_there(tmp_path):
    """Here with the system's limit on the size of files, which stops the writing midway as a full
    disk does.
    """
    (tmp_path / "a.csv").write_bytes(b"old")
    program = """
import resource, signal, sys
from practica.files import write_bytes
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    write_bytes(sys.argv[1], bytes(1_000_000))
except ValueError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "a.csv"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith(
        "a.csv cannot be written: it is larger than this disk, or a limit on files, allows\n"
    )
    assert (tmp_path / "a.csv").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def test_another_error_in_the_block_is_not_told_as_ours(tmp_path):
    """A pipe that broke says nothing about this file."""
    with pytest.raises(BrokenPipeError), opened_bytes(tmp_path / "a.csv"):
        raise BrokenPipeError(32, "Broken pipe")


def test_a_folder_is_removed_however_deep_it_is(tmp_path):
    """Deeper than Python recurses; and one that is not there is removed already."""
    (tmp_path / "deep").mkdir()
    subprocess.run(["mkdir", "-p", "a/" * 1500], cwd=tmp_path / "deep", check=True)
    remove_tree(tmp_path / "deep")
    remove_tree(tmp_path / "deep")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_nobody_may_read_is_removed():
    """By its owner, who is not root: root may read everything."""
    program = """
import os
from practica.files import remove_tree
if os.getuid() == 0:
    for path in [".", "closed", "closed/inner", "closed/inner/file"]:
        os.chown(path, 61001, 61001)
    os.setuid(61001)
os.chmod("closed/inner", 0o300)
remove_tree("closed")
print(os.listdir("."))
"""
    with tempfile.TemporaryDirectory() as folder:  # where others may go, too
        Path(folder, "closed", "inner").mkdir(parents=True)
        Path(folder, "closed", "inner", "file").touch()
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
