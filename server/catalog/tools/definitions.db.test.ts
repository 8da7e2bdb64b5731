import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { tools } from '../../tools/registry';
import { type Definitions, FORMATS } from '../definitions/formats';
import { findRefusals, fromGeminiSchema, listFunctions } from '../testing/definition-rules';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const get = async (path: string) => (await harness.request('GET', path)).body;

describe.each(FORMATS)('format=%s', (format) => {
  it('converts every built-in skill to what the API takes, with its examples as valid input', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const tool of tools) {
      const found: Definitions = await get(`/v1/tools/${tool.name}?format=${format}`);
      expect(findRefusals(found)).toEqual([]);
      expect([found.format, found.omitted]).toEqual([format, []]);
      expect(Object.values(found.calls)).toEqual(
        tool.skills.map((skill) => ({ tool: tool.name, skill: skill.name })),
      );
      for (const { name, schema } of listFunctions(found)) {
        const skill = tool.skills.find((each) => each.name === found.calls[String(name)]?.skill);
        const validate = ajv.compile(
          format === 'gemini' && schema ? fromGeminiSchema(schema) : (schema ?? {}),
        );
        for (const { input } of skill?.examples ?? [])
          expect(validate(input), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
      }
    }
  });

  it('lists and finds what works, and what is left out', async () => {
    for (const path of ['/v1/tools?limit=500', '/v1/tools/search?q=count+the+words+of+a+text']) {
      const found = await get(`${path}&format=${format}`);
      expect(findRefusals(found)).toEqual([]);
      expect(found.tools).toEqual([]);
      expect(found.calls.text__stats).toEqual({ tool: 'text', skill: 'stats' });
      const targets = [...Object.values(found.calls), ...found.omitted];
      expect(listFunctions(found)).toHaveLength(targets.length - found.omitted.length);
    }
  });
});

it('calls what a model chose', async () => {
  const { key } = await harness.person();
  const { definitions, calls } = await get('/v1/tools/math?skill=evaluate&format=openai');
  const chosen = { name: definitions[0].function.name, arguments: '{"expression":"6 * 7"}' };
  const json = { ...calls[chosen.name], input: JSON.parse(chosen.arguments) };
  const { body } = await harness.request('POST', '/v1/tools/call', { key, json });
  expect(body).toMatchObject({ status: 'success', output: { result: '42' } });
});

it('refuses an unknown format, and fields of what it replaces', async () => {
  for (const query of ['format=xml', 'format=mcp&fields=name', 'format=mcp&include=input'])
    for (const path of ['/v1/tools', '/v1/tools/math'])
      expect((await harness.request('GET', `${path}?${query}`)).body.error?.code).toBe('INVALID_INPUT');
});
