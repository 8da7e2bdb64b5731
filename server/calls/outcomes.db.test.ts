import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { readEvents } from '@/test/support/read-events';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { tools as builtIn } from '../tools/registry';
import { defineTool } from '../tools/sdk/define-tool';

const echo = builtIn.find(({ name }) => name === 'diagnostics');
const withoutBrowser = defineTool({
  ...(echo as NonNullable<typeof echo>),
  name: 'a-needs-browser',
  displayName: 'A needs a browser',
  findEngine: async () => ({ reason: 'no Chromium was found', fix: 'for the operator' }),
});

const [firstSkill, ...otherSkills] = withoutBrowser.skills;
const withoutFfmpeg = async () => ({ reason: 'no ffmpeg was found' });
/** One of its skills is unavailable. */
const partly = defineTool({
  ...withoutBrowser,
  name: 'a-partly',
  displayName: 'A partly',
  findEngine: undefined,
  skills: [{ ...(firstSkill as NonNullable<typeof firstSkill>), findEngine: withoutFfmpeg }, ...otherSkills],
});
/** All of its skills are unavailable. */
const noneWorks = defineTool({
  ...partly,
  name: 'a-none-works',
  displayName: 'A none works',
  skills: partly.skills.map((skill) => ({ ...skill, findEngine: withoutFfmpeg })),
});

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    tools: [withoutBrowser, partly, noneWorks, ...builtIn],
    env: { ...UNLIMITED_RATES, LOG_LEVEL: 'warn' },
  });
});
afterAll(async () => {
  await harness.close();
});

const badExpression = { tool: 'math', skill: 'evaluate', input: { expression: '6*' } };
const badExpressionError = {
  code: 'INVALID_INPUT',
  type: 'validation',
  billed: false,
  message: expect.stringContaining('expression'),
  fields: [{ path: 'input.expression', message: expect.stringMatching(/\w/) }],
};
const call = (key: string, json: object, headers: Record<string, string> = {}) =>
  harness.request('POST', '/v1/tools/call', { key, json, headers });
const credit = async (accountId: string) =>
  (
    await harness.runtime.sql`select balance_microusd, held_microusd from accounts where id = ${accountId}`
  )[0];

describe('input that a handler rejects', () => {
  it('is 400 INVALID_INPUT and names the field, in a single call, a batch and a stream @F18', async () => {
    const { key } = await harness.person();
    const single = await call(key, badExpression);
    expect([single.status, single.body]).toMatchObject([400, { status: 'error', error: badExpressionError }]);

    const batch = await harness.request('POST', '/v1/tools/batch', { key, json: { calls: [badExpression] } });
    expect([batch.status, batch.body.results]).toMatchObject([
      200,
      [{ id: expect.stringMatching(/^call_/), status: 'error', billed: false, error: badExpressionError }],
    ]);

    const stream = await call(key, badExpression, { accept: 'text/event-stream' });
    expect(stream.body ?? readEvents(stream.text).at(-1)?.data).toMatchObject({ error: badExpressionError });
  });

  it('fails its job with that code', async () => {
    const { key } = await harness.person();
    const started = await call(key, badExpression, { prefer: 'wait=0' });
    expect(started.status).toBe(202);
    const job = await harness.request('GET', `/v1/jobs/${started.body.job_id}`, { key });
    expect(job.body).toMatchObject({
      status: 'failed',
      error_code: 'INVALID_INPUT',
      error: expect.stringContaining('expression'),
    });
  });

  it.each([
    [
      'SQL',
      'data',
      'query',
      { sql: 'SELECT FROM WHERE', files: [{ file: 'asset_sample_sales' }] },
      'input.sql',
    ],
    ['a JSON schema', 'data', 'validate', { schema: { type: 'no-such-type' }, data: 1 }, 'input.schema'],
    ['a unit', 'math', 'units', { value: 1, from: 'nounit', to: 'kilogram' }, 'input.from'],
    ['a script', 'code', 'run_javascript', { code: 'throw new Error("x")' }, 'input.code'],
    ['a page range', 'pdf', 'split', { file: 'asset_sample_report', ranges: ['99'] }, 'input.ranges[0]'],
    ['a file of another type', 'pdf', 'extract_text', { file: 'asset_sample_logo' }, 'input.file'],
    ['a private address', 'web-reader', 'read', { url: 'http://10.0.0.1/' }, 'input'],
  ])('%s names the field and costs nothing', async (_, tool, skill, input, path) => {
    const { key, accountId } = await harness.person(1_000_000n);
    const before = await credit(accountId);
    const answer = await call(key, { tool, skill, input });
    expect([answer.status, answer.body.error]).toMatchObject([
      400,
      { code: 'INVALID_INPUT', billed: false, fields: [{ path }] },
    ]);
    expect(await credit(accountId)).toEqual(before);
  });

  it('may be corrected under the same Idempotency-Key', async () => {
    const { key } = await harness.person();
    const headers = { 'idempotency-key': 'corrected' };
    expect((await call(key, badExpression, headers)).status).toBe(400);
    const again = await call(key, { ...badExpression, input: { expression: '6*7' } }, headers);
    expect([again.status, again.body.output]).toMatchObject([200, { value: 42 }]);
    const replay = await call(key, { ...badExpression, input: { expression: '6*7' } }, headers);
    expect(replay.headers['idempotent-replayed']).toBe('true');
  });

  it('is not logged as a failure of the tool', async () => {
    const { key } = await harness.person(1_000_000n);
    const from = harness.log.length;
    await call(key, badExpression);
    await call(key, { tool: 'diagnostics', skill: 'flaky', input: { mode: 'throw' } });
    const failed = harness.log.slice(from).filter((line) => line.includes('tool.failed'));
    expect(failed.map((line) => JSON.parse(line).tool)).toEqual(['diagnostics']);
  });
});

