import { expect } from 'vitest';
import { runSkill } from '../../sdk/skill-harness';
import { tool } from '../index';

export const run = (code: string, more: Record<string, unknown> = {}) =>
  runSkill(tool, 'run_javascript', { code, ...more });

export const evaluate = async (code: string, more = {}) => (await run(code, more)).output.value;

/** Checks that a run that fails after many lines returns only the first and last lines. */
export async function expectConsoleTruncated(end: string, timeoutSeconds: number): Promise<void> {
  const logs: string[] = [];
  const code = `for (let i = 0; i < 900; i++) console.log(i + 'x'.repeat(1900)); console.log('near'); ${end}`;
  const failed = runSkill(tool, 'run_javascript', { code, timeout_seconds: timeoutSeconds }, { logs });
  await expect(failed).rejects.toThrow(/^code: /);
  expect(logs[0]).toMatch(/^0x/);
  expect(logs.at(-1)).toBe('near');
  expect(logs).toContain('(897 console lines omitted because the run failed.)');
  expect(logs.join('').length).toBeLessThan(7_000);
}
