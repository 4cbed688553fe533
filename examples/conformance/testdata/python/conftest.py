"""What all tests of this folder share: the servers, a client, and the words to say what is expected.

The environment tells where the servers are:

    ACP_URL       the conformance example
    ACP_URL_ONE   two more of it, each of which
    ACP_URL_TWO   may load history from the other
    ACP_CHAT_URL  the seeds example
    ACP_SERVER    "reference" if the servers are made with acp_sdk.server, to try the tests themselves
"""

import asyncio
import os
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager

import httpx
import pytest
from acp_sdk.client import Client
from acp_sdk.models import ACPError, Event, Message, MessagePart, Run

REFERENCE = os.environ.get("ACP_SERVER") == "reference"

# The reference server loses something here that ours keeps.
better_than_reference = pytest.mark.skipif(REFERENCE, reason="the reference server does not do this")

# The client lets people give times without an offset, and sends them as they are.
times_need_offsets = pytest.mark.xfail(not REFERENCE, strict=True, reason="the server refuses times without an offset")


def address(variable: str) -> str:
    """Says which variable is missing, where a KeyError would only name it."""
    return os.environ.get(variable) or pytest.fail(f"{variable} is not set, see conftest.py")


@pytest.fixture
def answers() -> list[httpx.Response]:
    """All HTTP responses that the client has seen."""
    return []


@pytest.fixture
async def client(answers: list[httpx.Response]) -> AsyncIterator[Client]:
    async def see(response: httpx.Response) -> None:
        answers.append(response)

    async with Client(base_url=address("ACP_URL"), timeout=10, event_hooks={"response": [see]}) as client:
        yield client


@contextmanager
def refused(answers: list[httpx.Response], status: int, code: str, message: str) -> Iterator[None]:
    """Expects the client to raise the error that the server answers with. An empty message is any message."""
    with pytest.raises(ACPError) as raised:
        yield
    error = raised.value.error
    assert (answers[-1].status_code, error.code) == (status, code)
    assert error.message and message in ("", error.message)
    assert error.data is None


async def until(client: Client, run_id: object, *statuses: str) -> Run:
    """Polls a run until it has one of these statuses."""
    for _ in range(200):
        run = await client.run_status(run_id=run_id)
        if run.status in statuses:
            return run
        await asyncio.sleep(0.02)
    raise AssertionError(f"the run is still {run.status}")


def speaker(agent: str) -> str:
    """The role that events give to a message that an agent yields whole.

    The reference server leaves the one that the message had, although its own run says agent/NAME.
    """
    return "user" if REFERENCE else f"agent/{agent}"


def texts(messages: Iterable[Message]) -> list[list[str | None]]:
    return [[part.content for part in message.parts] for message in messages]


def shape(events: Iterable[Event]) -> list[str]:
    """Events as lines that a test can list: the type, and what there is in it to tell apart."""
    lines = []
    for event in events:
        details: list[str] = []
        if event.type.startswith("message.") and event.type != "message.part":
            message = event.message
            details = [message.role, "+".join(part.content or "" for part in message.parts)]
        elif event.type == "message.part":
            details = [event.part.content or ""]
        elif event.type == "generic":
            details = [str(event.generic.model_dump())]
        lines.append(" ".join([event.type, *filter(None, details)]))
    return lines


def message(*contents: str) -> Message:
    return Message(parts=[MessagePart(content=content) for content in contents])
