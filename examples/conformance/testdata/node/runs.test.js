// Runs of every mode, and what comes out of them.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ACPError, collect, isTerminalRunStatus, newClient, text, texts, throwForRunStatus, until,
} from "./suite.js";

const { client } = newClient();

const hello = {
  role: "user",
  parts: [{ content_type: "text/plain", content: "Hello!", content_encoding: "plain" }],
  created_at: "2025-01-02T03:04:05.678901Z",
  completed_at: "2025-01-02T03:04:06Z",
};
const resume = { type: "message", message: { parts: [] } };

/** The keys that a test is about: the SDK leaves those that are unset as the server wrote them, null or absent. */
const known = (part) => Object.fromEntries(Object.entries(part).filter(([, value]) => value != null));

describe("modes", () => {
  test("sync answers with the completed run", async () => {
    const { client, answers } = newClient();
    const run = await client.runSync("echo", [hello]);
    assert.deepEqual([answers[0].status, answers[0].headers.get("Run-ID")], [200, run.run_id]);
    assert.deepEqual([run.status, run.agent_name], ["completed", "echo"]);
    assert.equal(run.error ?? null, null);
    assert.ok(run.session_id && run.created_at <= run.finished_at);
    assert.equal(run.output.length, 1);
    const [{ parts, ...said }] = run.output;
    assert.deepEqual(said, {
      role: "agent/echo", created_at: hello.created_at, completed_at: hello.completed_at,
    });
    assert.deepEqual(parts.map(known), hello.parts);
  });

  test("async answers before the work starts", async () => {
    const { client, answers } = newClient();
    const run = await client.runAsync("echo", [hello]);
    assert.deepEqual([answers[0].status, answers[0].headers.get("Run-ID")], [202, run.run_id]);
    assert.deepEqual([run.status, run.output, run.finished_at ?? null], ["created", [], null]);
  });

  test("async completes in time", async () => {
    const { run_id } = await client.runAsync("echo", "Hello!");
    assert.deepEqual(texts((await until(client, run_id, "completed")).output), [["Hello!"]]);
  });

  test("a stream begins with created and ends with completed", async () => {
    const { client, answers } = newClient();
    const events = await collect(client.runStream("echo", "Hello!"));
    assert.deepEqual([events[0].type, events.at(-1).type], ["run.created", "run.completed"]);
    assert.deepEqual([events[0].run.status, events.at(-1).run.status], ["created", "completed"]);
    assert.equal(answers[0].headers.get("Run-ID"), events[0].run.run_id);
  });

  test("a run goes on when the client aborts its stream", async () => {
    const abort = new AbortController();
    let runId;
    await assert.rejects(
      async () => {
        for await (const event of client.runStream("slow-echo", "Hello!", abort.signal)) {
          if (event.type === "run.created") {
            runId = event.run.run_id;
            abort.abort();
          }
        }
      },
      { name: "AbortError" },
    );
    assert.equal((await client.runStatus(runId)).status, "in-progress");
    await until(client, runId, "completed");
  });
});

// A message comes in a list: one that does not the SDK takes for a part.
describe("input", () => {
  for (const [name, given, said] of [
    ["a string", "one", [["one"]]],
    ["strings", ["one", "two"], [["one", "two"]]],
    ["a part", { content: "one" }, [["one"]]],
    ["parts", [{ content: "one" }, { content: "two" }], [["one", "two"]]],
    ["messages", [text("one"), text("two", "three")], [["one"], ["two", "three"]]],
    ["nothing", [], []],
    ["any script", "ÄÖ 語 🎈 \u2028 <&>", [["ÄÖ 語 🎈 \u2028 <&>"]]],
  ]) {
    test(name, async () => {
      const run = await client.runSync("echo", given);
      assert.deepEqual([run.status, texts(run.output)], ["completed", said]);
    });
  }

  for (const [name, part] of Object.entries({
    base64: { content_type: "image/png", content: "eA==", content_encoding: "base64" },
    address: { content_type: "image/png", content_url: "https://example.com/a.png?b=c", content_encoding: "plain" },
    artifact: { name: "a.txt", content_type: "text/plain", content: "x", content_encoding: "plain" },
    "keys of its own": {
      content_type: "text/plain", content: "x", content_encoding: "plain", mood: "good", depth: { a: [1, 2] },
    },
  })) {
    test(`a part comes back as it was: ${name}`, async () => {
      const run = await client.runSync("echo", [{ parts: [part] }]);
      assert.deepEqual(known(run.output[0].parts[0]), part);
    });
  }

  for (const metadata of [
    { kind: "citation", start_index: 0, end_index: 1, url: "https://example.com", title: "T" },
    { kind: "trajectory", message: "M", tool_name: "T", tool_input: { q: 1 }, tool_output: { a: [2] } },
  ]) {
    test(`metadata comes back as it was: ${metadata.kind}`, async () => {
      const run = await client.runSync("echo", [{ parts: [{ content: "x", metadata }] }]);
      assert.deepEqual(known(run.output[0].parts[0].metadata), metadata);
    });
  }
});