describe('a missing file', () => {
  it('is 404 ASSET_NOT_FOUND, as a download and as an input', async () => {
    const { key } = await harness.person(1_000_000n);
    const input = { image: 'asset_0000' };
    for (const answer of [
      await call(key, { tool: 'image', skill: 'inspect', input }),
      await harness.request('GET', '/v1/assets/asset_0000'),
      await harness.request('GET', '/v1/assets/asset_0000/meta'),
    ])
      expect([answer.status, answer.body.error.code, answer.body.error.type]).toEqual([
        404,
        'ASSET_NOT_FOUND',
        'not_found',
      ]);
  });
});

describe('a tool that lacks its program', () => {
  const input = { tool: 'a-needs-browser', skill: 'echo', input: { message: 'hi' } };

  it('is 503 TOOL_UNAVAILABLE, alone and in a batch, and the other calls of the batch run', async () => {
    const { key } = await harness.person();
    const single = await call(key, input);
    expect([single.status, single.body.error]).toMatchObject([
      503,
      { code: 'TOOL_UNAVAILABLE', type: 'server', billed: false },
    ]);
    expect(single.body.error.message).toContain('no Chromium was found');
    const calls = [input, { ...input, tool: 'diagnostics' }];
    const batch = await harness.request('POST', '/v1/tools/batch', { key, json: { calls } });
    expect(batch.body.results).toMatchObject([
      { status: 'error', error: { code: 'TOOL_UNAVAILABLE' } },
      { status: 'success' },
    ]);
  });
});

describe('the catalogue', () => {
  it('ranks working tools first, then those that need your own provider key, then unavailable ones', async () => {
    const STATES = ['ready', 'needs_provider_key', 'unavailable'];
    const getRank = ({ availability }: { availability: string }) => STATES.indexOf(availability);
    const ranks = (await harness.request('GET', '/v1/tools?limit=500')).body.tools.map(getRank);
    expect(ranks).toEqual(ranks.toSorted());
    expect(new Set(ranks)).toEqual(new Set([0, 1, 2]));
    const last = (await harness.request('GET', '/v1/tools?limit=500')).body.tools.at(-1);
    expect(last).toMatchObject({ available: false, unavailable_reason: expect.stringMatching(/\w/) });
  });

  it('searches by relevance, and marks the best tool if it cannot be called', async () => {
    const { tools } = (await harness.request('GET', '/v1/tools/search?q=search%20the%20web')).body;
    expect(tools[0]).toMatchObject({
      name: 'web-search',
      matched_skills: ['search'],
      skill_count: 1,
      skills: [{ name: 'search', available: false }],
    });
    expect(tools[0].score).toBeGreaterThan(0.5);
    expect(tools[0].skills[0]).not.toHaveProperty('input');
    const more = '/v1/tools/search?q=search%20the%20web&limit=1&include=input_schema';
    const [first] = (await harness.request('GET', more)).body.tools;
    expect(first.skills[0].input).toMatchObject({ type: 'object' });
    expect(first.skills[0]).not.toHaveProperty('outputSchema');
  });

  it('returns nothing for what no tool does, but the nearest categories', async () => {
    const search = '/v1/tools/search?q=';
    expect((await harness.request('GET', `${search}xqzzkw`)).body).toEqual({
      tools: [],
      nearest_categories: [],
    });
    const { body } = await harness.request('GET', `${search}post%20a%20tweet`);
    expect(body.tools).toEqual([]);
    expect(body.nearest_categories.length).toBeGreaterThan(0);
  });

  it('shows skills that lack a program, and tools without a working skill, as unavailable', async () => {
    const { tools } = (await harness.request('GET', '/v1/tools?limit=500')).body;
    const find = (name: string) => tools.find((tool: { name: string }) => tool.name === name);
    const lacking = {
      available: false,
      unavailable_reason: 'no ffmpeg was found',
      availability: 'unavailable',
    };
    expect(find('a-partly')).toMatchObject({
      available: true,
      availability: 'ready',
      unavailable_reason: null,
      skills: { 0: lacking, 1: { availability: 'ready' } },
    });
    expect(find('a-partly').skills[1]?.available).toBeUndefined();
    expect(find('a-none-works')).toMatchObject(lacking);
    expect(JSON.stringify(tools)).not.toContain('for the operator');
    expect(tools.indexOf(find('a-none-works'))).toBeGreaterThan(tools.indexOf(find('math')));
  });

  it('explains what to do for a skill without a provider key, and its call is 401', async () => {
    const { body } = await harness.request('GET', '/v1/tools/web-search');
    const needsKey = {
      availability: 'needs_provider_key',
      available: false,
      unavailable_reason: 'This gateway has no key of Tavily or Brave Search or Exa. Bring your own.',
    };
    expect(body).toMatchObject({ ...needsKey, skills: [needsKey] });
    for (const { provider_keys } of [body, body.skills[0]])
      expect(provider_keys).toMatchObject([
        { name: 'tavily', displayName: 'Tavily', header: 'X-Provider-Key-tavily' },
        { name: 'brave' },
        { name: 'exa' },
      ]);
    const { key } = await harness.person(1_000_000n);
    const answer = await call(key, { tool: 'web-search', skill: 'search', input: { query: 'anything' } });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'MISSING_CREDENTIALS']);
  });

  it('does not drop working tools from a page in favour of unavailable ones', async () => {
    const { body } = await harness.request('GET', '/v1/tools?limit=5');
    expect(body.tools.map(({ available }: { available: boolean }) => available)).toEqual(Array(5).fill(true));
  });
});

