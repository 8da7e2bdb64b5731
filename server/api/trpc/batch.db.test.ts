import { afterAll, beforeAll, expect, it } from 'vitest';
import { newSession } from '@/test/support/foreign-objects';
import { type Harness, startHarness } from '@/test/support/harness';
import { sessionCookieName } from '../../identity/sessions/session-token';
import { handleTrpc } from './handler';

const ORIGIN = 'http://gateway.test';
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

function ask(names: string[], headers: Record<string, string> = {}) {
  return handleTrpc(
    new Request(`${ORIGIN}/api/trpc/${names.join(',')}?batch=1&input=%7B%7D`, { headers }),
    harness.runtime,
  );
}

it('answers a batch of ten procedures, and refuses one of eleven before any runs @F5', async () => {
  const ten = await ask([...Array<string>(5).fill('guides.api'), ...Array<string>(5).fill('guides.list')]);
  expect(ten.status).toBe(200);
  const text = await ten.text();
  expect(JSON.parse(text)).toHaveLength(10);
  expect(text.length).toBeLessThan(2 * 1024 * 1024);
  for (const count of [11, 1_300])
    for (const accept of ['application/json', 'application/jsonl']) {
      const refused = await ask(Array<string>(count).fill('guides.api'), { 'trpc-accept': accept });
      expect(refused.status).toBe(400);
      const answer = await refused.text();
      expect(answer.length).toBeLessThan(2_000);
      expect(answer).toContain('INVALID_INPUT');
    }
});

it('answers the prepared reference exactly as its procedure does, alone and in a batch', async () => {
  const made = JSON.parse(await (await ask(['guides.api', 'guides.list'])).text());
  expect(JSON.parse(await (await ask(['guides.api', 'guides.api'])).text())).toEqual([made[0], made[0]]);
  const alone = new Request(`${ORIGIN}/api/trpc/guides.api`);
  expect(await (await handleTrpc(alone, harness.runtime)).json()).toEqual(made[0]);
});

it('refuses a response over 2 MiB, however few procedures it takes @F5', async () => {
  const { userId } = await harness.person();
  const cookie = `${sessionCookieName(harness.runtime.settings.baseUrl)}=${await newSession(harness, userId)}`;
  const { sql } = harness.runtime;
  await sql`update users set name = ${'x'.repeat(300_000)} where id = ${userId}`;
  const one = await ask(['auth.viewer'], { cookie });
  expect(one.status).toBe(200);
  const text = await one.text();
  expect(text.length).toBeGreaterThan(300_000);
  const ten = await ask(Array<string>(10).fill('auth.viewer'), { cookie });
  expect(ten.status).toBe(400);
  expect(await ten.json()).toMatchObject({ error: { data: { gateway: { code: 'INVALID_INPUT' } } } });
});

it('refuses a body with too many parts or levels before it is parsed @F5', async () => {
  const post = async (body: string) => {
    const headers = { origin: ORIGIN, 'content-type': 'application/json' };
    const request = new Request(`${ORIGIN}/api/trpc/auth.claim`, { method: 'POST', headers, body });
    const response = await handleTrpc(request, harness.runtime);
    return { status: response.status, text: await response.text() };
  };
  for (const [body, problem] of [
    [`[${'{},'.repeat(300_000)}{}]`, '20000 objects, arrays and fields'],
    [`${'['.repeat(9_000)}${']'.repeat(9_000)}`, '1000 levels'],
  ] as const) {
    const { status, text } = await post(body);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      error: {
        data: {
          gateway: {
            code: 'INVALID_INPUT',
            fields: [{ path: 'body', message: expect.stringContaining(problem) }],
          },
        },
      },
    });
  }
  // A body within the limits reaches the procedure, which requires a session.
  expect((await post('{"token":"x"}')).status).toBe(401);
});
