"""A table is read alike, or refused alike, in every format and packing."""

import random

import pytest
from lanes import one_in
from same.tables import CONTENTS, FORMATS, REFUSED, groups, plain


@pytest.mark.parametrize("kind", one_in(2, [*CONTENTS, *REFUSED]))
def test_a_table_is_the_same_in_every_format(kind):
    """Attributes to the last bit, classes, notes and holes; or the sentence of the refusal."""
    contents = (CONTENTS | REFUSED)[kind]
    (read,) = groups(contents(plain(seed=1)))
    assert read.startswith("(") == (kind in CONTENTS), read


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
