import { describe, expect, it } from 'vitest';
import { safePath } from './safe-path';

const HOSTILE = [
  '',
  'evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  'https://evil.example',
  'https:evil.example',
  'https:/evil.example',
  'HTTPS://evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '%2f%2fevil.example',
  '/%2fevil.example',
  '/%252fevil.example',
  '/%5cevil.example',
  '/%5c%5cevil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e%2e//evil.example',
  ' //evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/%09/evil.example',
  '/%zz',
  '@evil.example',
  '/\u0000/evil.example',
];

describe('safePath', () => {
  it.each(HOSTILE)('refuses %j', (given) => {
    expect(safePath(given)).toBe('/dashboard');
  });

  it.each([
    '/',
    '/dashboard/keys',
    '/claim?token=clm_abc-DEF_123',
    '/tools/math?q=a%20b&category=text#evaluate',
    '/tools?q=100%25',
    '/files/a%20b',
    '/tools?next=https%3A%2F%2Fevil.example',
  ])('keeps %j', (given) => {
    expect(safePath(given)).toBe(given);
  });

  it('returns the fallback if nothing is given', () => {
    expect(safePath(undefined)).toBe('/dashboard');
    expect(safePath(null, '/')).toBe('/');
  });
});
