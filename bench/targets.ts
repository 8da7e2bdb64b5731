import type { BenchAccounts } from './accounts';
import { UPSTREAM_CALLS } from './upstream';

/** The measured targets, in the order of the table. */
export const TARGET_NAMES = [
  'echo',
  'next',
  'free',
  'paid-one',
  'paid-200',
  'naive-one',
  'naive-200',
  'tools',
  'statistics',
  'statistics-key',
  'redact',
  'redact-key',
  'read',
  'read-key',
  'write',
  'write-key',
  'batch',
  'batch-key',
  'stream',
  'job',
  'queued',
  'paid-key',
] as const;
export type TargetName = (typeof TARGET_NAMES)[number];

/** The floor, `diagnostics.spend`, does nothing: what a paid call costs at least. */
export const LABELS: Record<TargetName, string> = {
  echo: '(a) bare node:http echo',
  next: '(b) empty Next route',
  free: '(c) free call',
  'paid-one': '(d) floor: paid call that does nothing, one account',
  'paid-200': '(e) floor, 200 accounts',
  'naive-one': '(f) naive Drizzle, one account',
  'naive-200': '(f) naive Drizzle, 200 accounts',
  tools: '(g) GET /v1/tools',
  statistics: '(h) math.statistics of eight numbers',
  'statistics-key': '(h) with an Idempotency-Key',
  redact: '(i) text.redact of a page',
  'redact-key': '(i) with an Idempotency-Key',
  read: '(j) imported operation that only reads',
  'read-key': '(j) with an Idempotency-Key',
  write: '(k) imported operation that writes',
  'write-key': '(k) with an Idempotency-Key',
  batch: '(l) batch of 10 × (j)',
  'batch-key': '(l) with an Idempotency-Key',
  stream: '(m) floor as a stream, to its result',
  job: '(n) job: POST with wait=0, GET to its end',
  queued: '(o) queued job, answered when it ends',
  'paid-key': '(p) floor with an Idempotency-Key',
};

export type ServerName = 'echo' | 'next' | 'gateway' | 'naive';

export interface Target {
  name: TargetName;
  label: string;
  server: ServerName;
  /** Complete HTTP requests; connections rotate through them. `{unique}` differs each time. */
  requests: string[];
  /**
   * Sent after each request, with the `{job}` of its response, until a response contains `expect`.
   */
  follow?: string[];
  /** Usage records that each request creates. */
  records: number;
  /** A part of the expected response, which proves that the target works. */
  expect: string;
}

const PAID = JSON.stringify({ tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.000001 } });
const FREE = JSON.stringify({
  tool: 'diagnostics',
  skill: 'echo',
  input: { message: 'x'.repeat(PAID.length - 62) },
});
const SLEEP = JSON.stringify({ tool: 'diagnostics', skill: 'sleep', input: { seconds: 0 } });
const BACKGROUND = JSON.stringify({
  tool: 'diagnostics',
  skill: 'background',
  input: { seconds: 0, steps: 1 },
});
const STATISTICS = JSON.stringify({
  tool: 'math',
  skill: 'statistics',
  input: { values: [12.5, 9.75, 14, 11.25, 10, 13.5, 9, 12, 30.5, 11] },
});
const REDACT = JSON.stringify({
  tool: 'text',
  skill: 'redact',
  input: { text: 'Write to ada@example.com or call +44 20 7946 0958 about order 1843.\n'.repeat(30) },
});
/** Elements of a batch. */
export const BATCH = 10;
const READ_BATCH = JSON.stringify({ calls: Array.from({ length: BATCH }, () => UPSTREAM_CALLS.read) });
export const CALL_PATH = '/v1/tools/call';
/** For servers without keys: the same number of bytes on the wire. */
const ANY_KEY = `tg_live_${'x'.repeat(38)}`;

