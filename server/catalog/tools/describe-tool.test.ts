import Ajv2020 from 'ajv/dist/2020';
import { describe, expect, it } from 'vitest';
import { Versions } from '../../core/versions/versions';
import { tools } from '../../tools/registry';
import { READY } from './availability';
import { describeTool } from './describe-tool';
import { toolSchema } from './schema';
import { DETAIL, SKILL_PARTS, type SkillPart } from './selection';
import type { ToolFact } from './tool-facts';

const versions = new Versions('http://gateway.test', { routes: {}, tools: {} });
const facts: ToolFact = {
  rating: { average: null, count: 0 },
  stats: { success_rate: null, p50_ms: null, calls_30d: 0 },
};
const availability = { tool: READY, skills: new Map() };
const OPTIONS = { facts, byokRate: 0.05, versions, availability };
const getDetail = (name: string) => {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) throw new Error(name);
  return describeTool(tool, { ...OPTIONS, parts: new Set(DETAIL) });
};
const everySkill = tools.flatMap((tool) =>
  getDetail(tool.name).skills.map((skill) => ({ id: `${tool.name}.${skill.name}`, skill })),
);

describe('describeTool', () => {
  it('matches the public schema, without and with all parts of skills', () => {
    for (const tool of tools) {
      for (const parts of [new Set<SkillPart>(), new Set(SKILL_PARTS)]) {
        const wire = JSON.parse(JSON.stringify(describeTool(tool, { ...OPTIONS, parts })));
        expect(toolSchema.parse(wire)).toEqual(wire);
      }
    }
  });

  it('omits schemas and examples in lists, but not prices', () => {
    for (const tool of tools) {
      for (const skill of describeTool(tool, { ...OPTIONS, parts: new Set() }).skills) {
        expect(Object.keys(skill).sort()).toEqual([
          'annotations',
          'availability',
          'description',
          'displayName',
          'name',
          'pricing',
          'requirements',
          'returns',
        ]);
      }
    }
  });

  it.each(everySkill)(
    '$id has valid JSON Schemas, required fields that exist and valid examples',
    ({ skill }) => {
      const ajv = new Ajv2020({ strict: false });
      const { input, outputSchema } = skill;
      if (!input || !outputSchema) throw new Error('Schemas are missing');
      for (const schema of [input, outputSchema]) {
        expect(schema.type).toBe('object');
        expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
        expect(Object.keys(schema.properties ?? {})).toEqual(expect.arrayContaining(schema.required ?? []));
      }
      ajv.compile(outputSchema);
      const validate = ajv.compile(input);
      for (const example of skill.examples ?? []) {
        expect(validate(example.input), JSON.stringify(validate.errors)).toBe(true);
        expect(Object.keys(example.input)).toEqual(expect.arrayContaining(input.required ?? []));
      }
    },
  );

  it('returns prices in dollars: free, fixed, and chosen by the caller', () => {
    const getPricing = (tool: string, name: string) =>
      getDetail(tool).skills.find((skill) => skill.name === name)?.pricing;
    expect(getPricing('math', 'evaluate')).toEqual({
      free: true,
      price_usd: 0,
      platform_fee_usd: 0,
      provider_cost_usd: 0,
      unit: 'call',
      byok_rate: 0.05,
    });
    expect(getPricing('text', 'redact')).toMatchObject({
      free: false,
      price_usd: 0.0005,
      platform_fee_usd: 0.0005,
    });
    expect(getPricing('diagnostics', 'spend')).toMatchObject({
      free: false,
      price_usd: 0.000001,
      unit: expect.stringContaining('least'),
    });
  });

  it('builds the schemas of a skill once', () => {
    expect(getDetail('math').skills[0]?.input).toBe(getDetail('math').skills[0]?.input);
  });

  it('requires the message of an echo, and no field with a default', () => {
    expect(getDetail('diagnostics').skills.find(({ name }) => name === 'echo')?.input?.required).toEqual([
      'message',
    ]);
    expect(getDetail('diagnostics').skills.find(({ name }) => name === 'sleep')?.input?.required).toEqual([
      'seconds',
    ]);
  });
});
