import type { AnySkill, ToolDefinition } from './define-tool';
import { noServices } from './no-services';
import type { SkillServices } from './skill-context';

/** What a call in a test did: the checked output, and what the handler reported on the way. */
export interface Observed {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into outputs of every shape
  readonly output: any;
  /** What metered prices are settled by. */
  readonly usage: unknown;
  readonly logs: readonly string[];
  readonly progress: readonly number[];
}

/**
 * Runs a skill as the gateway does, without account and price: parses the input, runs, parses the
 * output. For tests.
 * @param services what it needs beside: files (`createTestFiles`), a fetch, a provider; `logs` gets
 *   its lines also where it fails
 * @throws what the handler throws; a ZodError where the input or the output is against its schema
 */
export async function runSkill(
  tool: ToolDefinition,
  skillName: string,
  input: unknown,
  {
    signal = new AbortController().signal,
    logs = [],
    ...services
  }: Partial<SkillServices> & { signal?: AbortSignal; logs?: string[] } = {},
): Promise<Observed> {
  const skill = skillOf(tool, skillName);
  const progress: number[] = [];
  const { output, usage } = await skill.run({
    ...noServices(services),
    input: skill.input.parse(input),
    log: (message) => logs.push(message),
    progress: (fraction) => progress.push(fraction),
    signal,
  });
  // What the caller sees went through JSON, and its schema is checked without help from undefined or NaN.
  // raises nothing: what JSON.stringify has just made; for tests
  const sent = JSON.parse(JSON.stringify(skill.output.parse(output)));
  skill.output.parse(sent);
  return { output: sent, usage, logs, progress };
}

/** The skill of that name. Throws where there is none: a test named it wrongly. */
export function skillOf(tool: ToolDefinition, name: string): AnySkill {
  const skill = tool.skills.find((candidate) => candidate.name === name);
  if (!skill) throw new Error(`No skill ${tool.name}.${name}`);
  return skill;
}
