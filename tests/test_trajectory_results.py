"""Tool results: joined from the requests that send them back, and from the runs that a recorder saw."""

import pytest

from reviewlib.model.call import CallPart, Message, ModelCall, ResultPart
from reviewlib.model.cassette import ToolExecution
from reviewlib.model.frozen import Plain
from reviewlib.trajectory import conversations
from reviewlib.trajectory.fingerprint import arguments_sha
from reviewlib.trajectory.runs import plain_name
from tests.trajectory_calls import REFUND, answered, asked, back, call, got, lines, said, user, want


def ran(at: int, tool: str, result: Plain = "ok", **fields: Plain) -> ToolExecution:
    return ToolExecution(index=at, tool=tool, result=result, **fields)


def told(
    calls: list[ModelCall], *executions: ToolExecution, sees_executions: bool = False
) -> tuple[list[str], tuple[str, ...]]:
    """Return the tool calls of the only conversation as lines, and the orphans."""
    result = conversations(calls, executions, sees_executions=sees_executions)
    (trajectory,) = result.conversations
    return [line.split(" ", 1)[1] for line in lines(trajectory) if " call-" in line], result.orphans


def exchange(calls: tuple[CallPart, ...], results: tuple[ResultPart, ...]) -> list[ModelCall]:
    """An answer with these calls, and a request that sends these results back."""
    history = Message(role="assistant", parts=calls)
    return [
        call(0, asked(user("Go"), system=None), answered(*calls)),
        call(1, asked(user("Go"), history, back(*results), system=None), answered("Done.")),
    ]


class TestSentBack:
    """Results in the next request."""

    @pytest.mark.parametrize(
        ("calls", "results", "expected"),
        [
            pytest.param(
                (want("a", "1"), want("b", "2")),
                (got("B", "2"), got("A", "1")),
                ['call-1 a {} = "A"', 'call-2 b {} = "B"'],
                id="by id, whatever the order",
            ),
            pytest.param(
                (want("a"), want("b")),
                (got("B", tool="b"), got("A", tool="a")),
                ['call-1 a {} = "A"', 'call-2 b {} = "B"'],
                id="by tool, where ids are missing",
            ),
            pytest.param(
                (want("a", n=1), want("a", n=2)),
                (got("1", tool="a"), got("2", tool="a")),
                ['call-1 a {"n":1} = "1"', 'call-2 a {"n":2} = "2"'],
                id="by tool, in order",
            ),
            pytest.param(
                (want("a"), want("b")),
                (got("A"), got("B")),
                ['call-1 a {} = "A"', 'call-2 b {} = "B"'],
                id="by order, where nothing else is there",
            ),
            pytest.param(
                (want("a", "<redacted>"), want("b", "<redacted>")),
                (got("A", "<redacted>"), got("B", "<redacted>")),
                ['call-1 a {} = "A"', 'call-2 b {} = "B"'],
                id="by order, where all ids are masked alike",
            ),
            pytest.param(
                (want("a", "1"), want("b", "2")),
                (got("B", "2"), got("A")),
                ['call-1 a {} = "A"', 'call-2 b {} = "B"'],
                id="ids first, the rest by order",
            ),
            pytest.param(
                (want("a", "1"),),
                (got({"error": "gone"}, "1", is_error=True),),
                ['call-1 a {} = {"error":"gone"} !'],
                id="with the mark of an error",
            ),
            pytest.param((want("a", "1"),), (got(None, "1"),), ["call-1 a {} = null"], id="null is a result"),
            pytest.param(
                (want("a", "1"), want("b", "2")),
                (got("A", "1"),),
                ['call-1 a {} = "A"', "call-2 b {}"],
                id="a call without a result has none",
            ),
        ],
    )
    def test_results_are_joined(
        self, calls: tuple[CallPart, ...], results: tuple[ResultPart, ...], expected: list[str]
    ) -> None:
        assert told(exchange(calls, results)) == (expected, ())

    @pytest.mark.parametrize(
        ("results", "sentence"),
        [
            (
                (got("A", "1"), got("X", tool="x")),
                "A result of x in interaction 2 belongs to no recorded call.",
            ),
            ((got("A", "1"), got("X")), "A tool result in interaction 2 belongs to no recorded call."),
        ],
    )
    def test_a_result_without_a_call_is_an_orphan(self, results: tuple[ResultPart, ...], sentence: str) -> None:
        assert told(exchange((want("a", "1"),), results)) == (['call-1 a {} = "A"'], (sentence,))

    def test_results_beside_the_words_of_a_user_message_are_joined(self) -> None:
        both = Message(role="user", parts=(got("A", "1"), *user("And?").parts))
        calls = [
            call(0, asked(user("Go")), answered(want("a", "1"))),
            call(1, asked(user("Go"), said(want("a", "1")), both), answered("Done.")),
        ]
        (trajectory,) = conversations(calls).conversations
        assert lines(trajectory)[2:4] == ['2/1 call-1 a {} = "A"', "3/2 user And?"]

    def test_a_result_of_the_same_answer_is_joined(self) -> None:
        calls = [call(0, None, answered(want("a", "1"), got("A", "1"), "Done.", stop="end_turn"))]
        assert told(calls)[0] == ['call-1 a {} = "A"']

    def test_repeated_calls_each_keep_their_own_result(self) -> None:
        tools = tuple(("get_order", {"order_id": "1"}, {"status": status}) for status in ("new", "new", "sent"))
        for ids in ("a", None):
            found, orphans = told(REFUND.with_(tools=tools, ids=ids).calls())
            assert [line.rpartition(" = ")[2] for line in found] == [
                '{"status":"new"}',
                '{"status":"new"}',
                '{"status":"sent"}',
            ]
            assert orphans == ()

    def test_masked_ids_of_many_turns_join_each_result_to_the_newest_call(self) -> None:
        parts = [want("get", "<redacted>", n=number) for number in range(5)]
        messages = [user("Go")]
        calls = []
        for number, part in enumerate(parts):
            calls.append(call(number, asked(*messages), answered(part)))
            messages += [said(part), back(got(number, "<redacted>"))]
        calls.append(call(5, asked(*messages), answered("Done.")))
        assert [line.rpartition(" = ")[2] for line in told(calls)[0]] == ["0", "1", "2", "3", "4"]

    def test_tools_that_the_provider_runs_keep_the_result_of_their_own_answer(self) -> None:
        search = CallPart(
            call_id="s", tool="web_search", arguments={"q": "x"}, server_side=True, result=["hit"], result_recorded=True
        )
        calls = exchange((search, want("a", "1")), (got("A", "1"),))
        found, orphans = told(calls, sees_executions=True)
        assert found == ['call-1 web_search {"q":"x"} = ["hit"]', 'call-2 a {} = "A" never ran']
        assert orphans == ()

    def test_a_paused_answer_gets_the_result_of_its_search_from_the_next(self) -> None:
        search = CallPart(call_id="s1", tool="web_search", arguments={}, server_side=True)
        calls = [
            call(0, asked(user("Go")), answered(search, stop="pause_turn")),
            call(1, asked(user("Go"), said(search)), answered(got(["hit"], "s1"), "Done.", stop="end_turn")),
        ]
        assert told(calls) == (['call-1 web_search {} = ["hit"]'], ())


