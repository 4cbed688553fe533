// What an agent remembers of earlier runs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newClient, texts } from "./suite.js";

const { client } = newClient();

test("a session remembers input and output", async () => {
  await client.withSession(async (session) => {
    assert.deepEqual(texts((await session.runSync("history-echo", "one")).output), [["one"]]);
    assert.deepEqual(texts((await session.runSync("history-echo", "two")).output), [["one"], ["one"], ["two"]]);
  });
});

test("a run without a session begins one", async () => {
  const [first, second] = [await client.runSync("history-echo", "one"), await client.runSync("history-echo", "two")];
  assert.equal(second.output.length, 1);
  assert.notEqual(first.session_id, second.session_id);
});

test("a session has the id that the client chose, and the agent knows it", async () => {
  const id = crypto.randomUUID();
  await client.withSession(async (session) => {
    assert.equal(session.sessionId, id);
    const run = await session.runSync("sessioner", "Which?");
    assert.deepEqual([run.session_id, texts(run.output)], [id, [[id]]]);
  }, id);
});

test("clients with the same session id share the session", async () => {
  const { client: one } = newClient({ sessionId: crypto.randomUUID() });
  const { client: two } = newClient({ sessionId: one.sessionId });
  await one.runSync("history-echo", "one");
  assert.equal((await two.runSync("history-echo", "two")).output.length, 3);
});

test("failed runs are not remembered", async () => {
  await client.withSession(async (session) => {
    await session.runSync("failer", "one");
    assert.equal((await session.runSync("history-echo", "two")).output.length, 1);
  });
});
