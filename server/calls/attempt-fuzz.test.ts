import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOutboundFetch } from '../ports/outbound';
import { OutboundGuard } from '../ports/outbound-guard';
import { FUZZ_SEED, FUZZ_TIMES, fuzzTimeoutMs } from '../testing/fuzz/amount';
import { spoiled } from '../testing/fuzz/generate';
import { closeWorkers } from '../tools/cpu-pool';
import { exampleSite } from '../tools/example-site';
import { noServices } from '../tools/no-services';
import { tools } from '../tools/registry';
import { createTestFiles, type TestFiles } from '../tools/test-files';
import { attemptCall } from './attempt-call';

// Inputs near each skill's examples, and hostile ones; FUZZ_RUNS multiplies how many there are.

/** Of each skill: some 500 in all. */
const RUNS = 10 * FUZZ_TIMES;
const AT_ONCE = 5;
const DEADLINE_MS = 60_000;

const skills = tools.flatMap((tool) =>
  tool.name === 'screenshot' || tool.name === 'scrape'
    ? []
    : tool.skills
        .filter((skill) => !skill.requirements)
        .map((skill) => ({ id: `${tool.name}.${skill.name}`, skill })),
);

let files: TestFiles;
beforeAll(async () => {
  const outbound = createOutboundFetch({ guard: new OutboundGuard({}) });
  files = await createTestFiles(outbound as typeof fetch);
});
afterAll(async () => {
  closeWorkers();
  await files.remove();
});

async function attempt({ skill }: (typeof skills)[number], input: unknown) {
  const parsed = skill.input.safeParse(input);
  if (!parsed.success) return null;
  return await attemptCall(skill, {
    input: parsed.data,
    deadlineMs: DEADLINE_MS,
    services: noServices({ files, fetch: exampleSite }),
    caller: { accountId: 'fuzz', provisional: false, spentMs: 0 },
  });
}

it.each(skills)(
  '$id ends in a result or in words for the caller, whatever its input is',
  { timeout: fuzzTimeoutMs(RUNS * 5) },
  async (one) => {
    const examples = fc.constantFrom(...one.skill.examples.map(({ input }) => input));
    const inputs = fc.sample(spoiled(examples), { numRuns: RUNS, seed: FUZZ_SEED });
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
