"""Zips and folders read member by member, within limits, and never unpacked."""

import contextlib
import io
import os
import shutil
import stat
import struct
import time
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from moodle_files import zipped

from practica.grading.classroom.archives import ArchiveLimits, Member, RefusedFile, inside, members


def handed_in(content: bytes, name="entrega.zip") -> Member:
    """Return a zip as a student's."""
    return Member((name,), len(content), _open=lambda: io.BytesIO(content))


def link(name, target=b"/etc/passwd"):
    """Return a symbolic link for a zip."""
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info, target


def encrypted(name="solucion.py") -> bytes:
    """Return a zip that says that its file is encrypted."""
    content = bytearray(zipped({name: b"x = 1\n"}))
    content[6] |= 1
    content[content.index(b"PK\1\2") + 8] |= 1
    return bytes(content)


def nested(times: int) -> bytes:
    """Return a zip in a zip in a zip."""
    content = zipped({"solucion.py": b"x = 1\n"})
    for _ in range(times - 1):
        content = zipped({"otra.zip": content})
    return content


def test_a_zip_is_read_with_the_zips_in_it():
    """The paths say where each file is."""
    content = zipped({"a/solucion.py": b"1", "b.zip": zipped({"c/d.py": b"22"}), "b/": b""})
    files = [
        member for member in inside(handed_in(content), ArchiveLimits()) if not member.is_folder
    ]
    assert [(member.path, member.read(10)) for member in files] == [
        ("entrega.zip/a/solucion.py", b"1"),
        ("entrega.zip/b.zip/c/d.py", b"22"),
    ]


SMALL = ArchiveLimits(file=1000, total=4_000_000, count=5, ratio=20, depth=2)


