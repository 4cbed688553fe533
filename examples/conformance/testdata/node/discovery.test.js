// What a client learns of the server before it runs anything.

import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentManifest, address, newClient, refused } from "./suite.js";

const { client } = newClient();

test("ping answers", async () => {
  assert.equal(await client.ping(), undefined);
});

test("all agents are listed in the order of registration", async () => {
  const names = (await client.agents()).map((agent) => agent.name);
  assert.deepEqual(names.slice(0, 10), [
    "echo", "slow-echo", "history-echo", "awaiter", "failer",
    "raiser", "sessioner", "mime-types", "base64-encoding", "artifact-producer",
  ]);
  // The client never asks for a second page, so more agents than the documented limit of 10 come at once.
  assert.ok(names.length > 10);
});

test("every manifest is valid and reads as it is listed", async () => {
  for (const listed of await client.agents()) {
    assert.ok(AgentManifest.safeParse(listed).success, listed.name);
    assert.ok(listed.description, listed.name);
    assert.deepEqual(await client.agent(listed.name), listed);
  }
});

test("a manifest has the name that was asked for", async () => {
  assert.equal((await client.agent("echo")).name, "echo");
});

test("content types are those declared, in their order", async () => {
  const agent = await client.agent("mime-types");
  assert.deepEqual(agent.input_content_types, ["text/plain", "application/json"]);
  assert.deepEqual(agent.output_content_types, [
    "text/html", "application/json", "application/javascript", "text/css",
  ]);
});

test("an unknown agent has no manifest", async () => {
  await refused(client.agent("nobody"), "not_found", "Agent nobody not found");
});

test("the base URL may end in a slash", async () => {
  await newClient({ baseUrl: `${address("ACP_URL")}/` }).client.ping();
});
