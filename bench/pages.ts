import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { arrayLiteral } from '../db/array-literal';
import { embeddedDatabase, openDatabase } from '../test/system/fixtures/embedded-database';
import { startGateway, type TestGateway } from '../test/system/fixtures/gateway';
import { sum } from './statistics';

/** Limit for each page, with a million calls in the account. */
const MOST_P95_MS = 200;
/** Rows of refused calls of the account: each is a minute of a key, code and tool. */
const REFUSALS = 100_000;
const WARMUPS = 5;

/** The time of one page or procedure, from the request to the last byte of the response. */
interface Measured {
  name: string;
  requests: number;
  p50: number;
  p95: number;
  max: number;
  kilobytes: number;
}

/**
 * Measures the usage pages by HTTP, signed in, on an account with that many calls, one request at a
 * time.
 * @returns the exit code: 1 if a page exceeded the limit
 */
export async function benchPages(root: string, rows: number, requests: number): Promise<number> {
  const gateway = await startGateway();
  try {
    const email = 'bench@example.test';
    await gateway.admin('account', 'create', '--email', email);
    const seeded = await gateway.admin('usage', 'seed', '--email', email, '--rows', String(rows));
    process.stderr.write(`${rows} calls, ${seeded.rollups} roll-ups in ${seeded.seconds} s\n`);
    await seedRefusals(gateway, seeded.key_ids);
    // The hourly sweep of a gateway, which sums up completed days.
    await gateway.admin('sweep');
    const person = await signInTo(gateway, '--email', email);
    const operator = await signInTo(gateway);
    const measured: Measured[] = [];
    for (const [name, path] of await listTargets(person, seeded.key_ids))
      measured.push(await measure(name, path, person, requests));
    for (const path of listOperatorPaths(seeded.account_id))
      measured.push(await measure(`page ${path.replace(seeded.account_id, '…')}`, path, operator, requests));
    const text = report(measured, rows, seeded.rollups);
    console.log(text);
    const results = join(root, 'bench/results');
    await mkdir(results, { recursive: true });
    await writeFile(
      join(results, `${new Date().toISOString().replace(/[:.]/g, '-').slice(0, 19)}-pages.md`),
      text,
    );
    return measured.every(({ p95 }) => p95 <= MOST_P95_MS) ? 0 : 1;
  } finally {
    await gateway.stop();
  }
}

/** Seeds refused calls of the last 34 days, evenly over keys, codes and tools. */
async function seedRefusals(gateway: TestGateway, keyIds: readonly string[]): Promise<void> {
  const sql = openDatabase(embeddedDatabase(String(gateway.env.DATA_DIR)).url);
  const codes = ['SPENDING_LIMIT_EXCEEDED', 'RATE_LIMIT_EXCEEDED', 'INSUFFICIENT_CREDITS', 'INVALID_INPUT'];
  try {
    await sql`
      insert into refusal_minutes (account_id, minute, key_id, code, limit_name, tool, refused, last_at, rules_version)
      select k.account_id, m.minute, k.id, (${arrayLiteral(codes)}::text[])[1 + n % 4], case when n % 4 < 2 then 'key' else '' end,
        'tool-' || n % 9, 1 + n % 50, m.minute + interval '30 seconds', k.rules_version
      from generate_series(1, ${REFUSALS}) n
        cross join lateral (select date_trunc('minute', now()) - n * interval '34 days' / ${REFUSALS} as at) t
        cross join lateral (select date_trunc('minute', t.at) as minute) m
        join api_keys k on k.id = (${arrayLiteral(keyIds)}::text[])[1 + n % ${keyIds.length}]
      on conflict do nothing`;
    await sql`analyze refusal_minutes`;
  } finally {
    await sql.end();
  }
}

/** Signs in a person, or the operator. @returns reads pages and procedures as they see them */
async function signInTo(gateway: TestGateway, ...who: string[]): Promise<Get> {
  const cookie = await signIn((await gateway.admin('sign-in-link', ...who)).url);
  return async (path) => {
    const response = await fetch(`${gateway.baseUrl}${path}`, { headers: { cookie } });
    const text = await response.text();
    if (response.status !== 200)
      throw new Error(`${path} answered ${response.status}: ${text.slice(0, 200)}`);
    return text;
  };
}

function listOperatorPaths(accountId: string): string[] {
  const accounts = [
    '/operator/accounts',
    '/operator/accounts?sort=spent.desc',
    `/operator/accounts/${accountId}`,
  ];
  return ['/operator', ...accounts, '/operator/tools?period=30d', '/operator/tools/math?period=30d'];
}

