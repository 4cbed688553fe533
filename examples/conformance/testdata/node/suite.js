// What all tests of this folder share: a client, and the words to say what is expected.
//
// The environment tells where the servers are:
//
//   ACP_URL       the conformance example
//   ACP_CHAT_URL  the seeds example
//   ACP_SERVER    "reference" if the servers are made with the Python SDK, to try the tests themselves

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";

// `import` reaches a build that Node.js refuses, since it imports its own package.json without saying that it is JSON.
const sdk = createRequire(import.meta.url)("acp-sdk");
export const { ACPError, AgentManifest, Client, isTerminalRunStatus, throwForRunStatus } = sdk;

export const reference = process.env.ACP_SERVER === "reference";

/** Options of a test for what the reference server loses and ours keeps. */
export const betterThanReference = { skip: reference && "the reference server does not do this" };

/** Says which variable is missing, where a failed fetch would only show an odd address. */
export function address(variable) {
  return process.env[variable] ?? assert.fail(`${variable} is not set, see suite.js`);
}

/** A client that keeps all responses that it sees. */
export function newClient(options = {}) {
  const answers = [];
  const client = new Client({
    baseUrl: address("ACP_URL"),
    fetch: async (...request) => {
      const response = await fetch(...request);
      answers.push(response);
      return response;
    },
    ...options,
  });
  return { client, answers };
}

/** A client that sends a body of the test's own in place of the one that it makes. */
export function bodyClient(body) {
  return newClient({ fetch: (url, options) => fetch(url, { ...options, body }) }).client;
}

/** Expects the client to throw the error that the server answers with. Without a message, any will do. */
export async function refused(promise, code, message) {
  await assert.rejects(promise, (error) => {
    // The client makes an ACPError only of a body that has one of the three codes that it knows.
    assert.ok(error instanceof ACPError, `${error.name}: ${error.message}`);
    assert.equal(error.code, code);
    assert.ok(error.message);
    if (message) assert.equal(error.message, message);
    return true;
  });
}

/** Polls a run until it has the status. */
export async function until(client, runId, status) {
  let run;
  for (let i = 0; i < 200; i++) {
    run = await client.runStatus(runId);
    if (run.status === status) return run;
    await sleep(20);
  }
  assert.fail(`the run is still ${run.status}`);
}

export async function collect(events) {
  const list = [];
  for await (const event of events) list.push(event);
  return list;
}

export const text = (...contents) => ({ parts: contents.map((content) => ({ content })) });

export const texts = (messages) => messages.map((message) => message.parts.map((part) => part.content));

/**
 * The role that events give to a message that an agent yields whole. The reference server leaves the one that
 * the message had, although its own run says agent/NAME.
 */
export const speaker = (agent) => (reference ? "user" : `agent/${agent}`);

/** Events as lines that a test can list: the type, and what there is in it to tell apart. */
export function shape(events) {
  return events.map((event) => {
    const details = [event.type];
    if (event.message) {
      details.push(event.message.role, texts([event.message])[0].join("+"));
    }
    if (event.part) details.push(event.part.content);
    if (event.generic) details.push(JSON.stringify(event.generic));
    return details.filter(Boolean).join(" ");
  });
}
