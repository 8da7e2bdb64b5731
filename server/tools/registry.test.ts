import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tools } from './registry';
import { testExamples } from './testing/run-examples';
import { createToolLookup } from './tool-lookup';

const { findTool, findSkill } = createToolLookup(tools);

const skills = tools.flatMap((tool) =>
  tool.skills.map((skill) => ({ tool, skill, id: `${tool.name}.${skill.name}` })),
);
/** Tools that need no external program, and at most one worker. */
const SAMPLED_TOOLS = new Set(['diagnostics', 'language-model', 'text', 'web-reader', 'web-search']);

describe('registry', () => {
  it('finds tools by name, and nothing by inherited property names', () => {
    for (const { tool, skill } of skills) {
      expect(findTool(tool.name)).toBe(tool);
      expect(findSkill(tool, skill.name)).toBe(skill);
    }
    for (const name of ['__proto__', 'constructor', 'toString', '', 'nope']) {
      expect(findTool(name)).toBeUndefined();
      for (const tool of tools) expect(findSkill(tool, name)).toBeUndefined();
    }
  });

  it.each(skills)('$id is complete: examples, price, time and a description of every field', ({ skill }) => {
    expect(skill.examples.length).toBeGreaterThanOrEqual(1);
    expect(skill.examples.length).toBeLessThanOrEqual(3);
    // No handler runs longer than fifteen minutes.
    expect(skill.annotations.estimatedSeconds).toBeGreaterThan(0);
    expect(skill.annotations.estimatedSeconds).toBeLessThanOrEqual(900);
    for (const [schema, io] of [
      [skill.input, 'input'],
      [skill.output, 'output'],
    ] as const) {
      const json = z.toJSONSchema(schema, { io });
      expect(json.type).toBe('object');
      for (const [field, property] of Object.entries(json.properties ?? {})) {
        expect(property, `${io} ${field}`).toHaveProperty('description');
      }
    }
  });

  // The deep suite runs the examples of every tool.
  testExamples(tools.filter(({ name }) => SAMPLED_TOOLS.has(name)));
});
