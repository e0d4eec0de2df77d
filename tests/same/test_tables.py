"""A table is read alike, or refused alike, in every format and packing."""

import random

import pytest
from lanes import one_in
from same.tables import CONTENTS, FORMATS, REFUSED, TARGET, as_csv, groups, plain

from practica.experiments.choices import PACKED
from tests.tables import read_csv


@pytest.mark.parametrize("kind", one_in(4, [*CONTENTS, *REFUSED]))
def test_a_table_is_the_same_in_every_format(kind):
    """Attributes to the last bit, classes, notes and holes; or the sentence of the refusal."""
    contents = (CONTENTS | REFUSED)[kind]
    (read,) = groups(contents(plain(seed=1)))
    assert read.startswith("(") == (kind in CONTENTS), read


def test_each_packing_of_the_help_is_tried():
    """The help of the commands names what the formats here are packed in."""
    assert {*PACKED} <= {*FORMATS}


@pytest.mark.parametrize("has_name", [True, False])
def test_names_of_rows_change_nothing_but_a_note(tmp_path, has_name):
    """R's write.csv writes an empty name above them, and write.table none."""
    header, *rows = as_csv(plain(seed=1)).splitlines()
    lines = [f'"",{header}' if has_name else header]
    lines += [f"row{number},{row}" for number, row in enumerate(rows)]
    (tmp_path / "plain").write_text("\n".join([header, *rows]))
    (tmp_path / "t").write_text("\n".join(lines))
    expected, read = (read_csv(tmp_path / name, TARGET) for name in ("plain", "t"))
    assert (read.sha256, read.attributes) == (expected.sha256, expected.attributes)
    assert "names the rows, 'row0'" in read.notes[0]
    assert read.notes[1:] == expected.notes


@pytest.mark.parametrize("seed", one_in(40, range(200)))
def test_several_contents_at_once_are_the_same_in_every_format(seed):
    """Three of them, in six formats beside a CSV."""
    rng, table = random.Random(seed), plain(seed)
    # these change the header, which is then another one
    kinds = [
        kind for kind in (*REFUSED, *CONTENTS) if kind not in ("header again", "no such target")
    ]
    kinds = sorted(rng.sample(kinds, 3), key=kinds.index)
    for kind in kinds:
        table = (CONTENTS | REFUSED)[kind](table)
    found = groups(table, ["csv", *rng.sample([*FORMATS], 6)])
    assert len(found) == 1, (kinds, found)
