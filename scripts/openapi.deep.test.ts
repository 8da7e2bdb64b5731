import { describe, expect, it } from 'vitest';
import { lintWithRedocly, lintWithSpectral } from './openapi-lint.mjs';

describe('openapi.json passes the rules', () => {
  it('of Redocly', () => {
    expect(lintWithRedocly()).toBe('');
  });

  it('of Spectral, without a warning', () => {
    expect(lintWithSpectral()).toBe('');
  });
});