@pytest.mark.parametrize(
    ("content", "code", "facts"),
    [
        (zipped({"../x.py": b""}), "archive.traversal", {"member": "../x.py"}),
        (zipped({"a/../../x.py": b""}), "archive.traversal", {"member": "a/../../x.py"}),
        (zipped({"a\\..\\..\\x.py": b""}), "archive.traversal", {"member": "a/../../x.py"}),
        (zipped({"/etc/x.py": b""}), "archive.absolute", {"member": "/etc/x.py"}),
        (zipped({"C:\\x.py": b""}), "archive.absolute", {"member": "C:/x.py"}),
        (zipped([link("solucion.py")]), "archive.link", {"member": "solucion.py"}),
        (encrypted(), "archive.encrypted", {"member": "solucion.py"}),
        (zipped({f"{number}.py": b"" for number in range(6)}), "archive.many", {"most": 5}),
        (
            zipped({f"{number}.bin": bytes(900_000) for number in range(5)}),
            "archive.large",
            {"most": 4_000_000},
        ),
        (zipped({"0.csv": bytes(2_000_000)}), "archive.ratio", {"member": "0.csv", "most": 20}),
        (nested(3), "archive.nested", {"most": 2}),
        (zipped({f"{number}.zip": zipped({}) for number in range(6)}), "archive.many", {"most": 5}),
        (
            zipped({f"{number}.zip": zipped({"a/": b"", "b/": b""}) for number in range(3)}),
            "archive.many",
            {"most": 5},
        ),
        (zipped({"x/" * 500 + "a.py": b""}), "archive.long_path", {"member": "x/" * 25 + "…"}),
        (b"PK\3\4 and no more", "archive.corrupt", {}),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_zip_that_is_not_safe_is_refused_whole(content, code, facts):
    """By name, with what is wrong in it."""
    good = zipped([("solucion.py", b"x = 1\n")])
    with pytest.raises(RefusedFile) as refused:
        inside(handed_in(content), SMALL)
    assert refused.value.code == code
    assert facts.items() <= refused.value.facts.items()
    assert [member.name for member in inside(handed_in(good), SMALL)] == ["solucion.py"]


def test_a_list_of_a_million_files_is_not_read():
    """It would take ten seconds; the processor's are counted, whatever else the machine does."""
    content = zipped({"x": b""})
    begin = content.index(b"PK\1\2")
    entry, end = content[begin:-22], bytearray(content[-22:])
    end[12:16] = (1_000_000 * len(entry)).to_bytes(4, "little")
    started = time.process_time()
    with pytest.raises(RefusedFile) as refused:
        inside(handed_in(content[:begin] + entry * 1_000_000 + bytes(end)), ArchiveLimits())
    assert refused.value.code == "archive.many"
    assert time.process_time() - started < 2


def test_a_zip_that_lies_about_a_size_is_not_believed():
    """Its files have no more bytes than they say, or they cannot be read."""
    content = bytearray(zipped({"x.py": b"0" * 5000}))
    for mark, place in ((b"PK\1\2", 24), (b"PK\3\4", 22)):
        at = content.index(mark) + place
        content[at : at + 4] = (10).to_bytes(4, "little")
    (member,) = inside(handed_in(bytes(content)), ArchiveLimits())
    with pytest.raises(RefusedFile) as refused:
        member.read(1_000_000)
    assert refused.value.code == "file.unreadable"


def test_a_file_above_the_limit_is_refused_before_it_is_read():
    """With both numbers."""
    with pytest.raises(RefusedFile) as refused:
        Member(("x.py",), 11).read(10)
    assert (refused.value.code, refused.value.facts) == (
        "file.too_large",
        {"file": "x.py", "bytes": 11, "most": 10},
    )


def test_what_is_wrong_in_the_class_zip_costs_one_member(tmp_path):
    """The others are read."""
    path = tmp_path / "entregas.zip"
    path.write_bytes(
        zipped(
            [
                ("../x.py", b""),
                ("/y.py", b""),
                link("z.py"),
                ("Ana_1_assignsubmission_file/a.py", b"1"),
                (f"Eva/{'x' * 1000}", b""),
            ]
        )
    )
    codes = {member.path: member.refused and member.refused.code for member in members(path)}
    assert codes == {
        "x.py": "file.traversal",
        "y.py": "file.absolute",
        "z.py": "file.link",
        "Ana_1_assignsubmission_file/a.py": None,
        f"Eva/{'x' * 1000}": "file.long_path",
    }


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("Núñez.py", "utf-8"),
        ("小龍.py", "utf-8"),
        ("Núñez.py", "cp437"),
        ("Núñez.py", "cp850"),
        ("Álvarez Ñandú.py", "cp850"),
    ],
)
def test_names_without_the_flag_for_utf_8_are_read_as_they_were_meant(tmp_path, name, encoding):
    """UTF-8 all the same, or the code page of a Spanish Windows."""
    raw = name.encode(encoding)
    content = zipped({"x" * len(raw): b"1"}).replace(b"x" * len(raw), raw)
    (tmp_path / "z.zip").write_bytes(content)
    assert [member.name for member in members(tmp_path / "z.zip")] == [name]


def test_a_folder_is_read_without_following_links(tmp_path):
    """In the order of the names, and without pipes, which would never end."""
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "x.py").write_bytes(b"1")
    (tmp_path / "a.py").symlink_to("/etc/passwd")
    (tmp_path / "c").symlink_to("/etc")
    os.mkfifo(tmp_path / "pipe.py")
    seen = {member.path: member.refused and member.refused.code for member in members(tmp_path)}
    assert seen == {"a.py": "file.link", "b": None, "b/x.py": None, "c": "file.link"}


def test_what_the_system_does_not_read_in_a_folder_costs_that_and_no_more(tmp_path, monkeypatch):
    """Here it is a path that is too long for it."""
    (tmp_path / "b.py").write_bytes(b"1")
    monkeypatch.chdir(tmp_path)
    for _ in range(25):
        os.mkdir("a" * 200)
        os.chdir("a" * 200)
    seen = list(members(tmp_path))
    shutil.rmtree(tmp_path / ("a" * 200))  # or nobody can remove it by its path
    assert [member.path for member in seen if member.refused is None and not member.is_folder] == [
        "b.py"
    ]
    assert {member.refused.code for member in seen if member.refused} == {"file.long_path"}
    assert {member.parts[0] for member in seen} == {"a" * 200, "b.py"}