test("a megabyte passes", async () => {
  const content = "x".repeat(2 ** 20);
  assert.deepEqual(texts((await client.runSync("echo", content)).output), [[content]]);
  const events = await collect(client.runStream("echo", content));
  assert.deepEqual(texts(events.at(-1).run.output), [[content]]);
});

describe("output", () => {
  test("parts of many types are one message", async () => {
    const run = await client.runSync("mime-types", "show");
    assert.deepEqual(
      run.output.map((message) => [message.role, message.parts.map((part) => part.content_type)]),
      [["agent/mime-types", ["text/html", "application/json", "application/javascript", "text/css"]]],
    );
  });

  test("a message may mix base64 and plain text", async () => {
    const [{ parts: [image, plain] }] = (await client.runSync("base64-encoding", "show")).output;
    assert.deepEqual([image.content_type, image.content_encoding], ["image/png", "base64"]);
    assert.equal(btoa(atob(image.content)), image.content);
    assert.deepEqual([plain.content_encoding, plain.content], ["plain", "This is plain text"]);
  });

  test("artifacts are parts with a name", async () => {
    const [{ parts }] = (await client.runSync("artifact-producer", "make")).output;
    assert.deepEqual(
      parts.map((part) => [part.name ?? null, part.content_type, part.content_encoding]),
      [
        [null, "text/plain", "plain"],
        ["text-result.txt", "text/plain", "plain"],
        ["data.json", "application/json", "plain"],
        ["image.png", "image/png", "base64"],
      ],
    );
    assert.equal(parts[2].content, '{"results": [1, 2, 3], "status": "complete"}');
  });
});

describe("failure", () => {
  for (const [agent, code, message] of [
    ["failer", "invalid_input", "Wrong question buddy!"],
    ["raiser", "invalid_input", "Wrong question buddy!"],
    ["breaker", "server_error", "out of paper"],
  ]) {
    test(`${agent} fails with ${code}`, async () => {
      const run = await client.runSync(agent, "Why?");
      assert.deepEqual([run.status, run.error.code, run.error.message], ["failed", code, message]);
      assert.ok(run.finished_at);
      assert.throws(() => throwForRunStatus(run), (error) => error instanceof ACPError && error.code === code);
    });
  }
});

describe("cancel", () => {
  for (const agent of ["awaiter", "slow-echo"]) {
    test(`${agent} is cancelling and then cancelled`, async () => {
      const { run_id } = await client.runAsync(agent, "Hello!");
      const cancelling = await client.runCancel(run_id);
      assert.deepEqual([cancelling.status, cancelling.finished_at ?? null], ["cancelling", null]);
      const cancelled = await until(client, run_id, "cancelled");
      assert.ok(cancelled.finished_at && isTerminalRunStatus(cancelled.status));
      assert.throws(() => throwForRunStatus(cancelled), { name: "AbortError" });
    });
  }

  test("a cancelled stream ends with run.cancelled", async () => {
    let last;
    for await (const event of client.runStream("slow-echo", "Hello!")) {
      last = event;
      if (event.type === "run.in-progress") {
        assert.equal((await client.runCancel(event.run.run_id)).status, "cancelling");
      }
    }
    assert.deepEqual([last.type, last.run.status], ["run.cancelled", "cancelled"]);
  });
});

describe("resume", () => {
  /** A run that awaits. */
  async function awaiting(agent = "awaiter") {
    const run = await client.runSync(agent, "Hello!");
    assert.deepEqual([run.status, run.finished_at ?? null], ["awaiting", null]);
    assert.equal(run.await_request.type, "message");
    return run;
  }

  for (const agent of ["echo", "awaiter"]) {
    test(`a run reads the same twice: ${agent}`, async () => {
      const { run_id } = await client.runSync(agent, "Hello!");
      assert.deepEqual(await client.runStatus(run_id), await client.runStatus(run_id));
    });
  }

  test("sync completes the run", async () => {
    const run = await client.runResumeSync((await awaiting()).run_id, resume);
    assert.deepEqual([run.status, texts(run.output)], ["completed", [["empty"]]]);
    assert.ok(run.await_request, "what was awaited stays on record");
  });

  test("async is in progress, and then completes", async () => {
    const run = await client.runResumeAsync((await awaiting()).run_id, resume);
    assert.equal(run.status, "in-progress");
    await until(client, run.run_id, "completed");
  });

  test("a stream begins with in-progress", async () => {
    const events = await collect(client.runResumeStream((await awaiting()).run_id, resume));
    assert.deepEqual([events[0].type, events.at(-1).type], ["run.in-progress", "run.completed"]);
  });

  test("the agent receives what the resume says", async () => {
    const { run_id, await_request } = await awaiting("interviewer");
    assert.deepEqual(texts([await_request.message]), [["Who are you?"]]);
    const run = await client.runResumeSync(run_id, { type: "message", message: text("Ada") });
    assert.deepEqual(texts(run.output), [["Hello, ", "Ada"]]);
  });
});
