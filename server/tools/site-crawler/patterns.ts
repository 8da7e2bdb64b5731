import { z } from 'zod';

const MAX_PATTERNS = 20;
const MAX_PATTERN_CHARS = 200;

/**
 * robots.txt patterns: `*` matches any characters, `$` the end. Unlike regexes they are never slow.
 */
export function patternsInput(description: string) {
  return z
    .array(z.string().min(1).max(MAX_PATTERN_CHARS))
    .max(MAX_PATTERNS)
    .default([])
    .describe(description);
}
