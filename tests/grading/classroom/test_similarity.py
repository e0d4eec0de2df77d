"""Which submissions resemble each other, by the real library: something to look at, in a kept
order.
"""

import os
import subprocess
import sys

import pytest
from submissions import MODEL, submissions

from practica.grading.classroom import similarity
from practica.grading.classroom.collect import collect
from practica.grading.classroom.grader_limits import TooMuchError
from practica.grading.classroom.marker import Marker
from practica.grading.classroom.marking import _result
from practica.grading.classroom.similarity import similar_pairs
from practica.grading.engine.rubric import load_rubric
from practica.grading.report.questions import Exceptions, serious
from practica.grading.student.folder import material

utils = pytest.importorskip("copydetect.utils", reason="needs the extra practica[similarity]")
SORTING = """
def order(values):
    # from the smallest on
    result = list(values)
    for i in range(len(result)):
        for j in range(i + 1, len(result)):
            if result[j] < result[i]:
                result[i], result[j] = result[j], result[i]
    total = 0
    while total < len(result) and result[total] is not None:
        total += 1
    return result[:total]
"""
COUNTING = """
class Counter:
    def __init__(self, words):
        self.seen = {word: words.count(word) for word in set(words)}

    def most(self):
        best = max(self.seen, key=self.seen.get)
        return best, self.seen[best] / sum(self.seen.values()) if self.seen else None

def describe(path):
    with open(path) as file:
        return Counter(file.read().split()).most()
"""


def renamed(source: str) -> str:
    """Do what someone does who copies: other names, other comments, other spaces."""
    for old, new in (
        ("result", "salida"),
        ("values", "datos"),
        ("total", "n"),
        ("# from the smallest on", "# ¡mío!"),
    ):
        source = source.replace(old, new)
    return source.replace("    ", "  ").replace("\n  for", "\n\n  for")


def test_a_copy_with_other_names_and_comments_is_found_and_nobody_else():
    """The names of the pair are in their order, whatever that of the class."""
    class_of = {
        "zoe": renamed(SORTING).encode(),
        "ana": SORTING.encode(),
        "brais": COUNTING.encode(),
    }
    (pair,) = similar_pairs(class_of).pairs
    assert (pair.first, pair.second) == ("ana", "zoe")
    assert pair.share == 1.0


def test_what_all_were_given_is_nobodys_copy():
    """The official template, with different work below it."""
    template = (material() / "plantilla.py").read_bytes()
    class_of = {"ana": template + SORTING.encode(), "brais": template + COUNTING.encode()}
    assert similar_pairs(class_of).pairs[0].share > 0.8
    assert similar_pairs(class_of, template).pairs == []


def test_two_model_answers_with_the_template_excluded_are_still_a_pair():
    """What was written in the template is the student's own."""
    template = (material() / "plantilla.py").read_bytes()
    assert [
        pair.share
        for pair in similar_pairs(
            {"a": MODEL.read_bytes(), "b": MODEL.read_bytes()}, template
        ).pairs
    ] == [1.0]


@pytest.mark.parametrize(
    "odd",
    [
        b"",
        b"\n\n",
        b"x = 1\n",
        b"def f(:\n",
        b"\xff\xfe\x00\x01",
        "año = 'ñandú'\n".encode("latin-1"),
        b"'" * 999,
        b"\0" * 99,
    ],
)
def test_a_file_that_cannot_be_read_stops_nothing(odd):
    """Nor is it like anything."""
    class_of = {"ana": SORTING.encode(), "odd": odd, "zoe": SORTING.encode()}
    assert [pair[:2] for pair in similar_pairs(class_of).pairs] == [("ana", "zoe")]


@pytest.mark.thorough
def test_the_shares_are_those_of_the_library(monkeypatch):
    """Which takes a hundred times as long to compare; the larger one of both directions."""
    monkeypatch.setattr(similarity, "LEAST", 1e-9)
    class_of = {each.slug: each.source for each in submissions()[::20]} | {
        "sorting": SORTING.encode()
    }
    prints = {name: similarity.fingerprints(source, 6) for name, source in class_of.items()}
    pairs = similar_pairs(class_of).pairs
    assert len(pairs) > 20
    for first, second, share in pairs:
        assert share == pytest.approx(max(theirs(prints[first], prints[second])))


