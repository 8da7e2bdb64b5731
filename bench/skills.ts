import { tools } from '@/server/tools/registry';
import { measure } from './measure';
import type { Options } from './options';
import type { Stage } from './stage';
import { CALL_PATH, post } from './targets';

/** Tools that compute on this machine, without a provider or the network. */
const LOCAL_TOOLS = [
  'diagnostics',
  'math',
  'text',
  'code',
  'data',
  'chart',
  'document',
  'pdf',
  'codes',
  'image',
];
/** Examples that wait or fail on purpose. */
const SKIPPED = ['diagnostics.sleep', 'diagnostics.background', 'diagnostics.flaky'];
const CONNECTIONS = 32;
/** The smallest query: what remains is the cost of a query. */
const COUNT = {
  name: 'data.query (count)',
  call: {
    tool: 'data',
    skill: 'query',
    input: { files: [{ file: 'asset_sample_sales' }], sql: 'SELECT count(*) AS n FROM t1' },
  },
};

export interface SkillSample {
  name: string;
  /** One caller. */
  p50Ms: number;
  /** 32 callers of one account. */
  perSecond: number;
}

/**
 * Measures the first example of each skill that needs nothing but this machine.
 * @returns the samples, and how many usage records the calls created
 */
export async function measureSkills(
  stage: Stage,
  { seconds }: Options,
): Promise<{ samples: SkillSample[]; records: number }> {
  const samples: SkillSample[] = [];
  let records = 0;
  for (const { name, call } of listCalls()) {
    process.stderr.write(`${name}\n`);
    const requests = stage.accounts.oneAccount.map((key) => post(CALL_PATH, key, JSON.stringify(call)));
    const target = {
      name,
      label: name,
      server: 'gateway',
      requests,
      records: 1,
      expect: '"success"',
    } as const;
    const run = async (connections: number) => {
      const sample = await measure(stage, target, connections, seconds);
      records += sample.calls;
      return sample;
    };
    await run(1);
    const { p50Ms } = await run(1);
    // The first calls start workers.
    await run(CONNECTIONS);
    const { perSecond } = await run(CONNECTIONS);
    samples.push({ name, p50Ms, perSecond });
  }
  return { samples, records };
}

function listCalls() {
  const examples = tools
    .filter(({ name }) => LOCAL_TOOLS.includes(name))
    .flatMap((tool) =>
      tool.skills.flatMap(({ name, examples: [example] }) => {
        const full = `${tool.name}.${name}`;
        if (!example || SKIPPED.includes(full)) return [];
        return [{ name: full, call: { tool: tool.name, skill: name, input: example.input } }];
      }),
    );
  return [...examples, COUNT];
}

/** A table of the samples, slowest first. */
export function skillsSection(samples: readonly SkillSample[]): string {
  const rows = [...samples]
    .sort((one, other) => other.p50Ms - one.p50Ms)
    .map(({ name, p50Ms, perSecond }) => `| ${name} | ${p50Ms.toFixed(1)} | ${perSecond.toFixed(1)} |`);
  return ['| Skill | p50 ms, one caller | calls/s, 32 callers |', '| --- | ---: | ---: |', ...rows].join(
    '\n',
  );
}
