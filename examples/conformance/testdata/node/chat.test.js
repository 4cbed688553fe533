// The chat agent of the seeds example remembers what was talked about.

import assert from "node:assert/strict";
import { test } from "node:test";
import { address, newClient, texts } from "./suite.js";

test("the second answer is about the place of the first question", async () => {
  const { client } = newClient({ baseUrl: address("ACP_CHAT_URL") });
  const answer = (run) => texts(run.output).flat().join("");
  await client.withSession(async (session) => {
    await session.runSync("chat", "Is it cold in Berlin?");
    assert.match(answer(await session.runSync("chat", "And what time is it there?")), /In Berlin it is/);
  });
  // Without the session nobody knows which place is meant.
  assert.doesNotMatch(answer(await client.runSync("chat", "And what time is it there?")), /In Berlin it is/);
});
