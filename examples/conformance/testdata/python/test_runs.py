"""Runs of every mode, and what comes out of them."""

import asyncio
import base64
from datetime import datetime, timedelta, timezone

import httpx
import pytest
from acp_sdk.client import Client
from acp_sdk.models import (
    ACPError,
    ArtifactEvent,
    CitationMetadata,
    Message,
    MessageAwaitResume,
    MessagePart,
    MessagePartEvent,
    RunStatus,
    TrajectoryMetadata,
)

from conftest import message, texts, times_need_offsets, until

HELLO = Message(
    parts=[MessagePart(content="Hello!")],
    created_at=datetime(2025, 1, 2, 3, 4, 5, 678901, timezone.utc),
    completed_at=datetime(2025, 1, 2, 3, 4, 6, 0, timezone.utc),
)
RESUME = MessageAwaitResume(message=Message(parts=[]))


def said(by: str, *messages: Message) -> list[Message]:
    return [m.model_copy(update={"role": f"agent/{by}"}) for m in messages]


# Modes


async def test_sync_answers_with_the_completed_run(client: Client, answers: list[httpx.Response]) -> None:
    run = await client.run_sync(HELLO, agent="echo")
    assert (answers[-1].status_code, answers[-1].headers["Run-ID"]) == (200, str(run.run_id))
    assert (run.status, run.agent_name, run.error, run.await_request) == (RunStatus.COMPLETED, "echo", None, None)
    assert run.session_id is not None
    assert run.output == said("echo", HELLO)
    assert run.created_at <= run.finished_at


async def test_async_answers_before_the_work_starts(client: Client, answers: list[httpx.Response]) -> None:
    run = await client.run_async(HELLO, agent="echo")
    assert (answers[-1].status_code, answers[-1].headers["Run-ID"]) == (202, str(run.run_id))
    assert (run.status, run.output, run.finished_at) == (RunStatus.CREATED, [], None)


async def test_async_completes_in_time(client: Client) -> None:
    run = await client.run_async(HELLO, agent="echo")
    run = await until(client, run.run_id, RunStatus.COMPLETED)
    assert run.output == said("echo", HELLO)


async def test_stream_begins_with_created_and_ends_with_completed(
    client: Client, answers: list[httpx.Response]
) -> None:
    events = [event async for event in client.run_stream(HELLO, agent="echo")]
    assert (events[0].type, events[-1].type) == ("run.created", "run.completed")
    assert events[0].run.status == RunStatus.CREATED
    assert events[-1].run.output == said("echo", HELLO)
    assert (answers[-1].status_code, answers[-1].headers["Run-ID"]) == (200, str(events[0].run.run_id))
    assert answers[-1].headers["Content-Type"].startswith("text/event-stream")


async def test_status_is_in_progress_while_the_agent_works(client: Client) -> None:
    async for event in client.run_stream(HELLO, agent="slow-echo"):
        if event.type == "run.in-progress":
            run = await client.run_status(run_id=event.run.run_id)
            assert (run.status, run.finished_at) == (RunStatus.IN_PROGRESS, None)


async def test_a_stream_that_the_client_leaves_goes_on(client: Client) -> None:
    stream = client.run_stream(HELLO, agent="slow-echo")
    async for event in stream:
        if event.type == "run.in-progress":
            break
    await stream.aclose()
    assert (await client.run_status(run_id=event.run.run_id)).status == RunStatus.IN_PROGRESS
    await until(client, event.run.run_id, RunStatus.COMPLETED)


async def test_a_sync_run_that_the_client_leaves_goes_on(client: Client) -> None:
    session = client.session()
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(session.run_sync(HELLO, agent="slow-echo"), 0.6)
    # Nobody told the client which run it was. That the session remembers it shows that it completed.
    for _ in range(100):
        if (await session.refresh_session()).history:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the run never completed")


# Input


