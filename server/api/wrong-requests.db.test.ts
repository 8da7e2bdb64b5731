import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../testing/harness';
import { readEvents } from '../testing/read-events';

// Mistakes that agents and their developers make. A client that sees only the body must be able to
// correct each of them: it names what is wrong and what to send instead.

let harness: Harness;
let key: string;
beforeAll(async () => {
  harness = await startHarness();
  ({ key } = await harness.person(1_000_000n));
});
afterAll(() => harness.close());

interface Wrong {
  method?: string;
  path?: string;
  json?: unknown;
  raw?: string;
  headers?: Record<string, string>;
  /** Without the usual key. */
  anonymous?: boolean;
}
const call = (tool: string, skill: string, input: unknown = {}): Wrong => ({ json: { tool, skill, input } });
const withKey = (place: Partial<Wrong>): Wrong => ({
  ...call('math', 'evaluate'),
  anonymous: true,
  ...place,
});
const SECRET = 'tg_live_5ecretThatMustNotBeRepeated';

async function send({ method = 'POST', path = '/v1/tools/call', json, raw, headers, anonymous }: Wrong) {
  const body = raw === undefined ? { json } : { raw };
  const type = raw === undefined ? {} : { 'content-type': 'application/json' };
  return await harness.request(method, path, {
    ...(method === 'GET' ? {} : body),
    key: anonymous ? undefined : key,
    headers: { ...type, ...headers },
  });
}

describe('the answer to a wrong REST request says how to correct it', () => {
  const rows: [name: string, status: number, wrong: Wrong, text: RegExp][] = [
    ['no prefix', 405, { path: '/tools/call' }, /use POST \/v1\/tools\/call/],
    ['prefix of a web app', 404, { path: '/api/v1/tools/call' }, /Did you mean POST \/v1\/tools\/call\?/],
    ['singular', 404, { path: '/v1/tool/call' }, /Did you mean POST \/v1\/tools\/call\?/],
    ['short path', 404, { method: 'GET', path: '/v1/balance' }, /GET \/v1\/billing\/balance/],
    ['other version', 404, { method: 'GET', path: '/v2/tools' }, /GET \/v1\/tools\?/],
    ['GET of a call', 405, { method: 'GET' }, /does not support GET; it supports POST/],
    [
      'POST to a tool',
      405,
      { path: '/v1/tools/text' },
      /Send the request with GET, or use POST \/v1\/tools\/call/,
    ],
    ['PUT of a key', 405, { method: 'PUT', path: '/v1/keys' }, /it supports (?:POST, GET|GET, POST)/],
    [
      'no key',
      401,
      { ...call('math', 'evaluate'), anonymous: true },
      /Authorization: Bearer.*\/v1\/auth\/provision/,
    ],
    [
      'x-api-key',
      401,
      withKey({ headers: { 'x-api-key': SECRET } }),
      /x-api-key is not read.*Authorization: Bearer/,
    ],
    [
      'key in the URL',
      401,
      withKey({ path: `/v1/tools/call?api_key=${SECRET}` }),
      /URL \(api_key\).*leaked.*Bearer/,
    ],
    ['no scheme', 401, withKey({ headers: { authorization: SECRET } }), /without a scheme.*the word Bearer/],
    ['other scheme', 401, withKey({ headers: { authorization: `Token ${SECRET}` } }), /scheme Token.*Bearer/],
    [
      'comma too many',
      400,
      { raw: '{"tool": "math",}' },
      /Line 1, column 17: expected a field name in double quotes; got "}"/,
    ],
    [
      'Python',
      400,
      { raw: '{"tool": "math",\n "dry_run": True}' },
      /Line 2, column 13.*true, false or null; got "T"/,
    ],
    ['cut off', 400, { raw: '{"tool": "math"' }, /column 16: expected a comma or }; got the end of the body/],
    [
      'form',
      415,
      { raw: 'tool=math', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      /Content-Type: application\/json/,
    ],
    [
      'misspelt field',
      400,
      { json: { tool: 'math', skil: 'evaluate', input: {} } },
      /skil.*Did you mean `skill`/,
    ],
    ['misspelt tool', 404, call('txt', 'stats'), /Unknown tool `txt`. Did you mean `text`\?/],
    ['words of a skill', 404, call('word_count', 'run'), /the skill `stats` of `text`/],
    ['tool.skill', 404, call('image.resize', 'run'), /the skill `resize` of `image`/],
    ['misspelt skill', 404, call('text', 'stat'), /Did you mean `stats`\?.*text has:/],
    ['misspelt input', 400, call('text', 'stats', { txt: 'a' }), /txt.*Did you mean `text`\?/],
    [
      'number as text',
      400,
      call('image', 'resize', { image: 'asset_1', width: '10' }),
      /`?input\.width`?:? must be a whole number/,
    ],
    [
      'local path',
      400,
      call('image', 'resize', { image: './a.png', width: 10 }),
      /input\.image.*uploaded first.*POST \/v1\/assets\/upload/,
    ],
    [
      'file URL',
      400,
      call('image', 'resize', { image: 'file:///a.png', width: 10 }),
      /uploaded first.*asset_id/,
    ],
    [
      'data URI',
      400,
      call('image', 'resize', { image: 'data:image/png;base64,AA==', width: 10 }),
      /data URIs are not read.*\/v1\/assets\/upload/,
    ],
    [
      'unknown asset',
      404,
      call('image', 'resize', { image: 'asset_none', width: 10 }),
      /upload the file again/,
    ],
    ['unknown job', 404, { method: 'GET', path: '/v1/jobs/job_none' }, /Check the path and the id/],
  ];
  it.each(rows)('%s', async (_name, status, wrong, text) => {
    const { body, text: sent, headers, ...answer } = await send(wrong);
    const { message, resolution_hint } = body.error;
    expect(`${message} ${resolution_hint}`).toMatch(text);
    expect(answer.status).toBe(status);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(sent).not.toContain(SECRET);
  });
});

