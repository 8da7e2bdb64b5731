import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES, ERRORS } from '@/server/core/errors/catalogue';
import { EXIT, EXIT_MEANINGS, getExitCode } from './exit-codes.js';

describe('exit codes', () => {
  it('map every error of the gateway to a code other than 0', () => {
    const found = ERROR_CODES.map((code) => [code, getExitCode({ code, type: ERRORS[code].type })] as const);
    for (const [code, exit] of found)
      expect(
        EXIT_MEANINGS.map(([known]) => known),
        code,
      ).toContain(exit);
    expect(found.map(([, exit]) => exit)).not.toContain(EXIT.ok);
    expect(Object.fromEntries(found)).toMatchObject({
      CLAIM_REQUIRED: EXIT.billing,
      INSUFFICIENT_CREDITS: EXIT.billing,
      COST_LIMIT_EXCEEDED: EXIT.billing,
      MISSING_CREDENTIALS: EXIT.auth,
      SPENDING_LIMIT_EXCEEDED: EXIT.rateLimited,
      HANDLER_ERROR: EXIT.toolFailed,
      UNAVAILABLE: EXIT.unexpected,
    });
  });

  it('have the same meaning in the README as in the help', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    for (const [code, meaning] of EXIT_MEANINGS)
      expect(readme.replaceAll('`', '').replace(/ +/g, ' ')).toContain(`| ${code} | ${meaning} |`);
  });
});
