// The load generator: a separate process with keep-alive connections on raw sockets, each of which
// sends a request after the previous response. Minimal, because it shares the machine with what it
// measures.
import { connect } from 'node:net';

/**
 * @typedef {{ port: number, requests: string[], follow?: string[], expect: string,
 *   connections: number, ms: number, perSecond?: number }} Load
 * @typedef {{ calls: number, elapsedMs: number, cpuUs: number, p50Ms: number, p99Ms: number,
 *   body: string }} Outcome
 */

const HEADERS_END = Buffer.from('\r\n\r\n');
const CHUNKS_END = Buffer.from('0\r\n\r\n');

const UNIQUE = '{unique}';
const JOB = '{job}';
let lastUnique = 0;

/** @param {Load} load @returns {Promise<Outcome>} */
async function run({ port, requests, follow, expect, connections, ms, perSecond }) {
  /** @type {Script} */
  const script = {
    requests: requests.map((text) => (text.includes(UNIQUE) ? text : Buffer.from(text))),
    follow,
    expect,
  };
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  /** @type {number[]} */
  const latencies = [];
  const cpu = process.cpuUsage();
  const started = performance.now();
  const deadline = started + ms;
  const bodies =
    perSecond === undefined
      ? await Promise.all(
          sockets.map((socket, index) => drive(socket, script, index, connections, deadline, latencies)),
        )
      : await pace(sockets, script, { perSecond, started, deadline }, latencies);
  const elapsedMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  latencies.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    calls: latencies.length,
    elapsedMs,
    cpuUs: user + system,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    body: bodies[0] ?? '',
  };
}

/**
 * Sends requests at a fixed rate, independent of response times. Each is timed from when it was
 * due, including a wait for a connection.
 * @param {import('node:net').Socket[]} sockets
 * @param {Script} script
 * @param {{ perSecond: number, started: number, deadline: number }} pace
 * @param {number[]} latencies
 * @returns {Promise<string[]>} the last response
 */
async function pace(sockets, script, { perSecond, started, deadline }, latencies) {
  const free = [...sockets];
  /** @type {number[]} */
  const due = [];
  const running = new Set();
  let body = '';
  let asked = 0;
  /** @type {unknown} */
  let failure;
  const sendDue = () => {
    while (due.length > 0 && free.length > 0) {
      const socket = /** @type {import('node:net').Socket} */ (free.pop());
      const sent = /** @type {number} */ (due.shift());
      const one = sendOnce(socket, script, asked++)
        .then((answer) => {
          body = answer;
          latencies.push(performance.now() - sent);
          free.push(socket);
          sendDue();
        })
        .catch((error) => {
          failure = error;
        })
        .finally(() => running.delete(one));
      running.add(one);
    }
  };
  for (let n = 0; ; n++) {
    const at = started + (n * 1000) / perSecond;
    if (at >= deadline || failure) break;
    const now = performance.now();
    if (at > now) await new Promise((done) => setTimeout(done, at - now));
    due.push(performance.now());
    sendDue();
  }
  // A request that completes may send a due one.
  while (running.size > 0) await Promise.race(running);
  for (const socket of sockets) socket.destroy();
  if (failure) throw failure;
  return [body];
}

/**
 * Sends one request on a free connection.
 * @param {import('node:net').Socket} socket
 * @param {Script} script
 * @param {number} at
 * @returns {Promise<string>}
 */
function sendOnce(socket, { requests }, at) {
  return new Promise((resolve, reject) => {
    let answer = Buffer.alloc(0);
    const take = (/** @type {Buffer} */ chunk) => {
      answer = Buffer.concat([answer, chunk]);
      if (!isWhole(answer)) return;
      socket.off('data', take);
      socket.off('error', reject);
      if (answer[9] === 0x32) resolve(answer.toString('utf8'));
      else reject(new Error(`Not 2xx: ${answer.toString('utf8').slice(0, 1500)}`));
    };
    socket.on('data', take);
    socket.on('error', reject);
    socket.write(/** @type {Buffer | string} */ (requests[at % requests.length]));
  });
}

/** @param {number} port @returns {Promise<import('node:net').Socket>} */
function open(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

/**
 * The requests of a connection: bytes, or text with a placeholder that is unique each time.
 * @typedef {{ requests: (Buffer | string)[], follow?: string[] | undefined, expect: string }}
 *   Script
 */

/**
 * Drives one connection until the deadline.
 * @param {import('node:net').Socket} socket
 * @param {Script} script
 * @param {number} first index of its first request
 * @param {number} step added to the index after each request
 * @param {number} deadline
 * @param {number[]} latencies receives its latencies
 * @returns {Promise<string>} its last response
 */
function drive(socket, { requests, follow, expect }, first, step, deadline, latencies) {
  return new Promise((resolve, reject) => {
    let at = first;
    let sent = 0;
    /** The follow-up request, sent until the expected response. @type {string | undefined} */
    let following;
    /** @type {Buffer | null} */
    let partial = null;
    const send = () => {
      const request = /** @type {Buffer | string} */ (requests[at % requests.length]);
      following = undefined;
      sent = performance.now();
      socket.write(typeof request === 'string' ? request.replace(UNIQUE, unique()) : request);
    };
    /**
     * @param {Buffer} answer @returns {boolean} whether a follow-up was sent before the request
     *   counts
     */
    const goOn = (answer) => {
      if (!follow) return false;
      const text = answer.toString('utf8');
      if (text.includes(expect)) return false;
      following ??= follow[at % follow.length]?.replace(JOB, readJobId(text));
      socket.write(/** @type {string} */ (following));
      return true;
    };
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The server closed the connection')));
    socket.on('data', (chunk) => {
      const answer = partial === null ? chunk : Buffer.concat([partial, chunk]);
      if (!isWhole(answer)) {
        partial = answer;
        return;
      }
      partial = null;
      // `HTTP/1.1 2`: any other status aborts the bench.
      if (answer[9] !== 0x32) {
        socket.destroy();
        reject(new Error(`Not 2xx: ${answer.toString('utf8').slice(0, 1500)}`));
        return;
      }
      try {
        if (goOn(answer)) return;
      } catch (error) {
        socket.destroy();
        reject(error);
        return;
      }
      const now = performance.now();
      latencies.push(now - sent);
      at += step;
      if (now < deadline) send();
      else {
        socket.removeAllListeners('close');
        socket.destroy();
        resolve(answer.toString('utf8'));
      }
    });
    send();
  });
}

function unique() {
  lastUnique += 1;
  return `bench-${process.pid}-${lastUnique}`;
}

/** @param {string} answer */
function readJobId(answer) {
  const id = /"job_id":"([^"]+)"/.exec(answer)?.[1];
  if (id === undefined) throw new Error(`No job: ${answer}`);
  return id;
}

/** @param {Buffer} answer */
function isWhole(answer) {
  const end = answer.indexOf(HEADERS_END);
  if (end < 0) return false;
  const head = answer.toString('latin1', 0, end + 2);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return answer.length >= end + 4 + Number(length);
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return true;
  return answer.subarray(-CHUNKS_END.length).equals(CHUNKS_END);
}

process.on('message', (/** @type {{ id: number, argument: Load }} */ { id, argument }) => {
  run(argument).then(
    (value) => process.send?.({ id, value }),
    (error) => process.send?.({ id, error: String(error?.message ?? error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ serves: {} });
