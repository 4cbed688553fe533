// How the server refuses, in the three codes that the client knows.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { betterThanReference, bodyClient, collect, newClient, reference, refused, text, until } from "./suite.js";

const { client } = newClient();

const nobody = "00000000-0000-4000-8000-000000000000";
const resume = { type: "message", message: { parts: [] } };

describe("an unknown agent does not run", () => {
  for (const [mode, run] of Object.entries({
    sync: () => client.runSync("nobody", "Hi"),
    async: () => client.runAsync("nobody", "Hi"),
    stream: () => collect(client.runStream("nobody", "Hi")),
  })) {
    test(mode, () => refused(run(), "not_found", "Agent nobody not found"));
  }
});

for (const [name, call] of Object.entries({
  status: (id) => client.runStatus(id),
  events: (id) => client.runEvents(id),
  cancel: (id) => client.runCancel(id),
  "resume sync": (id) => client.runResumeSync(id, resume),
  "resume async": (id) => client.runResumeAsync(id, resume),
  "resume stream": (id) => collect(client.runResumeStream(id, resume)),
})) {
  test(`an unknown run is not found: ${name}`, () => refused(call(nobody), "not_found", `Run ${nobody} not found`));
  test(`a run's id is a UUID: ${name}`, () => refused(call("no-uuid"), "invalid_input"));
}

describe("out of turn", () => {
  for (const agent of ["echo", "failer"]) {
    test(`a run that never awaited cannot be resumed: ${agent}`, async () => {
      const { run_id } = await client.runSync(agent, "Hi");
      await refused(client.runResumeSync(run_id, resume), "server_error", `Run ${run_id} has no await request`);
    });
  }

  // The reference server takes a second answer, and then never ends.
  test("a run is resumed once", betterThanReference, async () => {
    const { run_id } = await client.runSync("awaiter", "Hi");
    await client.runResumeSync(run_id, resume);
    await refused(client.runResumeSync(run_id, resume), "server_error", `Run ${run_id} has no await request`);
  });

  test("of two answers at once one counts", betterThanReference, async () => {
    const { run_id } = await client.runSync("interviewer", "Hi");
    const results = await Promise.allSettled(
      ["Ada", "Grace"].map((name) => client.runResumeSync(run_id, { type: "message", message: text(name) })),
    );
    assert.deepEqual(results.map((result) => result.status).sort(), ["fulfilled", "rejected"]);
  });

  test("a cancelled run cannot be resumed", betterThanReference, async () => {
    const { run_id } = await client.runSync("awaiter", "Hi");
    await client.runCancel(run_id);
    await until(client, run_id, "cancelled");
    await refused(client.runResumeSync(run_id, resume), "server_error", `Run ${run_id} has no await request`);
  });

  for (const [agent, status] of [["echo", "completed"], ["failer", "failed"]]) {
    test(`a ${status} run cannot be cancelled`, async () => {
      const { run_id } = await client.runSync(agent, "Hi");
      // The reference server prints the name of a Python constant for the status.
      const shown = reference ? `RunStatus.${status.toUpperCase()}` : status;
      await refused(
        client.runCancel(run_id), "server_error", `Run in terminal status ${shown} can't be cancelled`,
      );
    });
  }
});

// The client checks what it sends; the server has to check what others do.
describe("a body that is no run", () => {
  const part = (fields) => JSON.stringify({ agent_name: "nobody", input: [{ parts: [fields] }] });
  for (const [name, body] of Object.entries({
    "not JSON": "{",
    "no agent": '{"input": []}',
    "no input": '{"agent_name": "nobody"}',
    "unknown mode": '{"agent_name": "nobody", "input": [], "mode": "fast"}',
    "session is no UUID": '{"agent_name": "nobody", "input": [], "session_id": "mine"}',
    role: '{"agent_name": "nobody", "input": [{"role": "robot", "parts": []}]}',
    "no parts": '{"agent_name": "nobody", "input": [{}]}',
    "content and address": part({ content: "x", content_url: "https://example.com" }),
    encoding: part({ content: "x", content_encoding: "rot13" }),
    "kind of metadata": part({ content: "x", metadata: { kind: "rumour" } }),
  })) {
    // Were the agent looked for first, the code would be not_found.
    test(name, () => refused(bodyClient(body).runSync("nobody", "Hi"), "invalid_input"));
  }
});

test("a body that is no resume leaves the run waiting", async () => {
  const { run_id } = await client.runSync("awaiter", "Hi");
  for (const body of ['{"mode": "sync"}', JSON.stringify({ await_resume: resume })]) {
    await refused(bodyClient(body).runResumeSync(run_id, resume), "invalid_input");
  }
  assert.equal((await client.runStatus(run_id)).status, "awaiting");
});

test("the two ids of a session agree", async () => {
  const body = (agent) =>
    JSON.stringify({ agent_name: agent, input: [], session_id: nobody, session: { id: crypto.randomUUID() } });
  await refused(bodyClient(body("echo")).runSync("echo", "Hi"), "invalid_input", "Session ID mismatch");
  // Whether there is such an agent is asked before.
  await refused(bodyClient(body("nobody")).runSync("nobody", "Hi"), "not_found", "Agent nobody not found");
});