class TestRuns:
    """Tool runs that the recorder saw itself."""

    ASKED = (
        call(0, None, answered(want("get_order", "c1", id=1), want("issue_refund", "c2", amount=39.0))),
        call(9, None, answered("Done.")),
    )

    @pytest.mark.parametrize(
        ("executions", "expected"),
        [
            pytest.param(
                (ran(1, "x", "R", call_id="c2"), ran(2, "y", "O", call_id="c1")), ['"O" ran', '"R" ran'], id="by id"
            ),
            pytest.param(
                (
                    ran(1, "issue_refund", "R", arguments={"amount": 39}),
                    ran(2, "get_order", "O", arguments={"id": 1}),
                ),
                ['"O" ran', '"R" ran'],
                id="by tool and arguments, 39 being 39.0",
            ),
            pytest.param(
                (
                    ran(1, "issueRefund", "R", arguments={"amount": 39}),
                    ran(2, "tool.getOrder", "O", arguments={"id": 1}),
                ),
                ['"O" ran', '"R" ran'],
                id="by the harness's name for the tool",
            ),
            pytest.param(
                (
                    ran(1, "issueRefund", "R", arguments_recorded=False, arguments_sha=arguments_sha({"amount": 39})),
                    ran(2, "getOrder", "O", arguments_recorded=False, arguments_sha=arguments_sha({"id": 1})),
                ),
                ['"O" ran', '"R" ran'],
                id="by the hash of the arguments",
            ),
            pytest.param(
                (ran(1, "refund", "R", arguments={"amount": 39}), ran(2, "lookup", "O", arguments={"id": 1})),
                ['"O" ran', '"R" ran'],
                id="by arguments alone, where the harness renames tools",
            ),
            pytest.param(
                (ran(1, "issue_refund", "R", arguments={"amount": 39, "currency": "USD"}), ran(2, "get_order", "O")),
                ['"O" ran', '"R" ran'],
                id="by tool, where the framework filled in defaults",
            ),
            pytest.param((ran(1, "get_order", "O", arguments={"id": 1}),), ['"O" ran', "never ran"], id="one only"),
        ],
    )
    def test_runs_are_linked_to_the_calls_that_asked_for_them(
        self, executions: tuple[ToolExecution, ...], expected: list[str]
    ) -> None:
        found, orphans = told(list(self.ASKED), *executions)
        assert [line.split("} ", 1)[1].removeprefix("= ") for line in found] == expected
        assert orphans == ()

    def test_stricter_evidence_wins_over_order(self) -> None:
        calls = [call(0, None, answered(want("get", "c1", n=1), want("get", "c2", n=2))), call(9, None, answered("."))]
        found, _ = told(calls, ran(1, "get", "two", arguments={"n": 2}), ran(2, "get", "one", arguments={"n": 1.0}))
        assert found == ['call-1 get {"n":1} = "one" ran', 'call-2 get {"n":2} = "two" ran']

    def test_a_repeated_call_gets_the_run_that_followed_it(self) -> None:
        calls = [call(at, None, answered(want("get", n=1))) for at in (0, 2, 4)] + [call(6, None, answered("."))]
        found, _ = told(calls, ran(1, "get", "1st", arguments={"n": 1}), ran(5, "get", "3rd", arguments={"n": 1}))
        assert [line.split(" ", 3)[3] for line in found] == ['= "1st" ran', "never ran", '= "3rd" ran']

    def test_a_run_written_before_its_answer_is_linked_all_the_same(self) -> None:
        found, orphans = told([call(5, None, answered(want("get", n=1)))], ran(0, "get", "early", arguments={"n": 1}))
        assert (found, orphans) == (['call-1 get {"n":1} = "early" ran'], ())

    def test_the_run_is_the_result_and_the_request_adds_whether_it_failed(self) -> None:
        calls = exchange((want("a", "1"),), (got("cut …", "1", is_error=True),))
        found, _ = told(calls, ran(1, "a", "the whole", call_id="1"))
        assert found == ['call-1 a {} = "the whole" ! ran']

    def test_what_the_run_says_of_failing_goes_first(self) -> None:
        calls = exchange((want("a", "1"),), (got("x", "1", is_error=True),))
        assert told(calls, ran(1, "a", "x", call_id="1", is_error=False))[0] == ['call-1 a {} = "x" ran']

    @pytest.mark.parametrize(
        ("results", "expected"),
        [
            pytest.param((), "call-1 a {} ran", id="no result anywhere"),
            pytest.param((got("A", "1"),), 'call-1 a {} = "A" ran', id="it was sent back"),
            pytest.param(
                (got("x", "1", is_error=True),), 'call-1 a {} = "x" ! ran', id="it was sent back as a failure"
            ),
        ],
    )
    def test_a_run_that_was_seen_to_begin_only_has_no_result_of_its_own(
        self, results: tuple[ResultPart, ...], expected: str
    ) -> None:
        calls = exchange((want("a", "1"),), results) if results else [call(0, None, answered(want("a", "1")))]
        assert told(calls, ran(1, "a", None, call_id="1", result_recorded=False))[0] == [expected]

    def test_a_call_that_never_ran_may_still_have_a_result_in_the_request(self) -> None:
        calls = exchange((want("a", "1"),), (got("raised", "1", is_error=True),))
        assert told(calls, sees_executions=True)[0] == ['call-1 a {} = "raised" ! never ran']

    def test_a_call_that_was_handed_over_may_have_run_before(self) -> None:
        shown = (user("Go"), said(want("a", "1")), back(got("A", "1")))
        calls = [call(0, asked(*shown), answered(want("b", "2")))]
        assert told(calls, sees_executions=True)[0] == ['call-1 a {} = "A"', "call-2 b {} never ran"]

    def test_where_runs_are_not_seen_nothing_is_said_about_them(self) -> None:
        assert told([call(0, None, answered(want("a", "1")))])[0] == ["call-1 a {}"]

    def test_a_run_that_nothing_asked_for_is_an_orphan(self) -> None:
        _, orphans = told(list(self.ASKED), ran(1, "send_mail", arguments={"to": "x"}))
        assert orphans == ("send_mail ran (interaction 2), but no recorded answer asks for it.",)

    def test_no_arguments_alone_link_nothing(self) -> None:
        calls = [call(0, None, answered(want("list_orders", "c1"))), call(9, None, answered("."))]
        found, orphans = told(calls, ran(1, "audit", arguments={}))
        assert (found, len(orphans)) == (["call-1 list_orders {} never ran"], 1)

    def test_arguments_that_could_not_be_parsed_are_linked_by_tool(self) -> None:
        broken = CallPart(call_id=None, tool="a", arguments_raw="{")
        assert told([call(0, None, answered(broken))], ran(1, "a"))[0] == ['call-1 a { = "ok" ran']

    def test_runs_of_interleaved_conversations_find_their_own(self) -> None:
        calls = [*REFUND.calls(0, 10), *REFUND.with_(ids="b", opening="Refund order 1").calls(1, 10)]
        runs = [
            ran(2, "get_order", "mine", call_id="a0"),
            ran(3, "get_order", "theirs", call_id="b0"),
        ]
        found = conversations(sorted(calls, key=lambda one: one.interaction), runs).conversations
        assert [trajectory.calls[0].result for trajectory in found] == ["mine", "theirs"]


