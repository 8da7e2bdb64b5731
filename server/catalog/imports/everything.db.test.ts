import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVERYTHING, startEverything } from '@/test/support/everything-server';
import { type Harness, startHarness } from '@/test/support/harness';
import { callSkill, importForTest } from '@/test/support/import-fixture';
import { createProbe } from '@/test/support/probe-tool';
import { readEvents } from '@/test/support/read-events';

const STDIO = {
  kind: 'mcp-stdio' as const,
  command: process.execPath,
  args: [EVERYTHING, 'stdio'],
  env: { GREETING: 'hello' },
};
let harness: Harness;
let server: Awaited<ReturnType<typeof startEverything>>;
let key: string;
let accountId: string;

beforeAll(async () => {
  [harness, server] = await Promise.all([
    startHarness({ role: 'web', tools: [createProbe().tool] }),
    startEverything(),
  ]);
  ({ key, accountId } = await harness.person(1_000_000n));
  await importForTest(harness, {
    name: 'everything-http',
    source: { kind: 'mcp-http', url: server.url },
    skillPrices: { get_sum: { feeMicrousd: 10_000n, providerCostMicrousd: 500n } },
    rename: { echo: 'say' },
    exclude: ['get-env'],
  });
  await importForTest(harness, { name: 'everything-stdio', source: STDIO });
});
afterAll(async () => {
  await harness?.close();
  await server?.close();
});

