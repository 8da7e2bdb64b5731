import { attemptCall } from '@/server/calls/execution/attempt-call';
import type { AttemptStop } from '@/server/calls/execution/attempt-stop';
import type { ProviderName } from '@/server/platform/settings/providers';
import { tools } from '@/server/tools/registry';
import type { AnySkill } from '@/server/tools/sdk/define-tool';
import { exampleSite } from '@/server/tools/sdk/example-site';
import { noServices } from '@/server/tools/sdk/no-services';
import type { SkillServices } from '@/server/tools/sdk/skill-context';
import { createToolLookup } from '@/server/tools/tool-lookup';

const lookup = createToolLookup(tools);

/** Finds a skill. @param id `<tool>.<skill>` @throws when there is none */
export function findSkill(id: string): AnySkill {
  const [toolName = '', skillName = ''] = id.split('.');
  const tool = lookup.findTool(toolName);
  const skill = tool && lookup.findSkill(tool, skillName);
  if (!skill) throw new Error(`No skill ${id}`);
  return skill;
}

interface CallOptions {
  /** Services in addition to the fetch of the examples. */
  services?: Partial<SkillServices>;
  provider?: (slot: ProviderName) => SkillServices['provider'];
  stop?: AttemptStop;
  accountId?: string;
}

/** Parses an input and, if it is valid, runs the skill. */
export async function callSkill(skill: AnySkill, input: unknown, options: CallOptions = {}) {
  const { services, provider, stop, accountId = 'anyone' } = options;
  const parsed = skill.input.safeParse(input);
  if (!parsed.success) return null;
  const [slot] = skill.getRequirementsFor?.(parsed.data) ?? skill.requirements ?? [];
  const asked = slot && provider && { provider: provider(slot as ProviderName) };
  return await attemptCall(skill, {
    deadlineMs: 25_000,
    services: noServices({ fetch: exampleSite, ...services, ...asked }),
    caller: { accountId, provisional: false, spentMs: 0 },
    input: parsed.data,
    stop,
  });
}

const CHARS = 200_000;
const repeatText = (pattern: string, chars = CHARS) =>
  pattern.repeat(Math.ceil(chars / pattern.length)).slice(0, chars);
export const createList = <Item>(length: number, item: (at: number) => Item) =>
  Array.from({ length }, (_, at) => item(at));
const createRecord = (length: number, item: (at: number) => unknown) =>
  Object.fromEntries(createList(length, (at) => [`v${at}`, item(at)]));

/** Inputs that need files are defined by the tools: `server/tools/<tool>/heaviest.ts`. */
const brought = import.meta.glob<{ heaviest: [string, string, unknown][] }>(
  '../../server/tools/*/heaviest.ts',
  {
    eager: true,
  },
);

/**
 * The most expensive inputs of each skill that fit in a body of 1 MiB: skill, description, input.
 */
export const heaviestInputs: [string, string, unknown][] = [
  ...Object.values(brought).flatMap(({ heaviest }) => heaviest),
  ['diagnostics.echo', 'a long list', { message: createList(49_000, () => 1) }],
  ['diagnostics.echo', 'deep arrays', { message: JSON.parse('['.repeat(3000) + ']'.repeat(3000)) }],
  ['diagnostics.echo', 'a list that is too long', { message: createList(500_000, () => 1) }],
  ['diagnostics.echo', 'very many fields', { message: createRecord(24_000, () => ({})) }],
  ['diagnostics.spend', 'fields it does not know', { amount_usd: 0.5, ...createRecord(49_000, () => 1) }],
  ['diagnostics.flaky', 'its broken output', { mode: 'bad_output' }],
  ['diagnostics.sleep', 'no time', { seconds: 0 }],
  ['diagnostics.background', 'all its steps', { seconds: 0, steps: 100 }],
  [
    'math.evaluate',
    'a matrix',
    { expression: 'm * m', variables: { m: createList(99, () => createList(99, () => 1)) } },
  ],
  [
    'math.evaluate',
    'a matrix of text',
    { expression: '1', variables: { m: createList(99, () => createList(99, () => 'a')) } },
  ],
  [
    'math.evaluate',
    'far too many numbers',
    { expression: '1', variables: createRecord(55, () => createList(9_000, () => 1)) },
  ],
  [
    'math.evaluate',
    'far too many rows',
    { expression: '1', variables: { m: createList(24_000, () => ['a']) } },
  ],
  [
    'math.evaluate',
    'far too many variables',
    { expression: '1', variables: createRecord(49_000, () => 'x') },
  ],
  ['math.evaluate', 'a number of a MiB', { expression: '1', variables: { x: '1'.repeat(1_000_000) } }],
  ['math.evaluate', 'a result of nine million zeros', { expression: 'zeros(3000, 3000, "sparse")' }],
  ['math.evaluate', 'the longest result', { expression: 'zeros(33000)' }],
  [
    'math.statistics',
    'the longest lists',
    {
      values: createList(100_000, (at) => at % 1000),
      y: createList(100_000, (at) => at),
      histogram_bins: 1000,
    },
  ],
  [
    'math.statistics',
    'lists of text',
    { values: createList(100_000, () => 'a'), y: createList(100_000, () => 'a') },
  ],
  ['math.units', 'units that do not exist', { value: 1, from: 'x'.repeat(100), to: 'y'.repeat(100) }],
  [
    'text.diff',
    'thousands of changes',
    { old_text: repeatText('a\nb\nc\n', 8_000), new_text: repeatText('a\nx\nc\n', 8_000) },
  ],
  [
    'text.diff',
    'all of it changed',
    { old_text: repeatText('漢字', 170_000), new_text: repeatText('字漢', 170_000) },
  ],
  [
    'text.extract',
    'as much as there can be',
    { text: repeatText('a@b.cc www.a.b #a 1/1/2000 +111111 ::1 '), limit: 2_000 },
  ],
  [
    'text.redact',
    'a hundred thousand things',
    { text: repeatText('a '), terms: createList(100, (at) => 'a'.repeat(at + 1)), style: 'hash' },
  ],
  ['text.redact', 'far too many terms', { text: 'a', terms: createList(200_000, () => ' ') }],
  ['text.stats', 'a hundred thousand words', { text: repeatText('a '), top_words: 200 }],
  ['text.stats', 'a locale of a MiB', { text: 'a', locale: 'x'.repeat(1_000_000) }],
  [
    'codes.qr',
    'the largest picture',
    { content: '1'.repeat(7089), error_correction: 'L', size: 2048, format: 'png' },
  ],
  [
    'codes.barcode',
    'the largest picture',
    { type: 'aztec', content: 'x'.repeat(1500), size: 2048, format: 'png' },
  ],
];