describe('an INSUFFICIENT_CREDITS error names what is short', () => {
  const spend = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 1 } };
  const error = async (key: string, json: object) => {
    const answer = await call(key, json);
    expect([answer.status, answer.body.error.code]).toEqual([402, 'INSUFFICIENT_CREDITS']);
    const { limit, message, resolution_hint, top_up } = answer.body.error;
    return {
      limit,
      text: `${message} ${resolution_hint}`,
      page: top_up.url.replace('http://gateway.test', ''),
    };
  };

  it('the allowance of the key', async () => {
    const { accountId } = await harness.person(5_000_000n);
    const { key } = await harness.addKey(accountId, 500_000n);
    const { text, ...where } = await error(key, spend);
    expect(where).toEqual({ limit: 'key', page: '/dashboard/keys' });
    expect(text).toMatch(/credit limit.*\/v1\/keys\/\{id\}\/credits/);
  });

  it('the credit of a team', async () => {
    const { key, userId } = await harness.person(5_000_000n);
    await harness.team(userId, 'poor-team', 10n);
    const { text, ...where } = await error(key, { ...spend, billing: 'poor-team' });
    expect(where).toEqual({ limit: 'account', page: '/dashboard/billing?billing=poor-team' });
    expect(text).toContain('the team poor-team has');
  });

  it('the credit of the account', async () => {
    const { text, ...where } = await error((await harness.person(10n)).key, spend);
    expect(where).toEqual({ limit: 'account', page: '/dashboard/billing' });
    expect(text).toContain('this account has');
  });
});

describe('an error names the field, the value and the fix', () => {
  it.each([
    ['/v1/tools?limit=0', '`limit` must be a whole number from 1 to 500; got 0.'],
    ['/v1/tools/search', '`q` is required.'],
    ['/v1/tools/maht', 'Unknown tool `maht`. Did you mean `math`?'],
  ])('GET %s', async (target, message) => {
    expect((await harness.request('GET', target)).body.error.message).toBe(message);
  });

  it.each([
    [{ skill: 'evaluate', input: {} }, '`tool` is required.'],
    [{ tool: 'txt', skill: 'diff', input: {} }, 'Unknown tool `txt`. Did you mean `text`?'],
    [
      { tool: 'math', skill: 'evalute', input: {} },
      'Unknown skill `evalute` of `math`. Did you mean `evaluate`?',
    ],
    [{ tool: 'math', skill: 'evaluate', input: {} }, '`input.expression` is required.'],
  ])('a call of %j', async (json, message) => {
    const { key } = await harness.person();
    expect((await call(key, json)).body.error.message).toBe(message);
    const dry = await call(key, { ...json, dry_run: true });
    expect(dry.body.error?.message ?? dry.body.input_errors[0].message).toBe(message);
  });

  it('an unknown requirement', async () => {
    const { key } = await harness.person();
    const answer = await harness.request('PUT', '/v1/account/requirements/opnai', {
      key,
      json: { value: 'sk-test-1234' },
    });
    expect([answer.status, answer.body.error.message]).toEqual([
      404,
      'Unknown requirement `opnai`. Did you mean `openai`?',
    ]);
  });
});
