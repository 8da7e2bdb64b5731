// What the clients of the kill test send: calls of every kind, each paid one with an amount of its own, so that the books
// say what became of it even where no answer came.
import { randomUUID } from 'node:crypto';
import { diagnostics, microusd } from './client.mjs';

/**
 * @typedef {import('./client.mjs').Answer} Answer
 * @typedef {'sync' | 'stream' | 'batch' | 'job' | 'quick'} Kind
 */

/**
 * One request of a client, and all it was told about it.
 * @typedef {object} Operation
 * @property {Kind} kind
 * @property {string} key
 * @property {string | null} once its Idempotency-Key
 * @property {string} path
 * @property {any} json
 * @property {Record<string, string>} headers
 * @property {number[]} amounts micro-dollars of its paid calls, each used for this one alone
 * @property {Answer[]} answers whole ones, refusals left out
 * @property {any[]} jobs of it that were followed, as they ended
 * @property {string[]} started ids of streamed calls that broke off
 * @property {number} cuts how often no whole answer came
 * @property {number} refusals
 * @property {string[]} wrong answers that are not what the request asked for
 */

const LEAST_AMOUNT = 1_000;
const SHARE_WITH_KEY = 0.6;
const BATCH_SIZE = 10;
const SHARE_OF_MATH = 0.1;

let amounts = 0;

const random = (/** @type {number} */ from, /** @type {number} */ to) => from + Math.random() * (to - from);
const pick = (/** @type {any[]} */ list) => list[Math.floor(Math.random() * list.length)];

/**
 * @param {Kind} kind
 * @param {string[]} keys one of them makes it
 * @returns {Operation}
 */
export function makeOperation(kind, keys) {
  /** @type {Operation} */
  const operation = {
    kind,
    key: pick(keys),
    once: Math.random() < SHARE_WITH_KEY ? randomUUID() : null,
    path: kind === 'batch' ? '/v1/tools/batch' : '/v1/tools/call',
    json: null,
    headers: {},
    amounts: [],
    answers: [],
    jobs: [],
    started: [],
    cuts: 0,
    refusals: 0,
    wrong: [],
  };
  operation.json = bodies[kind](operation);
  if (operation.once) operation.headers['idempotency-key'] = operation.once;
  return operation;
}

/** @type {Record<Kind, (operation: Operation) => object>} */
const bodies = {
  sync: (operation) =>
    Math.random() < SHARE_OF_MATH
      ? { tool: 'math', skill: 'evaluate', input: { expression: '6 * 7' } }
      : pick([() => spend(operation, 1.6), () => spend(operation, 0.3), () => spend(operation, 0), echo])(),
  quick: (operation) =>
    pick([
      echo,
      echo,
      () => spend(operation, 0),
      () => ({ tool: 'math', skill: 'evaluate', input: { expression: '6 * 7' } }),
    ])(),
  stream(operation) {
    operation.headers.accept = 'text/event-stream';
    return pick([() => spend(operation, 1.5), () => sleep(3), () => sleep(1)])();
  },
  batch: (operation) => ({
    calls: Array.from({ length: BATCH_SIZE }, (_, index) =>
      index % 3 === 0 ? spend(operation, 0.5) : index % 3 === 1 ? echo() : sleep(0.5),
    ),
  }),
  job(operation) {
    operation.headers.prefer = 'wait=0';
    return pick([() => sleep(4), () => background(1.5), () => background(0.6), () => spend(operation, 1)])();
  },
};

/**
 * What is wrong about a successful answer: each skill here gives back something that its input decides.
 * @param {any} asked one call of a request
 * @param {any} result
 * @returns {string[]}
 */
export function judgeOutput({ skill, input }, result) {
  if (result.status !== 'success' || result.output === undefined) return [];
  const { output } = result;
  const isRight = {
    echo: () => output.message === input.message,
    evaluate: () => String(output.result).includes('42'),
    spend: () =>
      output.amount_usd === input.amount_usd && microusd(result.usage.cost) === microusd(input.amount_usd),
    background: () => output.steps_done === input.steps,
    sleep: () => typeof output === 'object',
  }[/** @type {string} */ (skill)];
  return isRight?.() ? [] : [`${skill} ${JSON.stringify(input)} was answered ${JSON.stringify(result)}`];
}

function spend(/** @type {Operation} */ { amounts: own }, /** @type {number} */ mostSeconds) {
  const amount = LEAST_AMOUNT + amounts++;
  own.push(amount);
  const seconds = mostSeconds === 0 ? {} : { seconds: random(0, mostSeconds) };
  return diagnostics('spend', { amount_usd: amount / 1e6, ...seconds });
}

const echo = () => diagnostics('echo', { message: randomUUID() });
const sleep = (/** @type {number} */ mostSeconds) =>
  diagnostics('sleep', { seconds: random(0.1, mostSeconds), log_every_seconds: 0.1 });
const background = (/** @type {number} */ seconds) => diagnostics('background', { seconds, steps: 3 });
