from poolscope.formats.shapes import steps
from poolscope.formats.shapes.steps import Step

DOCUMENTS = [{"page_content": "a", "metadata": {}}]
NAMED = [{"page_content": "a", "metadata": {}, "id": "1"}]


def test_a_retrieval_may_give_any_list() -> None:
    found = steps.questions([Step(input="q", output=["a"], retrieves=True)])
    assert [passage.text for passage in found[0].passages] == ["a"]
    assert found[0].query == "q"


def test_a_list_that_several_steps_pass_on_is_read_once() -> None:
    listed = [Step(name="r", trace="t", output=DOCUMENTS, retrieves=True)] * 2
    (found,) = steps.questions(listed)
    assert "2 steps of the trace hold the same passages; they are read once." in found.notes


def test_one_list_in_two_traces_is_two_questions() -> None:
    listed = [Step(trace=trace, output=DOCUMENTS, retrieves=True) for trace in "tu"]
    assert len(steps.questions(listed)) == 2


def test_the_same_passages_for_another_question_are_another_retrieval() -> None:
    listed = [Step(trace="t", input=q, output=DOCUMENTS, retrieves=True) for q in ("p", "q")]
    assert [question.query for question in steps.questions(listed)] == ["p", "q"]


def test_ids_that_another_step_of_the_trace_wrote() -> None:
    retrieval = Step(trace="t", output=DOCUMENTS, retrieves=True)
    (found,) = steps.questions([retrieval, Step(trace="t", output={"outputs": NAMED})])
    assert found.passages[0].id == "1"
    (alone,) = steps.questions([retrieval, Step(trace="u", output={"outputs": NAMED})])
    assert alone.passages[0].id is None


def test_none() -> None:
    (refused,) = steps.questions([Step(output="x"), Step(retrieves=True)])
    assert refused.problem.startswith("None of 2 steps holds the passages of a retrieval")
