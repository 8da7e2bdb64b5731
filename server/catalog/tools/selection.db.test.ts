import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const get = async (path: string) => (await harness.request('GET', path)).body;

it('sends each schema of a skill once, and inputSchema on request', async () => {
  const [skill] = (await get('/v1/tools/math')).skills;
  expect(skill).toMatchObject({ input: { type: 'object' }, outputSchema: { type: 'object' } });
  expect(skill).not.toHaveProperty('inputSchema');
  for (const path of ['/v1/tools/math', '/v1/tools/math/skills']) {
    const [wanted] = (await get(`${path}?include=inputSchema`)).skills;
    expect(wanted).toEqual({ ...skill, inputSchema: skill.input });
  }
});

it('adds schemas and examples to the list on request', async () => {
  const list = await get('/v1/tools?category=math&include=input,outputSchema,examples');
  const detail = await get('/v1/tools/math');
  expect(list.tools.find(({ name }: { name: string }) => name === 'math').skills).toEqual(detail.skills);
});

it('returns one skill', async () => {
  const { skills, ...tool } = await get('/v1/tools/text');
  expect(await get('/v1/tools/text?skill=stats')).toEqual({
    ...tool,
    skills: skills.filter(({ name }: { name: string }) => name === 'stats'),
  });
  const { status, body } = await harness.request('GET', '/v1/tools/text?skill=stat');
  expect([status, body.error.code]).toEqual([404, 'SKILL_NOT_FOUND']);
  expect(body.error.message).toContain('`stats`');
});

it('returns only the named fields of tools and skills', async () => {
  const { name, skills } = await get('/v1/tools/math');
  const first = { name: skills[0].name, inputSchema: skills[0].input };
  expect(await get('/v1/tools/math?skill=evaluate&fields=name,skills.name,skills.inputSchema')).toEqual({
    name,
    skills: [first],
  });
  const list = await get('/v1/tools?limit=1&fields=name,skills.name');
  expect(Object.keys(list.tools[0])).toEqual(['name', 'skills']);
  expect(Object.keys(list.tools[0].skills[0])).toEqual(['name']);
});

it.each([
  ['fields=nam', 'fields', 'Unknown field `nam`. Did you mean `name`?'],
  ['fields=name,input', 'fields', 'Unknown field `input`. Did you mean `skills.input`?'],
  ['include=outputschema', 'include', 'Unknown field `outputschema`. Did you mean `outputSchema`?'],
])('refuses ?%s with the nearest name', async (query, path, message) => {
  for (const route of ['/v1/tools', '/v1/tools/math']) {
    const { status, body } = await harness.request('GET', `${route}?${query}`);
    expect([status, body.error]).toEqual([
      400,
      expect.objectContaining({ code: 'INVALID_INPUT', message, fields: [{ path, message }] }),
    ]);
  }
});
