"""What a student reads in Moodle: every function that is not right, safely."""

from dataclasses import replace
from decimal import Decimal
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moodle_files import submission

from practica.grading.engine.result import Adjustment, CheckResult, FunctionResult
from practica.grading.engine.rubric import load_rubric
from practica.grading.report.messages import say
from practica.grading.report.moodle_comment import comment, stamped


class Tags(HTMLParser):
    """Collect tags and text, and see that every tag is closed."""

    def __init__(self, html):
        super().__init__()
        self.open, self.seen, self.text = [], set(), ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        """Open a tag; none has an attribute."""
        assert attrs == []
        self.seen.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        """Close the last tag."""
        assert self.open.pop() == tag

    def handle_data(self, data):
        """Collect text."""
        self.text += data


def test_feedback_is_well_formed_in_one_line():
    """Only our own tags; what students write is text."""
    function = submission().functions[1]
    check = replace(function.checks[0], facts={"call": "<img src=x>\r\n& 'x'", "obtained": ""})
    html = comment(submission(functions=(replace(function, name="<script>", checks=(check,)),)))
    assert Tags(html).seen <= {"p", "strong", "code", "ul", "li", "br"}
    assert "<img src=x> & 'x' debe devolver" in Tags(html).text
    assert not {"\r", "\n"} & set(html)


@pytest.mark.parametrize("lang", ["es", "en"])
def test_every_function_that_is_not_right_is_told(lang):
    """At least by its name; those that are right are not."""
    html = comment(submission(), lang=lang)
    told = [function.name for function in submission().functions if function.name in html]
    assert told == ["accuracy", "hold_out", "crossvalidation", "build_class_ann"]
    assert "0.25 / 2.50" in html
    assert say("loops.hidden", {"names": "map", "lines": [3]}, lang) not in html


@given(
    st.lists(
        st.sampled_from(["fail", "missing", "rule", "not_run", "pass"]), min_size=17, max_size=17
    ),
    st.text(max_size=900),
    st.sampled_from(["es", "en"]),
)
def test_a_comment_is_read_in_one_glance(verdicts, said_there, lang):
    """At most 500 characters with 17 functions, whatever students and instructors write.

    Each function is named.
    """
    known = [*load_rubric().rows]
    check = CheckResult(
        "accuracy.bool",
        "fail",
        "any.raises",
        {"call": said_there, "error": said_there, "line": "1"},
    )
    functions = tuple(
        FunctionResult(name, name, 1, 0.2 * (verdict == "pass"), 0.2, verdict, checks=(check,))
        for name, verdict in zip(known, verdicts, strict=False)
    )
    adjusted = (Adjustment("total", 2.0, 1.0, said_there),)
    made = replace(submission(functions=functions), adjustments=adjusted)
    html = stamped(comment(made, lang, "10.00", "10.00"), Decimal("10"))
    told = Tags(html).text
    lost = [name for name, verdict in zip(known, verdicts, strict=False) if verdict != "pass"]
    assert all(name in told for name in lost)
    assert len(told) <= max(500, 250 + sum(len(name) + 2 for name in lost))


@pytest.mark.parametrize(
    ("status", "start"), [("not_run", "<p><strong>0.25"), ("grader_error", "<p><strong>–")]
)
def test_a_submission_that_was_not_graded_has_the_reason_of_its_own(status, start):
    """The grader's inner errors are not the student's."""
    html = comment(submission(status=status))
    assert html.startswith(start)
    assert ("&lt;mal&gt;" in html) == (status == "not_run")
