import { z } from 'zod';

const MAX_PATTERNS = 20;
const MAX_PATTERN_CHARS = 200;

/** Patterns as in robots.txt: `*` is any characters, `$` the end. They cannot be made slow, as regular expressions can. */
export function patternsInput(description: string) {
  return z
    .array(z.string().min(1).max(MAX_PATTERN_CHARS))
    .max(MAX_PATTERNS)
    .default([])
    .describe(description);
}