@pytest.mark.parametrize(
    ("given", "said"),
    [
        pytest.param("one", [["one"]], id="a string"),
        pytest.param(["one", "two"], [["one", "two"]], id="strings"),
        pytest.param(MessagePart(content="one"), [["one"]], id="a part"),
        pytest.param([MessagePart(content="one"), MessagePart(content="two")], [["one", "two"]], id="parts"),
        pytest.param(message("one"), [["one"]], id="a message"),
        pytest.param([message("one"), message("two", "three")], [["one"], ["two", "three"]], id="messages"),
        pytest.param([], [], id="nothing"),
        pytest.param(Message(parts=[]), [[]], id="a message without parts"),
        pytest.param("", [[""]], id="an empty string"),
        pytest.param("ÄÖ 語 🎈 \u2028 <&>", [["ÄÖ 語 🎈 \u2028 <&>"]], id="any script"),
    ],
)
async def test_every_form_of_input_reaches_the_agent(client: Client, given: object, said: list) -> None:
    run = await client.run_sync(given, agent="echo")
    assert (run.status, texts(run.output)) == (RunStatus.COMPLETED, said)


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(MessagePart(content="eA==", content_encoding="base64", content_type="image/png"), id="base64"),
        pytest.param(MessagePart(content_url="https://example.com/a.png?b=c"), id="address"),
        pytest.param(MessagePart(content_url="data:text/plain,Hello"), id="data address"),
        pytest.param(MessagePart(), id="neither content nor address"),
        pytest.param(MessagePart(name="a.txt", content="x"), id="artifact"),
        pytest.param(MessagePart(content="x", mood="good", depth={"a": [1, None]}), id="keys of its own"),
        pytest.param(
            MessagePart(content="x", metadata=CitationMetadata(start_index=0, end_index=1, url="https://example.com")),
            id="citation",
        ),
        pytest.param(
            MessagePart(
                content="x",
                metadata=TrajectoryMetadata(message="m", tool_name="t", tool_input={"q": 1}, tool_output={"a": [2]}),
            ),
            id="trajectory",
        ),
    ],
)
async def test_every_kind_of_part_comes_back_as_it_was(client: Client, part: MessagePart) -> None:
    run = await client.run_sync(part, agent="echo")
    assert run.output[0].parts == [part]


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param(datetime(2025, 1, 2, 3, 4, 5, 0, timezone.utc), id="whole second"),
        pytest.param(datetime(2025, 1, 2, 3, 4, 5, 1, timezone.utc), id="a microsecond"),
        pytest.param(datetime(2025, 1, 2, 3, 4, 5, 0, timezone(timedelta(hours=5, minutes=30))), id="elsewhere"),
    ],
)
async def test_times_keep_every_microsecond(client: Client, moment: datetime) -> None:
    run = await client.run_sync(Message(parts=[], created_at=moment, completed_at=moment), agent="echo")
    assert (run.output[0].created_at, run.output[0].completed_at) == (moment, moment)


@times_need_offsets
async def test_times_may_lack_an_offset(client: Client) -> None:
    moment = datetime(2025, 1, 2, 3, 4, 5)
    run = await client.run_sync(Message(parts=[], created_at=moment), agent="echo")
    assert run.output[0].created_at.replace(tzinfo=None) == moment


async def test_a_megabyte_passes(client: Client) -> None:
    content = "x" * 2**20
    run = await client.run_sync(content, agent="echo")
    assert texts(run.output) == [[content]]
    events = [event async for event in client.run_stream(content, agent="echo")]
    assert texts(events[-1].run.output) == [[content]]


async def test_runs_go_on_side_by_side(client: Client) -> None:
    runs = await asyncio.gather(*(client.run_sync(str(i), agent="slow-echo") for i in range(20)))
    assert [texts(run.output) for run in runs] == [[[str(i)]] for i in range(20)]
    # One after the other they would take 20 seconds.
    assert (max(run.finished_at for run in runs) - min(run.created_at for run in runs)).total_seconds() < 10


# Output


async def test_parts_of_many_types_are_one_message(client: Client) -> None:
    run = await client.run_sync("show", agent="mime-types")
    assert [m.role for m in run.output] == ["agent/mime-types"]
    assert [(part.content_type, part.content) for part in run.output[0].parts] == [
        ("text/html", "<h1>HTML Content</h1>"),
        ("application/json", '{"key": "value"}'),
        ("application/javascript", "console.log('Hello');"),
        ("text/css", "body { color: red; }"),
    ]


async def test_a_message_may_mix_base64_and_plain_text(client: Client) -> None:
    run = await client.run_sync("show", agent="base64-encoding")
    assert run.status == RunStatus.COMPLETED
    [said] = run.output
    image, text = said.parts
    assert (image.content_type, image.content_encoding) == ("image/png", "base64")
    assert base64.b64decode(image.content, validate=True)
    assert (text.content_type, text.content_encoding, text.content) == ("text/plain", "plain", "This is plain text")


async def test_artifacts_are_parts_with_a_name(client: Client) -> None:
    run = await client.run_sync("make", agent="artifact-producer")
    [said] = run.output
    assert [(p.name, p.content_type, p.content_encoding) for p in said.parts] == [
        (None, "text/plain", "plain"),
        ("text-result.txt", "text/plain", "plain"),
        ("data.json", "application/json", "plain"),
        ("image.png", "image/png", "base64"),
    ]
    assert [p.content for p in said.parts[:3]] == [
        "Processing with artifacts",
        "This is a text artifact result",
        '{"results": [1, 2, 3], "status": "complete"}',
    ]
    assert base64.b64decode(said.parts[3].content, validate=True)


async def test_streamed_artifacts_are_told_apart_from_parts(client: Client) -> None:
    events = [event async for event in client.run_stream("make", agent="artifact-producer")]
    assert [event.part.content for event in events if isinstance(event, MessagePartEvent)] == [
        "Processing with artifacts"
    ]
    assert [event.part.name for event in events if isinstance(event, ArtifactEvent)] == [
        "text-result.txt",
        "data.json",
        "image.png",
    ]


