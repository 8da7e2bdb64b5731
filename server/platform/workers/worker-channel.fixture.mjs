// What a worker with a compromised native library can do, for worker-channel.test.ts.
import { closeSync, writeSync } from 'node:fs';
import { frameHeader } from './worker-frames.mjs';

/** Identifies the process, because all have the same pid in their own namespaces. */
const PROCESS_ID = Math.random();

const CHANNEL_FD = 3;

/** @param {Uint8Array} bytes */
function write(bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(CHANNEL_FD, bytes, at);
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') throw error;
    }
  }
}

/**
 * Sends each text as a frame, with `ID` replaced by the task's id, which code in a compromised
 * process can find.
 * @param {{ texts: string[], times: number }} payload
 * @param {import('./worker-processes').WorkerReports} reports
 */
export function sendFrames({ texts, times }, { progress }) {
  const id = findTaskId(progress);
  for (let round = 0; round < times; round += 1)
    for (const text of texts.map((one) => one.replace('ID', id))) {
      write(frameHeader(Buffer.byteLength(text)));
      write(Buffer.from(text));
    }
  return 'sent';
}

/** @param {(fraction: number) => void} progress @returns {string} */
function findTaskId(progress) {
  const { stringify } = JSON;
  let id = '';
  Object.assign(JSON, {
    stringify: (/** @type {{ id: string }} */ message) => {
      id = message.id;
      return stringify(message);
    },
  });
  progress(0);
  Object.assign(JSON, { stringify });
  return id;
}

/** @param {{ hex: string }} payload @returns {never} */
export function writeForever({ hex }) {
  const bytes = Buffer.alloc(64 * 1024, Buffer.from(hex, 'hex'));
  for (;;) write(bytes);
}

/** Sends a frame one byte at a time. @param {{ announced: number, sent: number }} payload */
export function drip({ announced, sent }) {
  write(frameHeader(announced));
  for (let at = 0; at < sent; at += 1) write(Buffer.from(' '));
  return 'sent';
}

/** @returns {never} */
export function closeChannel() {
  closeSync(CHANNEL_FD);
  for (;;);
}

/** @param {{ signal: string | null, code: number }} payload */
export async function end({ signal, code }) {
  if (signal === null) process.exit(code);
  process.kill(process.pid, signal);
  await new Promise(() => undefined);
}

/**
 * Causes an unhandled rejection, at once or after the task has ended. With `hidden`, its timer is
 * unreferenced.
 * @param {{ afterMs: number, hidden: boolean }} payload
 */
export function reject({ afterMs, hidden }) {
  if (afterMs === 0) void Promise.reject(new Error('left alone'));
  else {
    const timer = setTimeout(() => Promise.reject(new Error('left alone')), afterMs);
    if (hidden) timer.unref();
  }
  return PROCESS_ID;
}

/** Waits for something that an uncaught error has ended. @returns {Promise<never>} */
export function waitForThrown() {
  setTimeout(() => {
    throw new Error('thrown outside');
  }, 0);
  return new Promise(() => undefined);
}

/** @param {{ ms: number }} payload */
export async function stay({ ms }) {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return PROCESS_ID;
}

/** @param {{ ms: number }} payload @param {import('./worker-processes').WorkerReports} reports */
export async function reportAndStay({ ms }, { log }) {
  log('started');
  return await stay({ ms });
}

/** @param {{ depth: number }} payload */
export function nest({ depth }) {
  /** @type {unknown} */
  let value = 0;
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value };
  return value;
}

export function cycle() {
  /** @type {Record<string, unknown>} */
  const value = {};
  value.itself = value;
  return value;
}

/** Small in memory, with 2^40 values as JSON. */
export function multiply() {
  /** @type {unknown} */
  let value = 0;
  for (let level = 0; level < 40; level += 1) value = [value, value];
  return value;
}

/** @param {{ length: number }} payload */
export function longText({ length }) {
  return '\u0000'.repeat(length);
}

export function oddValues() {
  return { big: 2n };
}

export function throwingValue() {
  return {
    get a() {
      throw new Error('in a getter');
    },
  };
}

/** Returns its payload. @param {unknown} payload */
export function echo(payload) {
  return payload;
}

/** @param {{ bytes: Uint8Array, name: string }} payload */
export function countBytes({ bytes, name }) {
  return { name, length: bytes.length, last: bytes.at(-1) ?? null };
}
