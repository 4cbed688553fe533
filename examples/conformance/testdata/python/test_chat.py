"""The chat agent of the seeds example remembers what was talked about."""

from acp_sdk.client import Client

from conftest import address


async def test_the_second_answer_is_about_the_place_of_the_first_question() -> None:
    async with Client(base_url=address("ACP_CHAT_URL"), timeout=10) as client:
        session = client.session()
        await session.run_sync("Is it cold in Berlin?", agent="chat")
        run = await session.run_sync("And what time is it there?", agent="chat")
        assert "In Berlin it is" in str(run.output[-1])
        # Without the session nobody knows which place is meant.
        run = await client.run_sync("And what time is it there?", agent="chat")
        assert "In Berlin it is" not in str(run.output[-1])
