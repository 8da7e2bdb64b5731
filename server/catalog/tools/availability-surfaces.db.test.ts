import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { readText } from '@/test/support/mcp-client';
import { readEvents } from '@/test/support/read-events';
import { tools } from '../../tools/registry';

/** Without a key of its provider, with one skill that works, and without its program. */
const STATES = { 'web-search': 'needs_provider_key', math: 'ready', media: 'unavailable' };
const WORDS = { needs_provider_key: 'Needs your own provider key', ready: null, unavailable: 'Unavailable' };
const REASON = 'This gateway has no ffmpeg, says the test.';

let harness: Harness;
beforeAll(async () => {
  const findEngine = async () => ({ reason: REASON, fix: 'Only for operators.' });
  harness = await startHarness({
    tools: tools.map((tool) => (tool.name === 'media' ? { ...tool, findEngine } : tool)),
  });
});
afterAll(() => harness.close());

type Found = { name: string; availability: string; skills: Found[] };
const get = async (path: string) => (await harness.request('GET', path)).body;
async function askMcp(method: string, params: object) {
  const { text } = await harness.request('POST', '/mcp', { json: { jsonrpc: '2.0', id: 1, method, params } });
  return readEvents(text)[0]?.data.result;
}
const callMcp = async (name: string, args: object) =>
  readText(await askMcp('tools/call', { name, arguments: args }));

it.each(Object.entries(STATES))('%s is %s on every surface', async (name, state) => {
  const find = (list: Found[]) => list.find((tool) => tool.name === name);
  const whole = await get(`/v1/tools/${name}`);
  const described = [
    whole,
    find((await get('/v1/tools?limit=500')).tools),
    find((await get(`/v1/tools/search?q=${name}&limit=500`)).tools),
    find((await callMcp('search_tools', { limit: 50 })).tools),
    await callMcp('get_tool', { tool: name }),
  ];
  for (const tool of described)
    expect(tool).toMatchObject({ availability: state, available: state === 'ready' });
  const states = new Set(described.flatMap(({ skills }) => skills.map((skill: Found) => skill.availability)));
  expect([...states]).toEqual([state]);
  expect(await get(`/v1/tools/${name}/skills`)).toMatchObject({ skills: { 0: { availability: state } } });

  const { contents } = await askMcp('resources/read', { uri: `tool://${name}` });
  const full = (await harness.request('GET', '/llms-full.txt')).text;
  const chapter = full.slice(full.indexOf(`(\`${name}\`)`)).split('\n## ')[0];
  for (const text of [contents[0].text, chapter]) {
    const reason = WORDS[state as keyof typeof WORDS];
    if (reason) expect(text).toContain(`${reason}: ${whole.unavailable_reason}`);
    else expect(text).not.toMatch(/Needs your own provider key:|Unavailable:/);
  }
  expect(JSON.stringify([described, contents, full])).not.toContain('Only for operators.');
});
