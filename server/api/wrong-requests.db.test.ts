import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createPricedTool } from '@/test/support/priced-tool';
import { readEvents } from '@/test/support/read-events';
import { createScriptedTool } from '@/test/support/scripted-tool';
import { tools } from '../tools/registry';

// Mistakes that agents and their developers make. A client that sees only the body must be able to
// correct each of them: it names what is wrong and what to send instead.

const scripted = createScriptedTool();
const NO_FFMPEG = async () => ({ reason: 'This gateway has no ffmpeg.', fix: 'Only for operators.' });

let harness: Harness;
let key: string;
/** Keys in other states, and a job of another account, by the name that a row uses. */
const states: Record<string, string> = {};
beforeAll(async () => {
  harness = await startHarness({
    listen: true,
    tools: [
      ...tools.map((tool) => (tool.name === 'media' ? { ...tool, findEngine: NO_FFMPEG } : tool)),
      scripted.tool,
      createPricedTool().tool,
    ],
  });
  const person = await harness.person(1_000_000n);
  key = person.key;
  const [poor, other, revoked, limited] = [
    (await harness.person()).key,
    (await harness.person()).key,
    await harness.addKey(person.accountId),
    await harness.addKey(person.accountId),
  ];
  await send({ method: 'DELETE', path: `/v1/keys/${revoked.keyId}` });
  const expired = await harness.addKey(person.accountId);
  await harness.runtime
    .sql`update api_keys set expires_at = now() - interval '1 day' where id = ${expired.keyId}`;
  await send({
    method: 'PATCH',
    path: `/v1/keys/${limited.keyId}`,
    json: { rate_limits: { per_minute: 1, per_hour: null, concurrent: null } },
  });
  const unclaimed = (await send({ path: '/v1/auth/provision', anonymous: true })).body.api_key;
  Object.assign(states, {
    poor,
    unclaimed,
    revoked: revoked.key,
    limited: limited.key,
    expired: expired.key,
  });
  states.cut = key.slice(0, 20);
  states.typo = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
  const evaluate = call('math', 'evaluate', { expression: '1' });
  await send({ ...evaluate, as: 'limited' });
  await send({ ...evaluate, headers: { 'idempotency-key': 'used' } });
  states.other = other;
  const waiting = call('script', 'run', { steps: ['gate:end'] });
  states.job = (await send({ ...waiting, as: 'other', headers: { prefer: 'wait=0' } })).body.job_id;
});
afterAll(async () => {
  scripted.open('end');
  await harness.close();
});

interface Wrong {
  method?: string;
  path?: string;
  json?: unknown;
  raw?: string;
  headers?: Record<string, string>;
  /** Without the usual key, or with one of `states`. */
  anonymous?: boolean;
  as?: string;
}
const call = (tool: string, skill: string, input: unknown = {}): Wrong => ({ json: { tool, skill, input } });
const withKey = (place: Partial<Wrong>): Wrong => ({
  ...call('math', 'evaluate'),
  anonymous: true,
  ...place,
});
const SECRET = 'tg_live_5ecretThatMustNotBeRepeated';
const EVALUATE = call('math', 'evaluate', { expression: '1' });
const get = (path: string): Wrong => ({ method: 'GET', path });

async function send({ method = 'POST', path = '/v1/tools/call', json, raw, headers, anonymous, as }: Wrong) {
  const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
  const used = as === undefined ? key : states[as];
  const response = await fetch(`${harness.baseUrl}${path.replace('{job}', states.job ?? '')}`, {
    method,
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(anonymous ? {} : { authorization: `Bearer ${used}` }),
      ...headers,
    },
  });
  const text = await response.text();
  const type = response.headers.get('content-type');
  return { status: response.status, type, text, body: type?.includes('json') ? JSON.parse(text) : null };
}

const sendMcp = (json: unknown, anonymous = false, headers?: Record<string, string>) =>
  send({
    path: '/mcp',
    json,
    anonymous,
    headers: { accept: 'application/json, text/event-stream', ...headers },
  });