# Failure


@pytest.mark.parametrize("agent", ["failer", "raiser"])
async def test_a_failed_run_has_the_error_of_its_agent(
    client: Client, answers: list[httpx.Response], agent: str
) -> None:
    run = await client.run_sync("Why?", agent=agent)
    assert (answers[-1].status_code, run.status) == (200, RunStatus.FAILED)
    assert (run.error.code, run.error.message) == ("invalid_input", "Wrong question buddy!")
    assert run.finished_at is not None
    with pytest.raises(ACPError, match="Wrong question buddy!"):
        run.raise_for_status()


async def test_any_other_error_is_a_server_error_with_its_text(client: Client) -> None:
    run = await client.run_sync("Why?", agent="breaker")
    assert (run.status, run.error.code, run.error.message) == (RunStatus.FAILED, "server_error", "out of paper")
    assert texts(run.output) == [["half"]]


# Cancel


@pytest.mark.parametrize("agent", ["awaiter", "slow-echo"])
async def test_cancel_is_cancelling_and_then_cancelled(
    client: Client, answers: list[httpx.Response], agent: str
) -> None:
    run = await client.run_async(HELLO, agent=agent)
    run = await client.run_cancel(run_id=run.run_id)
    assert (answers[-1].status_code, run.status, run.finished_at) == (202, RunStatus.CANCELLING, None)
    run = await until(client, run.run_id, RunStatus.CANCELLED)
    assert run.error is None
    assert run.finished_at is not None
    with pytest.raises(asyncio.CancelledError):
        run.raise_for_status()


async def test_cancel_of_an_awaiting_run_keeps_what_it_awaited(client: Client) -> None:
    run = await client.run_sync(HELLO, agent="awaiter")
    assert run.status == RunStatus.AWAITING
    await client.run_cancel(run_id=run.run_id)
    run = await until(client, run.run_id, RunStatus.CANCELLED)
    assert run.await_request is not None


async def test_a_cancelled_stream_ends_with_run_cancelled(client: Client) -> None:
    events = []
    async for event in client.run_stream(HELLO, agent="slow-echo"):
        events.append(event)
        if event.type == "run.in-progress":
            run = await client.run_cancel(run_id=event.run.run_id)
            assert run.status == RunStatus.CANCELLING
    assert events[-1].type == "run.cancelled"
    assert events[-1].run.status == RunStatus.CANCELLED


# Resume


async def test_a_run_that_awaits_says_what_for(client: Client, answers: list[httpx.Response]) -> None:
    run = await client.run_sync(HELLO, agent="awaiter")
    assert (answers[-1].status_code, run.status, run.finished_at) == (200, RunStatus.AWAITING, None)
    assert (run.await_request.type, run.await_request.message.parts) == ("message", [])


@pytest.mark.parametrize(
    "agent", ["echo", "failer", "awaiter", "interviewer"]
)
async def test_a_run_reads_the_same_twice(client: Client, agent: str) -> None:
    run = await client.run_sync(HELLO, agent=agent)
    first, second = [await client.run_status(run_id=run.run_id) for _ in range(2)]
    assert first == second


async def test_resume_sync_completes_the_run(client: Client, answers: list[httpx.Response]) -> None:
    run = await client.run_sync(HELLO, agent="awaiter")
    run = await client.run_resume_sync(RESUME, run_id=run.run_id)
    assert (answers[-1].status_code, run.status, texts(run.output)) == (200, RunStatus.COMPLETED, [["empty"]])
    assert run.await_request is not None  # what was awaited stays on record


async def test_resume_async_is_in_progress_and_then_completes(client: Client, answers: list[httpx.Response]) -> None:
    run = await client.run_sync(HELLO, agent="awaiter")
    run = await client.run_resume_async(RESUME, run_id=run.run_id)
    assert (answers[-1].status_code, run.status) == (202, RunStatus.IN_PROGRESS)
    await until(client, run.run_id, RunStatus.COMPLETED)


async def test_resume_stream_begins_with_in_progress(client: Client, answers: list[httpx.Response]) -> None:
    run = await client.run_sync(HELLO, agent="awaiter")
    events = [event async for event in client.run_resume_stream(RESUME, run_id=run.run_id)]
    assert answers[-1].status_code == 200
    assert (events[0].type, events[-1].type) == ("run.in-progress", "run.completed")


async def test_the_agent_receives_what_the_resume_says(client: Client) -> None:
    run = await client.run_sync(HELLO, agent="interviewer")
    assert texts([run.await_request.message]) == [["Who are you?"]]
    run = await client.run_resume_sync(MessageAwaitResume(message=message("Ada")), run_id=run.run_id)
    assert texts(run.output) == [["Hello, ", "Ada"]]
