import { setWorkerCaller } from '../../platform/workers/worker-callers';
import type { AnySkill, ToolDefinition } from './define-tool';
import { noServices } from './no-services';
import type { SkillServices } from './skill-context';

/** The result of a call in a test: the validated output, and what the handler reported. */
export interface SkillRun {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into outputs of every shape
  readonly output: any;
  /** The usage that metered prices charge. */
  readonly usage: unknown;
  readonly logs: readonly string[];
  readonly progress: readonly number[];
}

/**
 * Runs a skill for tests, without account and price: validates input and output.
 * @param services other services the skill needs: files (`createTestFiles`), a fetch, a provider;
 *   `logs` receives its lines even if it fails
 * @throws what the handler throws, or a ZodError if input or output does not match its schema
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
): Promise<SkillRun> {
  const skill = findSkill(tool, skillName);
  // One account for all: isolated tasks of the gateway itself would each start a process.
  setWorkerCaller(signal, { accountId: 'acct_skills', provisional: false, spentMs: 0 });
  const progress: number[] = [];
  const { output, usage } = await skill.run({
    ...noServices(services),
    input: skill.input.parse(input),
    log: (message) => logs.push(message),
    progress: (fraction) => progress.push(fraction),
    signal,
  });
  // Callers get JSON, so undefined and NaN must not make the output valid.
  // Cannot throw: what JSON.stringify has just made; for tests
  const sent = JSON.parse(JSON.stringify(skill.output.parse(output)));
  skill.output.parse(sent);
  return { output: sent, usage, logs, progress };
}

/** Returns a skill by name. @throws {Error} if the tool has none of that name */
export function findSkill(tool: ToolDefinition, name: string): AnySkill {
  const skill = tool.skills.find((candidate) => candidate.name === name);
  if (!skill) throw new Error(`No skill ${tool.name}.${name}`);
  return skill;
}
