import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ProviderStub, startProviderStub } from '../testing/provider-stub/stub';
import { createExampleBrowser } from '../testing/test-browser';
import { closeWorkers } from './cpu-pool';
import type { AnySkill } from './define-tool';
import { Engines } from './engines';
import { exampleSite } from './example-site';
import type { Slot } from './providers';
import { tools } from './registry';
import { createToolLookup } from './tool-lookup';

const { findTool, findSkill } = createToolLookup(tools);

import { runSkill } from './skill-harness';
import { createTestFiles, type TestFiles } from './test-files';

const engines = new Engines();
const browser = createExampleBrowser(exampleSite);
let files: TestFiles;
let stub: ProviderStub;
beforeAll(async () => {
  files = await createTestFiles();
  stub = await startProviderStub();
});
afterAll(async () => {
  closeWorkers();
  browser.close();
  await files.remove();
  await stub.close();
});

/** What a skill runs with; providers are played by the stub, the one that the input prefers. */
function servicesFor(skill: AnySkill, input: unknown) {
  const [slot] = skill.slotsFor?.(input) ?? skill.requirements ?? [];
  return { files, fetch: exampleSite, browser, ...(slot && { provider: stub.client(slot as Slot) }) };
}

const skills = tools.flatMap((tool) =>
  tool.skills.map((skill) => ({ tool, skill, id: `${tool.name}.${skill.name}` })),
);
const examples = skills.flatMap(({ tool, skill, id }) =>
  skill.examples.map((example) => ({ tool, skill, example, title: `${id}: ${example.description}` })),
);

describe('registry', () => {
  it('finds by name, and nothing by the names every object has', () => {
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

  it.for(examples)('$title', async ({ tool, skill, example }, { skip }) => {
    const missing = await engines.whyMissing(tool);
    if (missing !== null) skip(missing);
    const input = skill.input.parse(example.input);
    const { output } = await runSkill(tool, skill.name, example.input, servicesFor(skill, input));
    expect(output).toBeTypeOf('object');
    const quote = skill.price.quote(input);
    expect(quote.platformFee === 0n && quote.providerCost === 0n).toBe(skill.price.free);
  });
});