class TestToolRunsAlone:
    """Cassettes without a model call (tool-server transcripts, recorders that missed the model)."""

    def test_each_run_is_a_step_in_a_turn_of_its_own(self) -> None:
        result = conversations([], [ran(3, "a", "A", arguments={"n": 1}), ran(5, "b", "B", is_error=True)])
        (trajectory,) = result.conversations
        assert lines(trajectory) == ['0/1 call-1 a {"n":1} = "A" ran', '1/2 call-2 b null = "B" ! ran']
        assert [(turn.interaction, turn.first, turn.end) for turn in trajectory.turns] == [(3, 0, 1), (5, 1, 2)]
        assert not any(turn.recorded for turn in trajectory.turns)

    def test_they_are_no_orphans(self) -> None:
        assert conversations([], [ran(0, "a")]).orphans == ()


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("get_order", "getOrder", True),
        ("get_order", "tool.getOrder", True),
        ("mcp__acme__get_order", "get-order", True),
        ("acme:get_order", "GET_ORDER", True),
        ("get_order", "get_orders", False),
        ("__", "__", True),
        ("注文", "注文", True),
    ],
)
def test_tool_names_of_harness_and_model_are_compared_plainly(one: str, other: str, alike: bool) -> None:
    assert (plain_name(one) == plain_name(other)) is alike


