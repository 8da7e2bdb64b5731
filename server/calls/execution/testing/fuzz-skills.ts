import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FUZZ_SEED, fuzzTimeoutMs } from '@/test/support/fuzz/amount';
import { generateDefective } from '@/test/support/fuzz/generate';
import { createTestFiles, type TestFiles } from '@/test/support/test-files';
import { createOutboundFetch } from '../../../platform/ports/outbound';
import { OutboundGuard } from '../../../platform/ports/outbound-guard';
import { tools } from '../../../tools/registry';
import type { AnySkill, ToolDefinition } from '../../../tools/sdk/define-tool';
import { Engines } from '../../../tools/sdk/engines';
import { exampleSite } from '../../../tools/sdk/example-site';
import { noServices } from '../../../tools/sdk/no-services';
import { attemptCall } from '../attempt-call';

interface NamedSkill {
  id: string;
  tool: ToolDefinition;
  skill: AnySkill;
}

const AT_ONCE = 5;
const DEADLINE_MS = 60_000;

const skills: readonly NamedSkill[] = tools.flatMap((tool) =>
  tool.name === 'screenshot' || tool.name === 'scrape'
    ? []
    : tool.skills
        .filter((skill) => !skill.requirements)
        .map((skill) => ({ id: `${tool.name}.${skill.name}`, tool, skill })),
);

/**
 * Declares a test per skill, with inputs close to its examples and hostile ones.
 * @param runs inputs per skill
 * @param only ids of skills; by default all that need no provider and no browser
 */
export function fuzzSkills(runs: number, only?: readonly string[]): void {
  const engines = new Engines(60_000);
  let files: TestFiles;
  beforeAll(async () => {
    const outbound = createOutboundFetch({ guard: new OutboundGuard({}) });
    files = await createTestFiles(outbound as typeof fetch);
  });
  afterAll(async () => {
    await files.remove();
  });

  const attempt = async ({ skill }: NamedSkill, input: unknown) => {
    const parsed = skill.input.safeParse(input);
    if (!parsed.success) return null;
    return await attemptCall(skill, {
      input: parsed.data,
      deadlineMs: DEADLINE_MS,
      services: noServices({ files, fetch: exampleSite }),
      caller: { accountId: 'fuzz', provisional: false, spentMs: 0 },
    });
  };

  it.for(only === undefined ? skills : skills.filter(({ id }) => only.includes(id)))(
    '$id returns a result or an error for the caller, whatever the input',
    { timeout: fuzzTimeoutMs(runs * 5) },
    async (one, { skip }) => {
      const missing = await engines.findMissing(one.tool);
      if (missing !== null) skip(missing.reason);
      const examples = fc.constantFrom(...one.skill.examples.map(({ input }) => input));
      const inputs = fc.sample(generateDefective(examples), { numRuns: runs, seed: FUZZ_SEED });
      const unexpected: unknown[] = [];
      const work = async () => {
        for (let input = inputs.shift(); input !== undefined; input = inputs.shift()) {
          const made = await attempt(one, input);
          if (made === null || made.ok) continue;
          expect(made.message, JSON.stringify(input)).toMatch(/^.{1,500}$/s);
          if (/^The tool failed|ended unexpectedly/.test(made.message))
            unexpected.push({
              input: JSON.stringify(input).slice(0, 500),
              error: `${made.message} ${made.cause}`,
            });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      expect(unexpected, `seed ${FUZZ_SEED}`).toEqual([]);
      const [example] = one.skill.examples;
      if (example) expect(await attempt(one, example.input), 'afterwards').toMatchObject({ ok: true });
    },
  );
}
