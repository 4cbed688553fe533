"""The agents of examples/load, on the reference server of the protocol."""

import asyncio
from collections.abc import AsyncGenerator

from acp_sdk.models import Message, MessagePart
from acp_sdk.server import Server

server = Server()


@server.agent()
async def echo(input: list[Message]) -> AsyncGenerator:
    """Says the text again."""
    yield MessagePart(content=str(input[0]), content_type="text/plain")


@server.agent()
async def count(input: list[Message]) -> AsyncGenerator:
    """Counts from zero until it has said as many numbers as it is told."""
    for i in range(int(str(input[0]))):
        yield MessagePart(content=str(i), content_type="text/plain")


@server.agent()
async def sleep(input: list[Message]) -> AsyncGenerator:
    """Says nothing until it is cancelled."""
    await asyncio.Event().wait()
    yield ""


if __name__ == "__main__":
    # Uvicorn tells on the standard error which port it got.
    server.run(port=0, self_registration=False, configure_logger=False, access_log=False)
