import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../tools/sdk/define-tool';
import { findSlowPatterns } from './slow-patterns';

const skill = (upstream: string, input: object, output: JsonSchema | null = null) => ({
  upstream,
  title: upstream,
  description: '',
  input: { type: 'object' as const, ...input },
  output,
  annotations: { readOnly: true, idempotent: true, destructive: false },
});
const withPatterns = (patterns: readonly string[]) => ({
  properties: Object.fromEntries(patterns.map((pattern, i) => [`p${i}`, { type: 'string', pattern }])),
});

const SLOW = [
  '(a+)+$',
  '^(a|a)*$',
  '^(\\w|\\d)+$',
  '^([a-z]|[x-z])+$',
  '^(\\w+\\s?)+$',
  '^([a-zA-Z0-9]+)*@example\\.com$',
  '^https://([a-z]+)+$',
  '^[A-Z]{2}-(\\d+)*x$',
  '^(?<name>(ab|a|b)+)!$',
  '(?=(a+)+b)a',
  '^([^x]+)+x$',
  '\\d+\\d+\\d+\\d+x$',
  '^([\\p{L}\\s]+)+$',
];
const FAST = [
  '^[a-z0-9-]+$',
  '^.+@.+\\..+$',
  '^\\d{4}-\\d{2}-\\d{2}$',
  '^(https?|ftp)://[^\\s/$.?#].[^\\s]*$',
  '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$',
  '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$',
  '^arn:aws[a-z-]*:\\w+:[a-z0-9-]*:\\d{12}:.+$',
  '^(\\([0-9]{3}\\))?[0-9]{3}-[0-9]{4}$',
  '\\s+$',
  '^(?!.*\\.\\.)[a-z.]+$',
  '^([a-z]+\\.)+[a-z]{2,}$',
  '',
];

describe('the patterns of a skill', () => {
  it.each(SLOW)('that are slow are named, with the length of a text: %s @E26', async (pattern) => {
    const [warning, ...more] = await findSlowPatterns([skill('a', withPatterns([pattern]))]);
    expect(warning?.upstream).toBe('a');
    expect(warning?.reason).toContain(`Its pattern ${pattern} is slow: a text of `);
    expect(warning?.reason).toMatch(/ \d+ characters takes too long to check/);
    expect(more).toEqual([]);
  });

  it('are not named otherwise', async () => {
    expect(await findSlowPatterns([skill('a', withPatterns([...FAST, '(', '('.repeat(20_000)]))])).toEqual(
      [],
    );
  });

  it('are found everywhere in its schemas, for each skill that has them', async () => {
    const slow = { pattern: '(a+)+$' };
    const nested = { $defs: { a: { anyOf: [{ items: slow }] } } };
    const names = { patternProperties: { '(b+)+$': {} } };
    const warnings = await findSlowPatterns([
      skill('one', nested),
      skill('two', {}, { type: 'object', properties: { a: slow } }),
      skill('three', names),
      skill('four', { properties: { pattern: { type: 'string' } } }),
    ]);
    expect(warnings.map(({ upstream }) => upstream)).toEqual(['one', 'two', 'three']);
    expect(warnings[2]?.reason).toContain('(b+)+$');
  });

  it('are not all tried if there are too many, which is said', async () => {
    const many = Array.from({ length: 500 }, (_, i) => `^(${'ab'.repeat(3)}${i}|\\w+)+\\w+\\w+$`);
    const warnings = await findSlowPatterns([skill('a', withPatterns(many))], 200);
    expect(warnings.at(-1)?.reason).toMatch(/^\d+ of 500 patterns were not tried/);
  });
});
