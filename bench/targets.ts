import type { BenchAccounts } from './accounts';

/** What is measured, in the order of the table. */
export const TARGET_NAMES = [
  'echo',
  'next',
  'free',
  'paid-one',
  'paid-200',
  'naive-one',
  'naive-200',
  'tools',
] as const;
export type TargetName = (typeof TARGET_NAMES)[number];

export const LABELS: Record<TargetName, string> = {
  echo: '(a) bare node:http echo',
  next: '(b) Next route that does nothing',
  free: '(c) free call',
  'paid-one': '(d) paid call, one account',
  'paid-200': '(e) paid call, 200 accounts',
  'naive-one': '(f) naive Drizzle, one account',
  'naive-200': '(f) naive Drizzle, 200 accounts',
  tools: '(g) GET /v1/tools',
};

export type ServerName = 'echo' | 'next' | 'gateway' | 'naive';

export interface Target {
  name: TargetName;
  label: string;
  server: ServerName;
  /** Whole HTTP requests; connections take turns through them. */
  requests: string[];
  /** Whether each call leaves a usage record. */
  billed: boolean;
  /** A piece that the answer must hold: proves before measuring that the target does what it says. */
  expect: string;
}

const PAID = JSON.stringify({ tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.000001 } });
const FREE = JSON.stringify({
  tool: 'diagnostics',
  skill: 'echo',
  input: { message: 'x'.repeat(PAID.length - 62) },
});
const CALL_PATH = '/v1/tools/call';
/** What the servers that know no keys get: the same bytes on the wire. */
const ANY_KEY = `tg_live_${'x'.repeat(38)}`;

/** Every target with its requests. */
export function makeTargets(accounts: BenchAccounts): Target[] {
  const paid = '"cost":0.000001';
  const calls = (keys: string[], body: string) => keys.map((key) => post(CALL_PATH, key, body));
  return [
    target('echo', 'echo', [post('/echo', ANY_KEY, PAID)], 'diagnostics'),
    target('next', 'next', [post('/nothing', ANY_KEY, PAID)], '"ok"'),
    target('free', 'gateway', calls(accounts.oneAccount, FREE), '"billed":false'),
    target('paid-one', 'gateway', calls(accounts.oneAccount, PAID), paid),
    target('paid-200', 'gateway', calls(accounts.manyAccounts, PAID), paid),
    target('naive-one', 'naive', calls(accounts.naiveOne, PAID), paid),
    target('naive-200', 'naive', calls(accounts.naiveMany, PAID), paid),
    target('tools', 'gateway', [get('/v1/tools')], '"diagnostics"'),
  ];
}

function target(name: TargetName, server: ServerName, requests: string[], expect: string): Target {
  const billed = requests[0]?.includes(CALL_PATH) ?? false;
  return { name, label: LABELS[name], server, requests, billed, expect };
}

function post(path: string, key: string, body: string): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
}
