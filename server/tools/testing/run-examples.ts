import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ProviderStub, startProviderStub } from '@/test/support/provider-stub/stub';
import { createExampleBrowser } from '@/test/support/test-browser';
import { createTestFiles, type TestFiles } from '@/test/support/test-files';
import type { ProviderName } from '../../platform/settings/providers';
import type { AnySkill, ToolDefinition } from '../sdk/define-tool';
import { Engines } from '../sdk/engines';
import { exampleSite } from '../sdk/example-site';
import { runSkill } from '../sdk/skill-harness';

/**
 * Declares a test per example of the given tools, with the files and services they need.
 */
export function testExamples(tools: readonly ToolDefinition[]): void {
  const examples = tools.flatMap((tool) =>
    tool.skills.flatMap((skill) =>
      skill.examples.map((example) => {
        const title = `${tool.name}.${skill.name}: ${example.description}`;
        return { tool, skill, example, title };
      }),
    ),
  );
  const engines = new Engines(60_000);
  const browser = createExampleBrowser(exampleSite);
  let files: TestFiles;
  let stub: ProviderStub;
  beforeAll(async () => {
    files = await createTestFiles();
    stub = await startProviderStub();
  });
  afterAll(async () => {
    browser.close();
    await files.remove();
    await stub.close();
  });

  /** Services of a skill; its provider is the stub of the one that the input prefers. */
  function servicesFor(skill: AnySkill, input: unknown) {
    const [slot] = skill.getRequirementsFor?.(input) ?? skill.requirements ?? [];
    return {
      files,
      fetch: exampleSite,
      browser,
      ...(slot && { provider: stub.client(slot as ProviderName) }),
    };
  }

  it.for(examples)('$title', async ({ tool, skill, example }, { skip }) => {
    const missing = await engines.findMissing(tool);
    if (missing !== null) skip(missing.reason);
    const input = skill.input.parse(example.input);
    const { output } = await runSkill(tool, skill.name, example.input, servicesFor(skill, input));
    expect(output).toBeTypeOf('object');
    const quote = skill.price.quote(input);
    expect(quote.platformFee === 0n && quote.providerCost === 0n).toBe(skill.price.free);
  });
}
