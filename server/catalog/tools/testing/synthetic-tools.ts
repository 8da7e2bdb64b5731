import { z } from 'zod';
import { defineSkill, defineTool, free, type ToolDefinition } from '../../../tools/sdk/define-tool';

/** Creates a distinct, pronounceable word, for a vocabulary like that of a thousand real tools. */
export function wordNumber(at: number): string {
  const syllables = ['ka', 'lo', 'mi', 'ne', 'ru', 'sta', 'ver', 'tion', 'per', 'dat', 'gram', 'scop'];
  return [at, Math.floor(at / 12), Math.floor(at / 144), at * 5]
    .map((n) => syllables[n % syllables.length])
    .join('');
}

/** Creates tools of three skills each, with descriptions as long as those of real tools. */
export function syntheticTools(count: number): ToolDefinition[] {
  const sentence = (seed: number, words: number) =>
    Array.from({ length: words }, (_, at) => wordNumber((seed * 31 + at * at * 17) % 4_000)).join(' ');
  return Array.from({ length: count }, (_, at) =>
    defineTool({
      name: `tool-${at}`,
      displayName: sentence(at, 2),
      subtitle: sentence(at + 1, 6),
      description: sentence(at + 2, 40),
      categories: [wordNumber(at % 20)],
      version: '1.0.0',
      skills: [0, 1, 2].map((skill) =>
        defineSkill<Record<string, never>, Record<string, never>>({
          name: `skill_${skill}`,
          displayName: sentence(at + skill, 2),
          description: sentence(at * 3 + skill, 30),
          input: z.object({}),
          output: z.object({}),
          returns: '',
          price: free,
          examples: [{ description: sentence(at + skill, 8), input: {} }],
          annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1 },
          run: async () => ({ output: {} }),
        }),
      ),
    }),
  );
}
