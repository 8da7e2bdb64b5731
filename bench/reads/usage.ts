import type { TestGateway } from '../../test/system/fixtures/gateway';
import { discardResponse, type Timed, timed, timeEach } from './timing';

const DAYS = 90;
const REQUESTS = 200;
/** "usage of a month on 10 million rows under 10 ms" */
const MOST_MS = 10;

/** Measures usage of an account with that many calls, over the API and in the dashboard. */
export async function measureUsage(gateway: TestGateway, rows: number): Promise<Timed[]> {
  const email = 'reads@example.test';
  const { api_key: key } = await gateway.admin('account', 'create', '--email', email);
  const flags = ['--rows', String(rows), '--days', String(DAYS)];
  const seeded = await gateway.admin('usage', 'seed', '--email', email, ...flags);
  process.stderr.write(`${rows} calls, ${seeded.rollups} roll-ups in ${seeded.seconds} s\n`);
  // The hourly sweep of a gateway, which sums up completed days.
  await gateway.admin('sweep');
  const authorization = `Bearer ${key}`;
  const cookie = await signIn((await gateway.admin('sign-in-link', '--email', email)).url);
  const ask = (procedure: string, input: object) =>
    `/api/trpc/usage.${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`;
  const targets: [name: string, path: string, headers: Record<string, string>, most: number | null][] = [
    ['GET /v1/usage?period=month', '/v1/usage?period=month', { authorization }, MOST_MS],
    ['GET /v1/usage?period=week', '/v1/usage?period=week', { authorization }, null],
    ['GET /v1/usage?period=day', '/v1/usage?period=day', { authorization }, null],
    ['GET /v1/usage?period=all', '/v1/usage?period=all', { authorization }, null],
    ['GET /v1/usage/history', '/v1/usage/history', { authorization }, null],
    ['tRPC usage.report, 30 days', ask('report', { period: '30d' }), { cookie }, null],
    ['tRPC usage.report, 90 days', ask('report', { period: '90d' }), { cookie }, null],
    ['page /dashboard', '/dashboard', { cookie }, null],
    ['page /dashboard/usage', '/dashboard/usage', { cookie }, null],
  ];
  const found: Timed[] = [];
  for (const [name, path, headers, most] of targets) {
    const times = await timeEach(REQUESTS, () => discardResponse(`${gateway.baseUrl}${path}`, headers));
    found.push(timed(name, times, most, 'p50'));
  }
  return found;
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
