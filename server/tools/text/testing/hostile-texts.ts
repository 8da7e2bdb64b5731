import { expect } from 'vitest';
import { measureCpuMs } from '@/test/support/measure-cpu-ms';
import { findSkill } from '../../sdk/skill-harness';
import { extract } from '../extract-worker.mjs';
import { tool } from '../index';
import { redact } from '../redact-worker.mjs';
import { stats } from '../stats-worker.mjs';

const SIZE = 200_000;
const SKILLS = { extract, redact, stats };

export const HOSTILE_PATTERNS = [
  'a',
  'a.',
  '1 ',
  '1',
  'a@',
  'a-',
  '(1',
  ':',
  '1.',
  '#1',
  'AA00 ',
  'https://',
  'www.',
  ')',
  '1,',
  '\u0301',
  '\n',
  '🤖',
  'may 1 ',
  '+1(',
  '12/',
  '__proto__ ',
];

/** Checks that no skill takes more CPU time for a repeated pattern than the size explains. */
export async function expectLinear(pattern: string): Promise<void> {
  const text = pattern.repeat(SIZE / pattern.length);
  for (const [name, compute] of Object.entries(SKILLS)) {
    const rest = name === 'redact' ? { terms: ['aaa', 'a-a'] } : {};
    const payload = findSkill(tool, name).input.parse({ text, ...rest }) as never;
    // In this process, because the limit is CPU time; the limit of a worker is wall time.
    expect(await measureCpuMs(() => compute(payload)), name).toBeLessThan(8_000);
  }
}

/** Creates noise; texts of two seeds have nothing in common. */
export function createNoise(seed: number): string {
  const letter = (at: number) => String.fromCharCode(97 + ((at * at * seed + at) % 26));
  return Array.from({ length: 100_000 }, (_, at) => letter(at)).join('');
}