def theirs(*prints):
    """Compare the fingerprints of two files with the functions of the library, in both
    directions.
    """
    indexes = []
    for each in prints:
        index = {}
        for place, kind in zip(each.places.tolist(), each.kinds.tolist(), strict=True):
            index.setdefault(kind, []).append(place)
        indexes.append(index)
    for places, index in zip(
        utils.find_fingerprint_overlap(*map(set, indexes), *indexes), indexes, strict=True
    ):
        begins, ends = utils.get_copied_slices(places, 25)
        yield (ends - begins).sum() / utils.get_token_coverage(
            index, 25, max(map(max, index.values())) + 25
        )


@pytest.mark.thorough
def test_every_process_gives_the_same_list():
    """Python's own hashes, which the library takes, are others in each: a class resumed would be
    another one.
    """
    program = (
        "from submissions import submissions\nfrom practica.grading.classroom.similarity import"
        " similar_pairs\nprint(similar_pairs({each.slug: each.source for each in"
        " submissions()[:12]}))\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    there = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    here = str(similar_pairs({each.slug: each.source for each in submissions()[:12]}))
    assert there.stdout == f"{here}\n"
    assert here.count("Pair(") > 50


@pytest.mark.parametrize("class_of", [{}, {"ana": SORTING.encode()}])
def test_nobody_is_like_nobody(class_of):
    """A class of one, or of none."""
    assert similar_pairs(class_of).pairs == []


def test_names_that_are_no_names_of_files_are_kept_and_the_list_is_not_endless(monkeypatch):
    """The most alike first, then by name; the same class gives the same list."""
    monkeypatch.setattr(similarity, "MOST", 5)
    class_of = {f"a/{number}\n": SORTING.encode() for number in range(6)}
    pairs = similar_pairs(class_of).pairs
    assert pairs == similar_pairs(dict(reversed(class_of.items()))).pairs
    assert [pair[:2] for pair in pairs] == [("a/0\n", f"a/{number}\n") for number in range(1, 6)]


@pytest.mark.slow
def test_who_cannot_be_compared_is_told(monkeypatch, tmp_path):
    """Nobody is left out without a word: it may be a copy."""
    for name, source in (("ana", SORTING), ("luis", SORTING), ("eva", f"{SORTING}dear = 1\n")):
        (tmp_path / f"{name}.py").write_text(source)

    def fails(code, *options):
        if "dear" in code:
            raise TooMuchError("it takes too much")
        return as_it_is(code, *options)

    as_it_is = utils.filter_code
    monkeypatch.setattr(utils, "filter_code", fails)
    collection = collect(sorted(tmp_path.glob("*.py")), tmp_path / "work")
    sources = {entry.id: entry.file.read_bytes() for entry in collection.entries}
    marker = Marker(load_rubric(), seed=1)
    of_class = _result(collection, sources, {}, marker, b"").class_
    assert [pair[:2] for pair in of_class.similar] == [("ana", "luis")]
    (told,) = of_class.incidents
    assert (told.code, told.entry, serious(told)) == ("submission.not_compared", "eva", True)


def test_pairs_that_are_not_listed_are_counted(monkeypatch, tmp_path):
    """The list of what needs a person says how many there are."""
    monkeypatch.setattr(similarity, "MOST", 2)
    for name in ("ana", "luis", "eva"):
        (tmp_path / f"{name}.py").write_text(SORTING)
    collection = collect(sorted(tmp_path.glob("*.py")), tmp_path / "work")
    sources = {entry.id: entry.file.read_bytes() for entry in collection.entries}
    result = _result(collection, sources, {}, Marker(load_rubric(), seed=1), b"")
    said = "3 pairs of submissions resemble each other, and only the 2 most alike are listed."
    assert said in map(str, Exceptions.of(result, "en").questions)


def test_a_team_is_not_compared_with_itself():
    """Every member has a copy; another team's is one of somebody else."""
    sources = dict.fromkeys(["a-ana", "a-luis", "b-eva"], SORTING.encode())
    teams = {"a-ana": "A", "a-luis": "A", "b-eva": "B"}
    found = similar_pairs(sources, owners=teams).pairs
    assert [each[:2] for each in found] == [("a-ana", "b-eva"), ("a-luis", "b-eva")]