describe('the answer to a wrong REST request says how to correct it', () => {
  const rows: [name: string, status: number, wrong: Wrong, text: RegExp][] = [
    ['no prefix', 404, { path: '/tools/call' }, /Did you mean POST \/v1\/tools\/call\?/],
    ['no prefix, to search', 404, get('/tools/search?q=pdf'), /Did you mean GET \/v1\/tools\/search\?/],
    ['no version', 404, get('/api/tools'), /Did you mean GET \/v1\/tools\?/],
    ['below a tool', 404, { path: '/v1/tools/math/evaluate' }, /Send the request as POST \/v1\/tools\/call/],
    ['made-up route', 404, { path: '/v1/run', ...EVALUATE }, /call them with POST \/v1\/tools\/call/],
    ['root', 405, { path: '/', ...EVALUATE }, /use POST \/v1\/tools\/call or POST \/mcp/],
    ['old MCP transport', 404, get('/sse'), /MCP at POST \/mcp/],
    ['MCP with a slash', 404, { path: '/mcp/', json: {} }, /POST \/mcp, without a final slash/],
    ['POST of a search', 405, { path: '/v1/tools/search', json: { q: 'pdf' } }, /Send the request with GET/],
    [
      'POST of a search, other prefix',
      404,
      { path: '/api/v1/tools/search', json: { q: 'pdf' } },
      /Send the request as GET \/v1\/tools\/search/,
    ],
    ['GET of a file route', 405, get('/v1/assets/upload'), /with POST/],
    ['search without q', 400, get('/v1/tools/search?query=pdf'), /`q` is required/],
    ['limit', 400, get('/v1/tools?limit=1000'), /`limit` must be a whole number from 1 to 500; got 1000/],
    ['near miss of a period', 400, get('/v1/usage?period=days'), /Did you mean `day`\?/],
    ['cursor', 400, get('/v1/usage/history?cursor=abc'), /cursor: Use next_cursor from the previous page/],
    ['unknown key', 404, get('/v1/keys/key_none'), /List the keys with GET \/v1\/keys/],
    ['prefix of a web app', 404, { path: '/api/v1/tools/call' }, /Did you mean POST \/v1\/tools\/call\?/],
    ['singular', 404, { path: '/v1/tool/call' }, /Did you mean POST \/v1\/tools\/call\?/],
    ['short path', 404, get('/v1/balance'), /GET \/v1\/billing\/balance/],
    ['other version', 404, get('/v2/tools'), /GET \/v1\/tools\?/],
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
    ['key with a typo', 401, { ...EVALUATE, as: 'typo' }, /misspelt: a key has 46 characters/],
    ['half a key', 401, { ...EVALUATE, as: 'cut' }, /cut off, masked or misspelt/],
    [
      'variable that is not set',
      401,
      withKey({ headers: { authorization: 'Bearer $GATEWAY_KEY' } }),
      /not an API key of this gateway: its keys begin with tg_live_.*Is the variable with the key set\?/,
    ],
    ['revoked key', 401, { ...EVALUATE, as: 'revoked' }, /not revoked.*\/v1\/auth\/provision/],
    ['expired key', 401, { ...EVALUATE, as: 'expired' }, /expired/],
    [
      'Basic',
      401,
      withKey({ headers: { authorization: 'Basic dGc6' } }),
      /Send Authorization: Bearer <API key>/,
    ],
    ['no scheme', 401, withKey({ headers: { authorization: SECRET } }), /without a scheme.*the word Bearer/],
    ['other scheme', 401, withKey({ headers: { authorization: `Token ${SECRET}` } }), /scheme Token.*Bearer/],
    ['no body', 400, {}, /`body` is required: an object with `tool`, `skill` and `input`/],
    [
      'list as body',
      400,
      { json: [EVALUATE.json] },
      /must be an object with `tool`, `skill` and `input`; got a list/,
    ],
    ['call of a model', 400, { json: { name: 'math', arguments: {} } }, /`tool` is required/],
    [
      'text as input',
      400,
      call('math', 'evaluate', '1+1'),
      /`input` must be an object. A text must be the JSON/,
    ],
    [
      'text/plain',
      415,
      { raw: '{}', headers: { 'content-type': 'text/plain' } },
      /Content-Type: application\/json/,
    ],
    [
      'too large',
      413,
      call('text', 'stats', { text: 'a'.repeat(1_100_000) }),
      /under 1 MiB.*POST \/v1\/assets\/upload/,
    ],
    [
      'large batch',
      400,
      { path: '/v1/tools/batch', json: { calls: Array(11).fill(EVALUATE.json) } },
      /at most 10/,
    ],
    [
      'batch as list',
      400,
      { path: '/v1/tools/batch', json: [EVALUATE.json] },
      /an object with `calls`; got a list/,
    ],
    [
      'wrong element',
      400,
      { path: '/v1/tools/batch', json: { calls: [{ tool: 'math', skil: 'evaluate', input: {} }] } },
      /Did you mean `skill`\?/,
    ],
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
    [
      'no skill',
      400,
      { json: { tool: 'math', input: {} } },
      /`skill` is required. Skills of `math`: `evaluate`/,
    ],
    ['skill of another tool', 404, call('text', 'resize'), /It is a skill of `image`.*text has:/],
    ['title of a tool', 404, call('PDF toolkit', 'merge'), /Did you mean `pdf`\?/],
    ['missing input', 400, call('text', 'stats'), /`input\.text` is required/],
    [
      'null for required',
      400,
      call('text', 'stats', { text: null }),
      /`input\.text` must be a string; got null/,
    ],
    [
      'list for text',
      400,
      call('text', 'stats', { text: ['a'] }),
      /`input\.text` must be a string; got a list/,
    ],
    [
      'near miss of a value',
      400,
      call('image', 'convert', { image: 'asset_1', format: 'jpg' }),
      /`jpeg`, `png`.*Did you mean `jpeg`\?/,
    ],
    ['syntax', 400, call('math', 'evaluate', { expression: '1+' }), /expression: Unexpected end.*char 3/],
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
      'bytes in base64',
      400,
      call('image', 'resize', { image: 'iVBORw0KGgoAAAANSUhEUg', width: 10 }),
      /not read as a file.*POST \/v1\/assets\/upload/,
    ],
    [
      'own machine',
      400,
      call('image', 'resize', { image: 'http://localhost:3000/a.png', width: 10 }),
      /localhost:3000.*not on the public internet. Upload a file of yours, and give its asset_id/,
    ],
    [
      'unknown asset',
      404,
      call('image', 'resize', { image: 'asset_none', width: 10 }),
      /upload the file again/,
    ],
    ['no file', 415, { path: '/v1/assets/upload', json: { file: 'a' } }, /multipart.*field `file`/],
    ['unknown job', 404, get('/v1/jobs/job_none'), /GET \/v1\/jobs lists the jobs/],
    ['job of others', 404, get('/v1/jobs/{job}'), /GET \/v1\/jobs lists the jobs/],
    [
      'cancel of no job',
      400,
      { path: '/v1/jobs/job_none/cancel' },
      /Only a running job.*GET \/v1\/jobs\/\{jobId\}/,
    ],
    [
      'long idempotency key',
      400,
      { ...EVALUATE, headers: { 'idempotency-key': 'a'.repeat(300) } },
      /Idempotency-Key: Must be one key of 1 to 255/,
    ],
    [
      'idempotency key of another body',
      422,
      { ...call('math', 'evaluate', { expression: '2' }), headers: { 'idempotency-key': 'used' } },
      /already used with a different request.*Use a new Idempotency-Key/,
    ],
    ['rate limit', 429, { ...EVALUATE, as: 'limited' }, /At most 1 calls a minute.*Wait \d+ seconds/],
    [
      'no credit, at a gateway that sells none',
      402,
      { ...call('priced', 'regular', { units: 500 }), as: 'poor' },
      /can cost \$0\.05; this account has \$0\.00.*Ask the operator/,
    ],
    [
      'unclaimed',
      403,
      { ...call('priced', 'regular', { units: 500 }), as: 'unclaimed' },
      /claimed account.*Send claim_url to a person/,
    ],
    [
      'price limit',
      402,
      { json: { tool: 'priced', skill: 'regular', input: { units: 500 }, max_cost_usd: 0.0001 } },
      /can cost \$0\.05.*Raise max_cost_usd to error\.quote\.max_usd/,
    ],
    [
      'team of others',
      403,
      { json: { tool: 'math', skill: 'evaluate', input: { expression: '1' }, billing: 'acme' } },
      /not a member of such a billing account.*Use personal, team, or the slug/,
    ],
    [
      'no provider key',
      401,
      call('web-search', 'search', { query: 'a' }),
      /key of Tavily.*Get a key at https.*X-Provider-Key-tavily/,
    ],
    [
      'unavailable',
      503,
      call('media', 'transcode', { file: 'https://example.com/a.mp4', to: 'mp4' }),
      /no ffmpeg.*Use another tool/,
    ],
    [
      'misspelt provider',
      404,
      { method: 'PUT', path: '/v1/account/requirements/opnai', json: { value: 'sk-a' } },
      /`openai`/,
    ],
    ['amount', 400, { path: '/v1/billing/checkout', json: { amount: 10 } }, /Did you mean `amount_usd`\?/],
    ['rating', 400, { path: '/v1/reviews', json: { tool: 'math', rating: 6 } }, /from 1 to 5; got 6/],
  ];
  it.each(rows)('%s', async (_name, status, wrong, text) => {
    const answer = await send(wrong);
    const { message, resolution_hint, fields = [], retry_after } = answer.body.error;
    const named = fields.map((field: { message: string }) => field.message).join(' ');
    expect(`${message} ${resolution_hint} ${named}`).toMatch(text);
    expect(answer.status).toBe(status);
    expect(answer.type).toMatch(/^application\/json/);
    if (status === 429) expect(retry_after).toBeGreaterThan(0);
    expect(answer.text).not.toContain(SECRET);
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
    [
      'misspelt skill',
      'SKILL_NOT_FOUND',
      tool('call_tool', { tool: 'math', skill: 'evalute', input: {} }),
      /Did you mean `evaluate`\?.*math has:/,
    ],
    [
      'other name of a field',
      'INVALID_INPUT',
      tool('call_tool', { tool: 'math', skill: 'evaluate', arguments: {} }),
      /`input` is required/,
    ],
    ['no arguments', 'INVALID_INPUT', { name: 'call_tool' }, /`tool` is required/],
    ['other name of q', 'INVALID_INPUT', tool('search_tools', { query: 'pdf' }), /Did you mean `q`\?/],
    [
      'bytes in base64',
      'INVALID_INPUT',
      tool('call_tool', { tool: 'image', skill: 'resize', input: { image: 'iVBORw0KGgo', width: 9 } }),
      /upload_asset/,
    ],
    [
      'large file',
      'PAYLOAD_TOO_LARGE',
      tool('upload_asset', { filename: 'a.txt', text: 'a'.repeat(700_001) }),
      /at most 700000 bytes.*public URL/,
    ],
    [
      'no provider key',
      'MISSING_CREDENTIALS',
      tool('call_tool', { tool: 'web-search', skill: 'search', input: { query: 'a' } }),
      /get a key at https.*dashboard under Provider keys/,
    ],
    [
      'unavailable',
      'TOOL_UNAVAILABLE',
      tool('call_tool', {
        tool: 'media',
        skill: 'transcode',
        input: { file: 'https://a.example/a', to: 'mp4' },
      }),
      /no ffmpeg.*search_tools/,
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
    const answer = await sendMcp({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, anonymous);
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

describe('the error of a wrong MCP message says how to correct it', () => {
  const call = (name: unknown, args: unknown = {}) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const MODERN = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const rpc = (method: string) => ({ jsonrpc: '2.0', id: 1, method });
  const rows: [name: string, body: unknown, text: RegExp, headers?: Record<string, string>][] = [
    ['tool of the catalogue', call('math'), /"math" is a tool of the catalogue. Call call_tool with/],
    ['tool.skill', call('math.evaluate'), /the skill `evaluate` of `math`.*call_tool with \{"tool"/],
    ['unknown tool', call('frobnicate'), /search_tools, then call call_tool/],
    ['misspelt tool', call('call_tol'), /Did you mean "call_tool"\?/],
    ['no name', call(undefined), /params\.name must be the name of a tool/],
    ['arguments as text', call('call_tool', '{}'), /params\.arguments must be an object; got a string/],
    ['misspelt method', rpc('tool/call'), /Method not found: "tool\/call". Did you mean tools\/call\?/],
    [
      'misspelt method, 2026-07-28',
      { ...rpc('tool/call'), params: { _meta: MODERN } },
      /Did you mean tools\/call\?/,
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tool/call' },
    ],
    ['unknown method', rpc('rpc.discover'), /Methods: initialize,.*tools\/call/],
    ['several messages', [rpc('tools/list')], /send one message at a time/],
    ['no message', { tool: 'math', skill: 'evaluate' }, /such as \{"jsonrpc": "2\.0"/],
    ['no jsonrpc', { id: 1, method: 'tools/list' }, /needs the field "jsonrpc": "2\.0"/],
    [
      'version',
      rpc('tools/list'),
      /supported versions: 2025-11-25/,
      { 'mcp-protocol-version': '2023-01-01' },
    ],
    [
      'accept',
      rpc('tools/list'),
      /must accept both application\/json and text\/event-stream/,
      { accept: 'text/plain' },
    ],
  ];
  it.each(rows)('%s', async (_name, body, text, headers) => {
    const answer = await sendMcp(body, false, headers);
    const message = answer.body ?? readEvents(answer.text)[0]?.data;
    expect(message.error.message).toMatch(text);
    expect(message.error.message).not.toMatch(/\/v1\/|invalid_type/);
  });

  it('GET', async () => {
    const { status, body } = await send({ method: 'GET', path: '/mcp' });
    expect([status, body.error.message]).toEqual([405, expect.stringMatching(/POST JSON-RPC messages here/)]);
  });
});
