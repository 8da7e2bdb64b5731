// The clients of the kill test: each sends one request after the other, and what was cut off again with its key.
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from './client.mjs';
import { judgeOutput, makeOperation } from './operations.mjs';

/**
 * @typedef {{ readonly baseUrl: string, whenUp: () => Promise<void> }} Reached where requests go now
 * @typedef {import('./client.mjs').Answer} Answer
 * @typedef {import('./operations.mjs').Operation} Operation
 * @typedef {import('./operations.mjs').Kind} Kind
 */

/** How many clients of each kind work at once. */
const CLIENTS = { sync: 5, stream: 4, batch: 2, job: 5 };
const PAUSE_MS = 60;
const RETRY_MS = 250;
/** As often as a replay is refused before that counts as its answer: for ten seconds. */
const REPLAY_TRIES = 40;
/** How long a client still tries after the load has ended. */
const GIVE_UP_MS = 40_000;

const BUSY = [409, 429];

/** The clients as a whole. */
export class Load {
  /** @type {Operation[]} */
  operations = [];
  #gateway;
  #keys;
  #over = false;
  #giveUpAt = Number.POSITIVE_INFINITY;
  #clientsOf;
  #pause;
  /** @type {Promise<unknown>} */
  #clients = Promise.resolve();

  /**
   * @param {Reached} gateway
   * @param {string[]} keys
   * @param {{ clients?: Partial<Record<Kind, number>>, pause?: () => Promise<unknown> }} [how] clients of each kind, and what
   *   each does between two requests
   */
  constructor(gateway, keys, { clients = CLIENTS, pause = () => sleep(PAUSE_MS) } = {}) {
    this.#gateway = gateway;
    this.#keys = keys;
    this.#clientsOf = clients;
    this.#pause = pause;
  }

  begin() {
    const kinds = /** @type {[Kind, number][]} */ (Object.entries(this.#clientsOf));
    const clients = kinds.flatMap(([kind, count]) => Array.from({ length: count }, () => this.#client(kind)));
    this.#clients = Promise.all(clients);
    this.#clients.catch(() => this.abandon());
  }

  /** Nothing new is sent; resolves when every client has its answer, or has given up. */
  async end() {
    this.#over = true;
    this.#giveUpAt = performance.now() + GIVE_UP_MS;
    await this.#clients;
  }

  /** Stops at once: the test has failed on its way. */
  abandon() {
    this.#over = true;
    this.#giveUpAt = 0;
  }

  /** @param {Kind} kind */
  async #client(kind) {
    while (!this.#over) {
      const operation = makeOperation(kind, this.#keys);
      this.operations.push(operation);
      await this.#perform(operation);
      await this.#pause();
    }
  }

  get #givenUp() {
    return performance.now() > this.#giveUpAt;
  }

  /** @param {Operation} operation */
  async #perform(operation) {
    while (!this.#givenUp) {
      await this.#gateway.whenUp();
      const answer = await this.#send(operation);
      if (isWhole(answer)) {
        judge(operation, answer);
        // Of a long run thousands are kept: only what the verdict needs.
        operation.answers.push(operation.once ? answer : { ...answer, headers: {}, events: [] });
        for (const id of jobsIn(answer)) await this.#follow(operation, id);
        return;
      }
      const { status } = answer;
      if (BUSY.includes(status)) operation.refusals++;
      else if (status >= 400 && status < 500) throw new Error(`Refused: ${JSON.stringify(answer.body)}`);
      else {
        operation.cuts++;
        const started = answer.events[0]?.data;
        if (started) operation.started.push(started.id);
        if (!operation.once) {
          if (started?.job_id) await this.#follow(operation, started.job_id);
          return;
        }
      }
      await sleep(RETRY_MS);
    }
  }

  /** @param {Operation} operation */
  #send({ path, key, json, headers }) {
    return send(this.#gateway.baseUrl + path, key, 'POST', { json, headers });
  }

  /**
   * Polls a job to its end, over all crashes. A stream that broke off may never have become one.
   * @param {Operation} operation
   * @param {string} id
   */
  async #follow(operation, id) {
    while (!this.#givenUp) {
      await this.#gateway.whenUp();
      const { status, body } = await send(`${this.#gateway.baseUrl}/v1/jobs/${id}`, operation.key, 'GET');
      if (status === 404) return;
      if (status === 200 && body.finished_at) {
        operation.jobs.push(body);
        return;
      }
      if (status !== 200) await sleep(RETRY_MS);
    }
  }

  /** What a request is answered: a refusal that says when to come back is none, here too. @param {Operation} operation */
  async #answerTo(operation) {
    for (let tries = 1; ; tries++) {
      const answer = await this.#send(operation);
      if (isWhole(answer) || tries >= REPLAY_TRIES) return answer;
      await sleep(RETRY_MS);
    }
  }

  /** Every request that had an answer under its key, once more; each with what it is answered now. */
  async replay() {
    const again = this.operations.filter(({ once, answers }) => once && answers.length > 0);
    const next = again.values();
    const one = async () => {
      for (const operation of next) {
        const { accept: _, ...headers } = operation.headers;
        operation.answers.push(await this.#answerTo({ ...operation, headers }));
      }
    };
    await Promise.all(Array.from({ length: 8 }, one));
    return again.length;
  }
}

/** @param {Operation} operation @param {Answer} answer */
function judge({ json, wrong }, { status, body }) {
  if (status !== 200) return;
  const results = body.results ?? [body];
  const calls = json.calls ?? [json];
  if (results.length !== calls.length) wrong.push(`${calls.length} calls, ${results.length} results`);
  for (const [index, result] of results.entries()) wrong.push(...judgeOutput(calls[index], result));
}

/** An answer that a client may rely on: a result, a job, or that the tool has failed. */
function isWhole(/** @type {Answer} */ { status, body }) {
  if (status !== 200 && status !== 202 && status !== 502) return false;
  // A stream that has begun, and an element of a batch, say in their body that they may be asked again.
  return !(body.results ?? [body]).some((/** @type {any} */ { error }) => error?.code === 'UNAVAILABLE');
}

/** @param {Answer} answer @returns {string[]} */
function jobsIn({ body }) {
  return (body.results ?? [body]).flatMap((/** @type {any} */ result) =>
    result.status === 'pending' ? [result.job_id] : [],
  );
}
