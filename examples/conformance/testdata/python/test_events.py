"""The order of events, and that each is the run as it was at its moment."""

import pytest
from acp_sdk.client import Client
from acp_sdk.models import Event, MessageAwaitResume, RunStatus

from conftest import REFERENCE, better_than_reference, message, shape, speaker, until


async def stream(client: Client, agent: str) -> list[Event]:
    return [event async for event in client.run_stream([message("one"), message("two", "three")], agent=agent)]


def message_events(role: str, *contents: str) -> list[str]:
    """The events of a message that is made bit by bit."""
    parts = [f"message.part {content}" for content in contents]
    return [f"message.created {role}", *parts, f"message.completed {role} {'+'.join(contents)}"]


def whole_message_events(role: str, *contents: str) -> list[str]:
    """The events of a message that the agent yields at once."""
    parts = [f"message.part {content}" for content in contents]
    return [f"message.created {role} {'+'.join(contents)}", *parts, f"message.completed {role} {'+'.join(contents)}"]


@pytest.mark.parametrize(
    ("agent", "events"),
    [
        pytest.param("silent", [], id="no output, no message"),
        pytest.param("mime-types", None, id="parts join one message"),
        pytest.param(
            "notifier",
            ["message.created agent/notifier", "message.part one", "generic {'progress': 50}",
             "message.part two", "message.completed agent/notifier one+two"],
            id="a generic event leaves the message",
        ),
        pytest.param(
            "pauser",
            message_events("agent/pauser", "one") + message_events("agent/pauser", "two"),
            id="a pause completes the message",
        ),
        pytest.param(
            "echo",
            whole_message_events(speaker("echo"), "one") + whole_message_events(speaker("echo"), "two", "three"),
            id="whole messages",
        ),
        pytest.param(
            "mixer",
            message_events("agent/mixer", "first")
            + whole_message_events(speaker("mixer"), "whole", "message")
            + message_events("agent/mixer", "last"),
            id="a whole message completes the open one",
        ),
    ],
)  # fmt: skip
async def test_events_of_a_completed_run(client: Client, agent: str, events: list[str] | None) -> None:
    if events is None:
        events = message_events(
            f"agent/{agent}",
            "<h1>HTML Content</h1>", '{"key": "value"}', "console.log('Hello');", "body { color: red; }",
        )  # fmt: skip
    assert shape(await stream(client, agent)) == ["run.created", "run.in-progress", *events, "run.completed"]


@pytest.mark.parametrize("agent", ["failer", "raiser"])
async def test_a_failed_run_ends_with_run_failed(client: Client, agent: str) -> None:
    events = await stream(client, agent)
    assert shape(events) == ["run.created", "run.in-progress", "run.failed"]
    assert (events[-1].run.status, events[-1].run.error.code) == (RunStatus.FAILED, "invalid_input")


# The reference server forgets to complete the message that a failure or a cancel interrupts.


async def test_failure_in_the_middle_of_a_message(client: Client) -> None:
    events = await stream(client, "breaker")
    completed = [] if REFERENCE else ["message.completed agent/breaker half"]
    assert shape(events) == [
        "run.created", "run.in-progress", "message.created agent/breaker", "message.part half",
        *completed, "run.failed",
    ]  # fmt: skip
    assert (events[-1].run.output[0].completed_at is None) == REFERENCE


async def test_cancel_in_the_middle_of_a_message(client: Client) -> None:
    run = await client.run_sync("Hi", agent="interviewer")
    await client.run_cancel(run_id=run.run_id)
    await until(client, run.run_id, RunStatus.CANCELLED)
    completed = [] if REFERENCE else ["message.completed agent/interviewer Hello, "]
    assert shape([event async for event in client.run_events(run_id=run.run_id)]) == [
        "run.created", "run.in-progress", "message.created agent/interviewer", "message.part Hello, ",
        "run.awaiting", *completed, "run.cancelled",
    ]  # fmt: skip


async def test_a_stream_ends_where_the_run_awaits(client: Client) -> None:
    events = await stream(client, "awaiter")
    assert shape(events) == ["run.created", "run.in-progress", "run.awaiting"]
    assert (events[-1].run.status, events[-1].run.await_request.message.parts) == (RunStatus.AWAITING, [])


async def test_the_open_message_goes_on_after_a_resume(client: Client) -> None:
    before = await stream(client, "interviewer")
    assert shape(before) == [
        "run.created", "run.in-progress", "message.created agent/interviewer", "message.part Hello, ",
        "run.awaiting",
    ]  # fmt: skip
    resume = MessageAwaitResume(message=message("Ada"))
    after = [event async for event in client.run_resume_stream(resume, run_id=before[0].run.run_id)]
    assert shape(after) == [
        "run.in-progress", "message.part Ada", "message.completed agent/interviewer Hello, +Ada", "run.completed",
    ]  # fmt: skip
    listed = [event async for event in client.run_events(run_id=before[0].run.run_id)]
    assert shape(listed) == shape(before + after)


@pytest.mark.parametrize("agent", ["notifier", "interviewer"])
async def test_a_message_is_not_complete_while_its_parts_come(client: Client, agent: str) -> None:
    created = [event for event in await stream(client, agent) if event.type == "message.created"]
    assert [event.message.completed_at for event in created] == [None]


@pytest.mark.parametrize(
    "agent",
    [
        "echo",
        "failer",
        "artifact-producer",
        "breaker",
    ],
)
async def test_the_list_of_events_is_what_was_streamed(client: Client, agent: str) -> None:
    events = await stream(client, agent)
    assert [event async for event in client.run_events(run_id=events[0].run.run_id)] == events


async def test_events_are_listed_while_the_run_goes_on(client: Client) -> None:
    async for event in client.run_stream("one", agent="slow-echo"):
        if event.type == "run.in-progress":
            listed = [event async for event in client.run_events(run_id=event.run.run_id)]
            assert shape(listed) == ["run.created", "run.in-progress"]


async def test_an_event_shows_the_run_at_its_moment(client: Client) -> None:
    """Later events change nothing in earlier ones."""
    events = await stream(client, "echo")
    listed = [event async for event in client.run_events(run_id=events[0].run.run_id)]
    runs = [(event.run.status, len(event.run.output), event.run.finished_at is None)
            for event in listed if event.type.startswith("run.")]  # fmt: skip
    assert runs == [
        (RunStatus.CREATED, 0, True), (RunStatus.IN_PROGRESS, 0, True), (RunStatus.COMPLETED, 2, False),
    ]  # fmt: skip


@better_than_reference
async def test_events_and_output_agree_on_who_speaks(client: Client) -> None:
    events = await stream(client, "echo")
    assert [event.message for event in events if event.type == "message.completed"] == events[-1].run.output
