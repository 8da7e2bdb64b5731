import { InputError } from '../../core/errors/skill-error';
import { cleanLine } from '../../kit/clean-text';
import { runInWorker } from '../../platform/workers/cpu-pool';
import type { PinnedSkill, SkippedSkill } from './definition';
import type * as worker from './schema-worker.mjs';

const MODULE = 'server/catalog/imports/schema-worker.mjs';
const CPU_MS = 5_000;
/** The worker may have to wait for its CPU time. */
const LIMIT_MS = 60_000;
const MAX_SHOWN_CHARS = 120;

/**
 * Tries the patterns of schemas on texts that make them backtrack, and returns a warning for each
 * skill and slow pattern. A pattern without a warning may be slow on other texts.
 * @param cpuMs CPU time for all patterns, in milliseconds
 */
export async function findSlowPatterns(
  skills: readonly PinnedSkill[],
  cpuMs = CPU_MS,
): Promise<SkippedSkill[]> {
  const bySkill = skills.map(({ upstream, input, output }) => ({
    upstream,
    patterns: new Set([...listPatterns(input), ...listPatterns(output)]),
  }));
  const patterns = [...new Set(bySkill.flatMap((skill) => [...skill.patterns]))];
  if (patterns.length === 0) return [];
  const { slow, untried } = await tryPatterns(patterns, cpuMs);
  const warnings = bySkill.flatMap(({ upstream, patterns: own }) =>
    slow
      .filter(({ pattern }) => own.has(pattern))
      .map(({ pattern, chars }) => ({
        upstream,
        reason: `Its pattern ${cleanLine(pattern, MAX_SHOWN_CHARS)} is slow: a text of ${chars} characters takes too long to check. Calls with such a text are refused.`,
      })),
  );
  if (untried === 0) return warnings;
  const rest = {
    upstream: 'All',
    reason: `${untried} of ${patterns.length} patterns were not tried for slowness.`,
  };
  return [...warnings, rest];
}

async function tryPatterns(
  patterns: string[],
  cpuMs: number,
): Promise<ReturnType<typeof worker.findSlowPatterns>> {
  try {
    const options = { signal: new AbortController().signal, timeLimitMs: LIMIT_MS };
    return await runInWorker<typeof worker.findSlowPatterns>(
      MODULE,
      'findSlowPatterns',
      { patterns, cpuMs },
      options,
    );
  } catch (error) {
    if (error instanceof InputError) return { slow: [], untried: patterns.length };
    throw error;
  }
}

/** Iterative, because schemas may be nested deeply. */
function listPatterns(schema: unknown): string[] {
  const found: string[] = [];
  const waiting = [schema];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if ('pattern' in node && typeof node.pattern === 'string') found.push(node.pattern);
    if ('patternProperties' in node && typeof node.patternProperties === 'object')
      found.push(...Object.keys(node.patternProperties ?? {}));
    waiting.push(...Object.values(node));
  }
  return found;
}
