"""What a client learns of the server before it runs anything."""

import httpx
import pytest
from acp_sdk.client import Client
from acp_sdk.models import AgentManifest

from conftest import address, refused

TEN = [
    "echo", "slow-echo", "history-echo", "awaiter", "failer",
    "raiser", "sessioner", "mime-types", "base64-encoding", "artifact-producer",
]  # fmt: skip


async def test_ping_answers(client: Client) -> None:
    await client.ping()


async def test_all_agents_are_listed_in_the_order_of_registration(client: Client) -> None:
    agents = [agent async for agent in client.agents()]
    assert all(isinstance(agent, AgentManifest) for agent in agents)
    # The client never asks for a second page, so more agents than the documented limit of 10 come at once.
    assert len(agents) > len(TEN)
    assert [agent.name for agent in agents][: len(TEN)] == TEN


async def test_every_manifest_reads_as_it_is_listed(client: Client) -> None:
    async for listed in client.agents():
        assert await client.agent(name=listed.name) == listed
        assert listed.description
        assert listed.input_content_types and listed.output_content_types


async def test_a_manifest_has_the_name_that_was_asked_for(client: Client) -> None:
    assert (await client.agent(name="echo")).name == "echo"


async def test_input_content_types_are_those_declared_in_their_order(client: Client) -> None:
    agent = await client.agent(name="mime-types")
    assert agent.input_content_types == ["text/plain", "application/json"]


async def test_output_content_types_are_those_declared_in_their_order(client: Client) -> None:
    agent = await client.agent(name="mime-types")
    assert agent.output_content_types == ["text/html", "application/json", "application/javascript", "text/css"]


async def test_an_unknown_agent_has_no_manifest(client: Client, answers: list[httpx.Response]) -> None:
    with refused(answers, 404, "not_found", "Agent nobody not found"):
        await client.agent(name="nobody")


@pytest.mark.parametrize("end", ["", "/"])
async def test_the_base_url_may_end_in_a_slash(end: str) -> None:
    async with Client(base_url=address("ACP_URL").rstrip("/") + end) as client:
        await client.ping()