def test_a_pipe_is_no_submission(tmp_path):
    """To read it might never end."""
    os.mkfifo(tmp_path / "ana.py")
    with pytest.raises(
        ValueError, match=r"ana\.py cannot be read: it is neither a file nor a folder"
    ):
        list(members(tmp_path / "ana.py"))


def test_a_name_on_disk_that_is_not_utf_8_is_still_a_name(tmp_path):
    """The file is read by its bytes."""
    (tmp_path / os.fsdecode("Núñez.py".encode("latin-1"))).write_bytes(b"1")
    assert [(member.name, member.read(5)) for member in members(tmp_path)] == [("Núñez.py", b"1")]


def test_what_systems_leave_behind_in_a_zip_is_left_out():
    """Links of an installed environment too.

    But not what tries to leave its folder, whatever its name.
    """
    names = [
        "__MACOSX/._a.py",
        "a/.DS_Store",
        "a/__pycache__/a.pyc",
        ".git/x.py",
        "a/Thumbs.db",
        "a/a.py",
        "venv/b.py",
    ]
    content = zipped([*((name, b"1") for name in names), link("venv/bin/python")])
    assert [member.path for member in inside(handed_in(content), ArchiveLimits())] == [
        "entrega.zip/a/a.py"
    ]
    with pytest.raises(RefusedFile):
        inside(handed_in(zipped({".x/../../x.py": b""})), ArchiveLimits())


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\3\4"])
def test_a_class_that_cannot_be_read_is_one_sentence(tmp_path, content):
    """With its name."""
    (tmp_path / "entregas.zip").write_bytes(content)
    with pytest.raises(ValueError, match=r"entregas\.zip cannot be read: File is not a zip file"):
        list(members(tmp_path / "entregas.zip"))


@settings(derandomize=True, deadline=None, max_examples=300)
@given(
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=8),
    st.integers(0, 10_000),
)
def test_a_damaged_zip_is_read_or_refused(changes, length):
    """Whatever its bytes are: no other error comes out of it."""
    whole = zipped({"a/solucion.py": b"x = 1\n" * 50, "ñ/b.zip": zipped({"c.py": b"y" * 100})})
    content = bytearray(whole)
    for place, value in changes:
        content[place % len(content)] = value
    damaged = bytes(content[: max(1, length % (2 * len(content)))])
    with contextlib.suppress(RefusedFile):
        for member in inside(handed_in(damaged), ArchiveLimits()):
            with contextlib.suppress(RefusedFile):
                assert member.is_folder or len(member.read(10_000)) <= 10_000


def damaged(compression, change):
    """Return a zip of which some bytes of its only file are others."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compression) as archive:
        archive.writestr("solucion.py", bytes(range(256)) * 20)
    whole = bytearray(content.getvalue())
    begin = whole.index(b"solucion.py") + len(b"solucion.py")
    change(whole, begin)
    return bytes(whole)


def far_away(whole, begin):
    """Let the list of a zip say that its file lies where no file has a place."""
    entry = whole.index(b"PK\1\2")
    extra = struct.pack("<HHQ", 1, 8, 2**64 - 2)
    whole[entry + 42 : entry + 46] = b"\xff" * 4
    whole[entry + 30 : entry + 32] = struct.pack("<H", len(extra))
    whole[entry + 57 : entry + 57] = extra
    end = whole.index(b"PK\5\6")
    whole[end + 12 : end + 16] = struct.pack("<I", end - entry)


def properties(whole, begin):
    """Write what no compressor is told."""
    whole[begin + 4] = 0xFF


def middle(whole, begin):
    """Write other bytes."""
    whole[begin + 12 : begin + 60] = b"\xa5" * 48


@pytest.mark.parametrize("compression", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("change", [far_away, properties, middle])
def test_what_a_damaged_zip_fails_with_is_told(compression, change):
    """Each way of compressing has errors of its own, and so has a place that no number holds."""
    (member,) = inside(handed_in(damaged(compression, change)), ArchiveLimits())
    with pytest.raises(RefusedFile) as refused:
        member.read(1_000_000)
    assert refused.value.code == "file.unreadable"