describe('the result of a wrong MCP call says how to correct it', () => {
  const tool = (name: string, args: object = {}) => ({ name, arguments: args });
  const rows: [name: string, code: string, params: object, text: RegExp, anonymous?: true][] = [
    [
      'no key',
      'AUTH_REQUIRED',
      tool('call_tool', { tool: 'math', skill: 'evaluate', input: {} }),
      /Call get_key/,
      true,
    ],
    ['no key for a job', 'AUTH_REQUIRED', tool('get_job', { job_id: 'job_1' }), /Call get_key/, true],
    ['second key', 'INVALID_INPUT', tool('get_key'), /already set up with a key/],
    [
      'misspelt argument',
      'INVALID_INPUT',
      tool('get_tool', { name: 'text' }),
      /`tool` is required|Unknown field/,
    ],
    [
      'misspelt tool',
      'TOOL_NOT_FOUND',
      tool('get_tool', { tool: 'txt' }),
      /Did you mean `text`\?.*search_tools/,
    ],
    [
      'words of a skill',
      'TOOL_NOT_FOUND',
      tool('call_tool', { tool: 'count_words', skill: 'x', input: {} }),
      /`stats` of `text`/,
    ],
    [
      'local path',
      'INVALID_INPUT',
      tool('call_tool', { tool: 'image', skill: 'resize', input: { image: '/tmp/a.png', width: 9 } }),
      /uploaded first.*upload_asset/,
    ],
    ['unknown job', 'NOT_FOUND', tool('get_job', { job_id: 'job_none' }), /list_jobs/],
    ['job that is not running', 'JOB_NOT_RUNNING', tool('cancel_job', { job_id: 'job_none' }), /get_job/],
    [
      'unknown file',
      'NOT_FOUND',
      tool('delete_asset', { asset_id: `asset_${'a'.repeat(26)}` }),
      /list_assets/,
    ],
  ];
  it.each(rows)('%s', async (_name, code, params, text, anonymous) => {
    const answer = await harness.request('POST', '/mcp', {
      key: anonymous ? undefined : key,
      headers: { host: new URL(harness.runtime.settings.baseUrl).host },
      json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    expect(answer.status).toBe(200);
    const [event] = readEvents(answer.text);
    // biome-ignore lint/suspicious/noExplicitAny: the result of any tool
    const { isError, structuredContent } = (event as any).data.result;
    expect([isError, structuredContent.error.code]).toEqual([true, code]);
    const said = `${structuredContent.error.message} ${structuredContent.error.resolution_hint}`;
    expect(said).toMatch(text);
    expect(said).not.toMatch(/\/v1\/|Bearer|header/i);
  });
});
