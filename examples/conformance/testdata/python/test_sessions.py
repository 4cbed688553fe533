"""What an agent remembers of earlier runs, on one server and on several."""

import uuid

import httpx
import pytest
from acp_sdk.client import Client
from acp_sdk.models import Message, RunStatus, Session

from conftest import address, better_than_reference, message, texts


async def test_a_session_remembers_input_and_output(client: Client) -> None:
    session = client.session()
    first = await session.run_sync(message("one"), agent="history-echo")
    second = await session.run_sync(message("two"), agent="history-echo")
    assert texts(first.output) == [["one"]]
    assert texts(second.output) == [["one"], ["one"], ["two"]]
    assert first.session_id == second.session_id


async def test_a_run_without_a_session_begins_one(client: Client) -> None:
    first, second = [await client.run_sync("Hi", agent="history-echo") for _ in range(2)]
    assert len(second.output) == 1
    assert first.session_id != second.session_id


async def test_the_history_has_an_address_for_each_message(client: Client) -> None:
    session = client.session()
    await session.run_sync([message("one"), message("two")], agent="echo")
    known = await session.refresh_session()
    assert len(known.history) == 4  # two that were said, two that were answered
    loaded = [m async for m in known.load_history()]
    assert texts(loaded) == [["one"], ["two"], ["one"], ["two"]]


async def test_messages_are_remembered_as_they_were(client: Client) -> None:
    session = client.session()
    given = message("one")
    run = await session.run_sync(given, agent="mime-types")
    loaded = [m async for m in (await session.refresh_session()).load_history()]
    assert loaded == [given, *run.output]


@better_than_reference  # which stores a whole message with the role that it had
async def test_whole_messages_are_remembered_as_the_agents_own(client: Client) -> None:
    session = client.session()
    run = await session.run_sync(message("one"), agent="echo")
    loaded = [m async for m in (await session.refresh_session()).load_history()]
    assert [m.role for m in loaded] == ["user", "agent/echo"]
    assert loaded[1:] == run.output


async def test_the_agent_knows_the_id_of_the_session(client: Client) -> None:
    id = uuid.uuid4()
    run = await client.session(Session(id=id)).run_sync("Which?", agent="sessioner")
    assert (run.session_id, texts(run.output)) == (id, [[str(id)]])


async def test_a_session_is_there_before_its_run_ends(client: Client, answers: list[httpx.Response]) -> None:
    session = client.session()
    run = await session.run_async("Hi", agent="slow-echo")
    known = await session.refresh_session()
    assert (known.id, known.history, known.state) == (run.session_id, [], None)
    assert answers[-1].status_code == 200


async def test_the_client_sends_only_the_id_once_the_server_knows_the_session(
    client: Client, answers: list[httpx.Response]
) -> None:
    session = client.session()
    for _ in range(3):
        await session.run_sync("Hi", agent="history-echo")
    # One question whether the server knows it, which it does not, then a run each.
    assert [(a.request.method, a.status_code) for a in answers] == [("GET", 404)] + 3 * [("POST", 200)]


@pytest.mark.parametrize("agent", ["failer", "breaker"])
async def test_failed_runs_are_not_remembered(client: Client, agent: str) -> None:
    session = client.session()
    assert (await session.run_sync("Hi", agent=agent)).status == RunStatus.FAILED
    assert (await session.refresh_session()).history == []


async def test_cancelled_runs_are_not_remembered(client: Client) -> None:
    session = client.session()
    async for event in session.run_stream("Hi", agent="slow-echo"):
        if event.type == "run.in-progress":
            await session.run_cancel(run_id=event.run.run_id)
    assert event.type == "run.cancelled"
    assert (await session.refresh_session()).history == []


async def test_two_clients_share_a_session(client: Client) -> None:
    shared = Session()
    async with Client(session=shared, base_url=address("ACP_URL")) as other:
        first = await client.session(shared).run_sync("one", agent="history-echo")
        second = await other.run_sync("two", agent="history-echo")
    assert (len(first.output), len(second.output)) == (1, 3)


async def test_the_history_that_a_client_brings_replaces_the_one_known(client: Client) -> None:
    session = client.session()
    run = await session.run_sync("one", agent="history-echo")
    body = {"agent_name": "history-echo", "input": [{"parts": []}], "session": {"id": str(run.session_id)}}
    response = await client.client.post("/runs", json=body)
    assert len(response.json()["output"]) == 1


async def test_a_session_moves_between_servers(client: Client) -> None:
    one, two = address("ACP_URL_ONE"), address("ACP_URL_TWO")
    session = client.session()
    outputs = [
        (await session.run_sync(Message(parts=[]), agent="history-echo", base_url=server)).output
        for server in (one, two, one)
    ]
    assert [len(output) for output in outputs] == [1, 3, 7]
