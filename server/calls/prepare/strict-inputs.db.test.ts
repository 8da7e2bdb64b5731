import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../testing/harness';
import { readEvents } from '../../testing/read-events';

let harness: Harness;
let key: string;
beforeAll(async () => {
  harness = await startHarness();
  ({ key } = await harness.person());
});
afterAll(() => harness.close());

const REDACT = { tool: 'text', skill: 'redact', input: { text: 'Ann', words: ['Ann'] } };
const UNKNOWN = {
  path: 'input.words',
  message: expect.stringMatching(/^Unknown field `words`\. Known fields: .*`terms`/),
};
const REFUSED = { error: { code: 'INVALID_INPUT', billed: false, fields: [UNKNOWN] } };
const post = (path: string, json: object) => harness.request('POST', path, { key, json });

describe('a field that a skill does not know', () => {
  it('is refused with the known ones in a call, a dry run and a batch', async () => {
    expect(await post('/v1/tools/call', REDACT)).toMatchObject({ status: 400, body: REFUSED });
    const dryRun = await post('/v1/tools/call', { ...REDACT, dry_run: true });
    expect(dryRun.body).toMatchObject({ valid: false, input_valid: false, input_errors: [UNKNOWN] });
    const { body } = await post('/v1/tools/batch', { calls: [REDACT] });
    expect(body.results).toMatchObject([REFUSED]);
  });

  it('is refused over MCP, in a result that a model sees', async () => {
    const params = { name: 'call_tool', arguments: REDACT };
    const { text } = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(readEvents(text)[0]?.data.result).toMatchObject({ isError: true, structuredContent: REFUSED });
  });

  it('is named at any depth, with the nearest name', async () => {
    const input = { expression: 'x', variables: { x: 1 }, precison: 'number' };
    const { body } = await post('/v1/tools/call', { tool: 'math', skill: 'evaluate', input });
    expect(body.error.message).toBe('Unknown field `precison`. Did you mean `precision`?');
  });
});

it('null for an optional field of a skill means absent', async () => {
  const input = { expression: '1 + 1', variables: null, precision: null };
  const { body } = await post('/v1/tools/call', { tool: 'math', skill: 'evaluate', input });
  expect(body.output).toMatchObject({ result: '2' });
  const required = await post('/v1/tools/call', {
    tool: 'math',
    skill: 'evaluate',
    input: { expression: null },
  });
  expect(required.body.error.fields).toMatchObject([{ path: 'input.expression' }]);
});