class TestArgumentsSha:
    """The hash that ``name-hash-map`` stores in place of the arguments."""

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ({"amount": 39}, {"amount": 39.0}),
            ({"a": 1, "b": [1, 2.0]}, {"b": [1.0, 2], "a": 1.0}),
            ({"n": -0.0}, {"n": 0}),
            ({"n": float("nan")}, {"n": None}),
            ({"n": 10**400}, {"n": float("inf")}),
            ({"n": 2**53 + 1}, {"n": 2**53}),
        ],
    )
    def test_what_javascript_writes_alike_hashes_alike(self, one: Plain, other: Plain) -> None:
        assert arguments_sha(one) == arguments_sha(other)

    @pytest.mark.parametrize(
        ("one", "other"),
        [({"n": True}, {"n": 1}), ({"n": "1"}, {"n": 1}), ({"n": 0.1}, {"n": 0.2}), ({}, [])],
    )
    def test_what_it_writes_otherwise_does_not(self, one: Plain, other: Plain) -> None:
        assert arguments_sha(one) != arguments_sha(other)

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            # From a cassette that node 20 wrote: ids of tool.getOrder and tool.checkRefundPolicy.
            ({"order_id": "4471"}, "28304b9a9774b2ed"),
            ({"order_id": "4471", "reason": "damaged"}, "f3be47faf1a54123"),
        ],
    )
    def test_recorded_hashes_are_met(self, arguments: Plain, expected: str) -> None:
        assert arguments_sha(arguments) == expected


class TestMessages:
    """In which message of the history a result was sent back."""

    @pytest.mark.parametrize(
        ("sent", "expected"),
        [
            pytest.param((back(got("A", "1"), got("B", "2")),), [2, 2], id="in one"),
            pytest.param((back(got("A", "1")), back(got("B", "2"))), [2, 3], id="in two"),
            pytest.param((back(got("B", "2")), back(got("A", "1"))), [3, 2], id="in two, the other way round"),
            pytest.param((back(got("A")), user("And"), back(got("B"))), [2, 4], id="in two, by order"),
            pytest.param((back(got("A", "1")),), [2, None], id="one never"),
        ],
    )
    def test_a_call_knows_the_message_of_its_result(
        self, sent: tuple[Message, ...], expected: list[int | None]
    ) -> None:
        history = said(want("a", "1"), want("b", "2"))
        calls = [
            call(0, asked(user("Go"), system=None), answered(want("a", "1"), want("b", "2"))),
            call(1, asked(user("Go"), history, *sent, system=None), answered("Done.")),
        ]
        (trajectory,) = conversations(calls).conversations
        assert [each.result_message for each in trajectory.calls] == expected

    def test_a_run_that_a_recorder_saw_is_known_with_the_message_that_sent_its_result_back(self) -> None:
        calls = exchange((want("a", "1"),), (got("A", "1"),))
        (trajectory,) = conversations(calls, [ran(5, "a", "A")]).conversations
        (only,) = trajectory.calls
        assert (only.executed, only.result, only.result_message) == (True, "A", 2)