/** Signs in with a link. Returns the session cookie. */
async function signIn(link: string): Promise<string> {
  const { origin, search } = new URL(link);
  const response = await fetch(`${origin}/api/auth/callback/email${search}`, {
    method: 'POST',
    headers: { origin },
    redirect: 'manual',
  });
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

type Get = (path: string) => Promise<string>;

const ask = (procedure: string, input: object) =>
  `/api/trpc/usage.${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`;

async function listTargets(get: Get, keys: string[]): Promise<[name: string, path: string][]> {
  const answer = JSON.parse(await get(ask('report', { period: '90d' })));
  const tools: { tool: string; calls: number }[] = answer.result.data.by_tool;
  const rare = tools.reduce((least, row) => (row.calls < least.calls ? row : least)).tool;
  const page = JSON.parse(await get(ask('calls', { period: '90d' })));
  const reports = (['24h', 'yesterday', '7d', '30d', '90d', 'mtd', 'all'] as const).map(
    (period) => [`usage.report ${period}`, ask('report', { period })] as [string, string],
  );
  const all = { period: 'all' };
  return [
    ['page /dashboard', '/dashboard'],
    ['page /dashboard/usage', '/dashboard/usage'],
    ['page /dashboard/usage, 90 days', '/dashboard/usage?period=90d'],
    ['page /dashboard/usage, one tool, failed', `/dashboard/usage?period=90d&tool=${rare}&status=error`],
    ['page /dashboard/usage/errors', '/dashboard/usage/errors'],
    ['page /dashboard/usage/errors, 90 days', '/dashboard/usage/errors?period=90d'],
    ['page /dashboard/usage/refused', '/dashboard/usage/refused'],
    ['page /dashboard/usage/refused, 24 hours', '/dashboard/usage/refused?period=24h'],
    ['page /dashboard/keys', '/dashboard/keys'],
    ['page /dashboard/keys/…', `/dashboard/keys/${keys[0]}`],
    ['page /dashboard/billing', '/dashboard/billing'],
    ...reports,
    ['usage.report 90d, key', ask('report', { period: '90d', key_id: keys[0] })],
    ['usage.report 90d, tool', ask('report', { period: '90d', tool: rare })],
    ['usage.report 90d, failed', ask('report', { period: '90d', status: 'error' })],
    ['usage.calls', ask('calls', all)],
    ['usage.calls, page 2', ask('calls', { ...all, cursor: page.result.data.next_cursor })],
    ['usage.calls, key', ask('calls', { ...all, key_id: keys[4] })],
    ['usage.calls, rarest tool', ask('calls', { ...all, tool: rare })],
    ['usage.calls, tool never used', ask('calls', { ...all, tool: 'never-used' })],
    ['usage.calls, failed', ask('calls', { ...all, status: 'error' })],
    [
      'usage.calls, key, rarest tool, failed',
      ask('calls', { ...all, key_id: keys[4], tool: rare, status: 'error' }),
    ],
    ['usage.get', ask('get', { id: page.result.data.calls[7].id })],
    ['usage.choices', ask('choices', {})],
    ['usage.glance', ask('glance', {})],
    ['usage.nearLimits', ask('nearLimits', {})],
    ['usage.attention', ask('attention', {})],
    ['usage.blockedKeys', ask('blockedKeys', {})],
    ['usage.errorReport 30d', ask('errorReport', { period: '30d', status: 'error' })],
    ['usage.errorReport 90d', ask('errorReport', { period: '90d', status: 'error' })],
    ['usage.refusalReport 30d', ask('refusalReport', { period: '30d' })],
    ['usage.refusalReport 30d, key', ask('refusalReport', { period: '30d', key_id: keys[0] })],
  ];
}

async function measure(name: string, path: string, get: Get, requests: number): Promise<Measured> {
  for (let i = 0; i < WARMUPS; i++) await get(path);
  const times: number[] = [];
  const sizes: number[] = [];
  for (let i = 0; i < requests; i++) {
    const start = performance.now();
    sizes.push((await get(path)).length);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)] ?? 0;
  process.stderr.write(`${name}: p95 ${at(0.95).toFixed(0)} ms\n`);
  return {
    name,
    requests,
    p50: at(0.5),
    p95: at(0.95),
    max: at(1),
    kilobytes: sum(sizes) / sizes.length / 1000,
  };
}

function report(measured: readonly Measured[], rows: number, rollups: number): string {
  const lines = measured.map(
    ({ name, p50, p95, max, kilobytes }) =>
      `| ${name} | ${p50.toFixed(0)} | ${p95.toFixed(0)} | ${max.toFixed(0)} | ${kilobytes.toFixed(0)} | ${p95 <= MOST_P95_MS ? 'yes' : '**no**'} |`,
  );
  return [
    `# Pages with ${rows.toLocaleString('en-US')} calls (${rollups.toLocaleString('en-US')} roll-ups) in one account`,
    '',
    `${measured[0]?.requests ?? 0} requests each, one at a time, complete responses by HTTP on loopback, signed in.`,
    '',
    `| What | p50 ms | p95 ms | max ms | kB | p95 ≤ ${MOST_P95_MS} ms |`,
    '| --- | --: | --: | --: | --: | --- |',
    ...lines,
    '',
  ].join('\n');
}