/** A calculation that uses a core for about a second. */
const HEAVY = JSON.stringify({
  tool: 'math',
  skill: 'evaluate',
  input: { expression: 'f(n) = n < 2 ? n : f(n - 1) + f(n - 2); f(24)' },
});

/** A compute-intensive call with a key that is not measured. */
export function heavyCall({ manyAccounts }: BenchAccounts) {
  const headers = { Authorization: `Bearer ${manyAccounts[0]}`, 'Content-Type': 'application/json' };
  return { path: CALL_PATH, headers, body: HEAVY };
}

/** Creates every target with its requests. */
export function makeTargets(accounts: BenchAccounts): Target[] {
  const paid = '"cost":0.000001';
  const calls = (keys: string[], body: string, ...headers: string[]) =>
    keys.map((key) => post(CALL_PATH, key, body, ...headers));
  const { oneAccount } = accounts;
  return [
    target('echo', 'echo', [post('/echo', ANY_KEY, PAID)], 'diagnostics'),
    target('next', 'next', [post('/nothing', ANY_KEY, PAID)], '"ok"'),
    target('free', 'gateway', calls(oneAccount, FREE), '"billed":false'),
    target('paid-one', 'gateway', calls(oneAccount, PAID), paid),
    target('paid-200', 'gateway', calls(accounts.manyAccounts, PAID), paid),
    target('naive-one', 'naive', calls(accounts.naiveOne, PAID), paid),
    target('naive-200', 'naive', calls(accounts.naiveMany, PAID), paid),
    target('tools', 'gateway', [get('/v1/tools')], '"diagnostics"'),
    ...withAndWithoutKey('statistics', calls(oneAccount, STATISTICS), '"cost":0.0002'),
    ...withAndWithoutKey('redact', calls(oneAccount, REDACT), '"cost":0.0005'),
    ...withAndWithoutKey('read', calls(oneAccount, JSON.stringify(UPSTREAM_CALLS.read)), paid),
    ...withAndWithoutKey('write', calls(oneAccount, JSON.stringify(UPSTREAM_CALLS.write)), paid),
    ...withAndWithoutKey(
      'batch',
      oneAccount.map((key) => post('/v1/tools/batch', key, READ_BATCH)),
      paid,
    ).map((batch) => ({ ...batch, records: BATCH })),
    target('stream', 'gateway', calls(oneAccount, PAID, 'Accept: text/event-stream'), 'event: result'),
    {
      ...target('job', 'gateway', calls(oneAccount, SLEEP, 'Prefer: wait=0'), '"status":"completed"'),
      follow: oneAccount.map((key) => get('/v1/jobs/{job}', `Authorization: Bearer ${key}`)),
    },
    target('queued', 'gateway', calls(oneAccount, BACKGROUND), '"steps_done":1'),
    target('paid-key', 'gateway', calls(oneAccount, PAID).map(addKey), paid),
  ];
}

function withAndWithoutKey(
  name: 'statistics' | 'redact' | 'read' | 'write' | 'batch',
  requests: string[],
  expect: string,
): Target[] {
  return [
    target(name, 'gateway', requests, expect),
    target(`${name}-key`, 'gateway', requests.map(addKey), expect),
  ];
}

/** Gives each request an Idempotency-Key of its own. */
function addKey(request: string): string {
  return request.replace('\r\n', '\r\nIdempotency-Key: {unique}\r\n');
}

function target(name: TargetName, server: ServerName, requests: string[], expect: string): Target {
  const records = requests[0]?.includes(CALL_PATH) ? 1 : 0;
  return { name, label: LABELS[name], server, requests, records, expect };
}

/** Formats a complete HTTP request. */
export function post(path: string, key: string, body: string, ...headers: string[]): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n` +
    `${headers.map((header) => `${header}\r\n`).join('')}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

function get(path: string, ...headers: string[]): string {
  return `GET ${path} HTTP/1.1\r\n${['Host: 127.0.0.1', ...headers].join('\r\n')}\r\n\r\n`;
}
