// The order of events.

import assert from "node:assert/strict";
import { test } from "node:test";
import { collect, newClient, reference, shape, speaker, text, until } from "./suite.js";

const { client } = newClient();

const stream = (agent) => collect(client.runStream(agent, [text("one"), text("two", "three")]));

/** The events of a message: one that is made bit by bit is created empty. */
function messageEvents(role, contents, whole = false) {
  const all = contents.join("+");
  return [
    whole ? `message.created ${role} ${all}` : `message.created ${role}`,
    ...contents.map((content) => `message.part ${content}`),
    `message.completed ${role} ${all}`,
  ];
}

for (const [name, agent, events] of [
  ["no output, no message", "silent", []],
  [
    "parts join one message",
    "mime-types",
    messageEvents("agent/mime-types", [
      "<h1>HTML Content</h1>", '{"key": "value"}', "console.log('Hello');", "body { color: red; }",
    ]),
  ],
  [
    "a generic event leaves the message",
    "notifier",
    messageEvents("agent/notifier", ["one", "two"]).toSpliced(2, 0, 'generic {"progress":50}'),
  ],
  [
    "a pause completes the message",
    "pauser",
    [...messageEvents("agent/pauser", ["one"]), ...messageEvents("agent/pauser", ["two"])],
  ],
  [
    "whole messages",
    "echo",
    [
      ...messageEvents(speaker("echo"), ["one"], true),
      ...messageEvents(speaker("echo"), ["two", "three"], true),
    ],
  ],
  [
    "a whole message completes the open one",
    "mixer",
    [
      ...messageEvents("agent/mixer", ["first"]),
      ...messageEvents(speaker("mixer"), ["whole", "message"], true),
      ...messageEvents("agent/mixer", ["last"]),
    ],
  ],
]) {
  test(`a completed run: ${name}`, async () => {
    assert.deepEqual(shape(await stream(agent)), ["run.created", "run.in-progress", ...events, "run.completed"]);
  });
}

for (const agent of ["failer", "raiser"]) {
  test(`a failed run ends with run.failed: ${agent}`, async () => {
    const events = await stream(agent);
    assert.deepEqual(shape(events), ["run.created", "run.in-progress", "run.failed"]);
    assert.equal(events.at(-1).run.error.code, "invalid_input");
  });
}

// The reference server forgets to complete the message that a failure or a cancel interrupts.

test("failure in the middle of a message", async () => {
  assert.deepEqual(shape(await stream("breaker")), [
    "run.created", "run.in-progress", "message.created agent/breaker", "message.part half",
    ...(reference ? [] : ["message.completed agent/breaker half"]), "run.failed",
  ]);
});

test("cancel in the middle of a message", async () => {
  const { run_id } = await client.runSync("interviewer", "Hi");
  await client.runCancel(run_id);
  await until(client, run_id, "cancelled");
  assert.deepEqual(shape(await client.runEvents(run_id)), [
    "run.created", "run.in-progress", "message.created agent/interviewer", "message.part Hello, ",
    "run.awaiting", ...(reference ? [] : ["message.completed agent/interviewer Hello, "]), "run.cancelled",
  ]);
});

test("a stream ends where the run awaits, and the open message goes on after the resume", async () => {
  const before = await stream("interviewer");
  assert.deepEqual(shape(before), [
    "run.created", "run.in-progress", "message.created agent/interviewer", "message.part Hello, ", "run.awaiting",
  ]);
  const { run_id } = before[0].run;
  const after = await collect(client.runResumeStream(run_id, { type: "message", message: text("Ada") }));
  assert.deepEqual(shape(after), [
    "run.in-progress", "message.part Ada", "message.completed agent/interviewer Hello, +Ada", "run.completed",
  ]);
  assert.deepEqual(shape(await client.runEvents(run_id)), shape([...before, ...after]));
});

test("a message is not complete while its parts come", async () => {
  const [created] = (await stream("notifier")).filter((event) => event.type === "message.created");
  assert.equal(created.message.completed_at, null);
});

for (const agent of ["echo", "failer", "artifact-producer"]) {
  test(`the list of events is what was streamed: ${agent}`, async () => {
    const events = await stream(agent);
    assert.deepEqual(await client.runEvents(events[0].run.run_id), events);
  });
}

test("events are listed while the run goes on", async () => {
  for await (const event of client.runStream("slow-echo", "one")) {
    if (event.type !== "run.in-progress") continue;
    assert.deepEqual(shape(await client.runEvents(event.run.run_id)), ["run.created", "run.in-progress"]);
  }
});

test("an event shows the run at its moment", async () => {
  const [{ run: { run_id } }] = await stream("echo");
  const events = await client.runEvents(run_id);
  assert.deepEqual(
    events.filter((event) => event.run).map(({ run }) => [run.status, run.output.length, run.finished_at != null]),
    [["created", 0, false], ["in-progress", 0, false], ["completed", 2, true]],
  );
});