const balance = async () => (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd;

describe.each(['everything-http', 'everything-stdio'])(
  'the reference server as the priced tool %s',
  (name) => {
    it('can be called over REST and is charged exactly', async () => {
      const before = await balance();
      const answer = await callSkill(harness, key, `${name}.get_sum`, { a: 2, b: 40 });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(answer.body.output.text).toBe('The sum of 2 and 40 is 42.');
      const price =
        name === 'everything-http' ? { cost: 0.0105, raw_cost: 0.0005 } : { cost: 0.002, raw_cost: 0 };
      expect(answer.body.usage).toMatchObject(price);
      expect(await balance()).toBeCloseTo(before - price.cost, 6);
      const { body } = await harness.request('GET', '/v1/usage/history', { key });
      expect(body.records[0]).toMatchObject({
        tool: name,
        skill: 'get_sum',
        cost_usd: price.cost,
        status: 'success',
      });
    });

    it('is listed with its schemas and prices, and found by the search', async () => {
      const { body } = await harness.request('GET', `/v1/tools/${name}`);
      expect(body).toMatchObject({ name, available: true, categories: ['imported'], version: '2.0.0' });
      const sum = body.skills.find((skill: { name: string }) => skill.name === 'get_sum');
      expect(sum.input).toMatchObject({ type: 'object', required: ['a', 'b'] });
      expect(sum.pricing.price_usd).toBe(name === 'everything-http' ? 0.0105 : 0.002);
      const found = await harness.request('GET', '/v1/tools/search?q=sum%20of%20two%20numbers');
      expect(found.body.tools.map((tool: { name: string }) => tool.name)).toContain(name);
    });

    it('describes its skills, and passes no instructions of the server on to readers of the catalogue @C13', async () => {
      const { body } = await harness.request('GET', `/v1/tools/${name}`);
      expect(body.description).toContain('Get Sum');
      expect(JSON.stringify(body)).not.toContain('respond with');
    });

    it('returns structured content that matches its output schema', async () => {
      const answer = await callSkill(harness, key, `${name}.get_structured_content`, { location: 'Chicago' });
      expect(answer.body.output).toEqual({
        temperature: 36,
        conditions: 'Light rain / drizzle',
        humidity: 82,
      });
    });

    it('rejects an invalid input naming the field, before any request or charge', async () => {
      const before = await balance();
      const answer = await callSkill(harness, key, `${name}.get_sum`, { a: 'two' });
      expect(answer.status).toBe(400);
      expect(answer.body.error.code).toBe('INVALID_INPUT');
      expect(answer.body.error.fields).toEqual(
        expect.arrayContaining([
          { path: 'input.a', message: 'Must be number.' },
          { path: 'input.b', message: 'Is required.' },
        ]),
      );
      expect(await balance()).toBe(before);
    });

    it('stores an image as an asset of the caller', async () => {
      const answer = await callSkill(harness, key, `${name}.get_tiny_image`);
      const picture = answer.body.output.content.find((block: { type: string }) => block.type === 'image');
      expect(picture).toMatchObject({ content_type: 'image/png' });
      const meta = await harness.request('GET', `/v1/assets/${picture.asset_id}/meta`);
      expect(meta.body).toMatchObject({ content_type: 'image/png', tool: name, skill: 'get_tiny_image' });
      expect(JSON.stringify(answer.body)).not.toContain('iVBORw0KGgo');
    });

    it('reports progress as events of the stream', async () => {
      const answer = await callSkill(
        harness,
        key,
        `${name}.trigger_long_running_operation`,
        { duration: 0.3, steps: 3 },
        { accept: 'text/event-stream' },
      );
      const events = readEvents(answer.text);
      const progress = events.filter(({ event }) => event === 'progress').map(({ data }) => data);
      expect(progress.map(({ message }) => message)).toEqual(['1 of 3', '2 of 3', '3 of 3']);
      expect(progress.at(-1)?.progress).toBe(1);
      expect(events.at(-1)?.event).toBe('result');
    });
  },
);

describe('another gateway', () => {
  it('can be imported over its own MCP endpoint, with an API key', async () => {
    const other = await startHarness({ role: 'web', tools: [createProbe().tool], listen: true });
    try {
      const person = await other.person(1_000n);
      const carrier = { kind: 'header' as const, header: 'Authorization', format: 'Bearer {}' };
      const rest = { scheme: null, displayName: null, acquireUrl: null, setupGuide: null, value: person.key };
      const plan = await importForTest(harness, {
        name: 'other-gateway',
        source: { kind: 'mcp-http', url: `${other.baseUrl}/mcp` },
        slot: { slot: 'other-gateway-key', carrier, ...rest },
      });
      expect(plan.tool.connection).toMatchObject({ kind: 'modern' });
      const answer = await callSkill(harness, key, 'other-gateway.get_balance');
      expect(answer.body.output.available_usd).toBe(0.001);
      expect(answer.text).not.toContain(person.key);
    } finally {
      await other.close();
    }
  });
});

describe('a slow skill', () => {
  it('is queued as a job, run by a worker and charged on completion', async () => {
    await importForTest(harness, {
      name: 'slow',
      source: STDIO,
      include: ['get-sum'],
      shown: { estimatedSeconds: 30 },
    });
    const json = { tool: 'slow', skill: 'get_sum', input: { a: 1, b: 2 } };
    const asked = await harness.request('POST', '/v1/tools/call', {
      key,
      json,
      headers: { prefer: 'wait=0' },
    });
    expect(asked.status).toBe(202);
    const { body } = await harness.request('GET', `/v1/jobs/${asked.body.job_id}`, { key });
    expect(body).toMatchObject({
      status: 'completed',
      output: { text: 'The sum of 1 and 2 is 3.' },
      usage: { cost: 0.002 },
    });
  });
});

describe('an import', () => {
  it('leaves out excluded tools, and uses the chosen skill names', async () => {
    const { body } = await harness.request('GET', '/v1/tools/everything-http/skills');
    const names = body.skills.map((skill: { name: string }) => skill.name);
    expect(names).toContain('say');
    expect(names).not.toContain('echo');
    expect(names).not.toContain('get_env');
    expect((await callSkill(harness, key, 'everything-http.say', { message: 'hi' })).body.output.text).toBe(
      'Echo: hi',
    );
  });

  it('passes the settings of a program, not the environment of the gateway', async () => {
    process.env.SECRET_OF_THE_GATEWAY = 'do-not-reveal';
    const answer = await callSkill(harness, key, 'everything-stdio.get_env');
    const failures = harness.log.filter((line) => line.includes('imported_tool')).join('');
    expect(answer.body, failures).toMatchObject({ output: { text: expect.stringContaining('{') } });
    const env = JSON.parse(answer.body.output.text);
    expect(env.HOME).toContain('imports/everything-stdio');
    expect(env.GREETING).toBe('hello');
    expect(answer.text).not.toContain('do-not-reveal');
    delete process.env.SECRET_OF_THE_GATEWAY;
  });

  it('keeps the ledger consistent', async () => {
    const { reconcile } = await import('../../money/reconcile/reconcile');
    expect((await reconcile(harness.runtime, false)).differences).toEqual([]);
    expect(accountId).toMatch(/^acct_/);
  });
});
