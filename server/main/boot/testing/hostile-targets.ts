import fc from 'fast-check';
import { parseUrl } from 'next/dist/shared/lib/router/utils/parse-url';
import { normalizeRepeatedSlashes } from 'next/dist/shared/lib/utils';
import { describe, expect, it } from 'vitest';
import { parseTarget, type RequestTarget } from '../request-target';

/** Who answers a target, or the status with which it is refused. */
export const kindOf = (raw: string) => {
  const target = parseTarget(raw);
  return 'kind' in target ? target.kind : target.status;
};

const octet = fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`);
const piece = fc.oneof(
  fc.constantFrom('v1', 'api', 'trpc', 'fake-stripe', 'dashboard', 'docs', 'mcp', 'files', 'healthz'),
  fc.constantFrom('.', '..', '%2e', '%2E.', '%252e', '/', '//', '\\', '%2f', '%5C', '%252f', '%00', ';', '#'),
  fc.constantFrom('%76', '1', '%61pi', '.rsc', '.json', '@', ':', '[a]', '{', '"', '|', '^', '%25', '%'),
  octet,
  fc.string({ unit: 'binary-ascii', maxLength: 3 }),
);
const hostilePath = fc
  .array(fc.oneof({ weight: 2, arbitrary: piece }, { weight: 1, arbitrary: fc.constant('/') }), {
    maxLength: 9,
  })
  .map((pieces) => `/${pieces.join('')}`);

function accepted(raw: string): RequestTarget {
  const target = parseTarget(raw);
  fc.pre('kind' in target);
  return target as RequestTarget;
}

/**
 * Tests with so many hostile targets each: the front and Next read one path in those that are let
 * through.
 */
export function describeHostileTargets(numRuns: number): void {
  describe('the front and Next read one path in a target that is let through', () => {
    const check = (property: (target: RequestTarget, raw: string) => void) =>
      fc.assert(
        fc.property(hostilePath, (raw) => property(accepted(raw), raw)),
        { numRuns },
      );

    it('the parser of URLs takes no segment away and adds none, and finds the same one to answer it @F3', () =>
      check(({ url, path, kind }) => {
        const parsed = new URL(url, 'http://gateway.example');
        expect(parsed.host).toBe('gateway.example');
        expect(decodeURIComponent(parsed.pathname)).toBe(decodeURIComponent(path));
        expect(kindOf(parsed.pathname)).toBe(kind);
      }));

    it('so does Next’s own, and it has nothing to redirect @F3', () =>
      check(({ url, path, kind }) => {
        expect(normalizeRepeatedSlashes(path)).toBe(path);
        const { pathname } = parseUrl(url);
        expect(decodeURIComponent(String(pathname))).toBe(decodeURIComponent(path));
        expect(kindOf(String(pathname))).toBe(kind);
      }));

    it('decoding it once more leads to no other one, nor does parsing it a second time @F3', () =>
      check((target) => {
        expect(parseTarget(target.url)).toEqual(target);
        const decoded = decodeURIComponent(target.path);
        const again = parseTarget(encodeURI(decoded).replaceAll('#', '%23').replaceAll('?', '%3F'));
        if ('kind' in again) expect(again.kind).toBe(target.kind);
        expect(decoded.split('/').length).toBe(target.path.split('/').length);
        expect(decoded.split('/').some((segment) => segment === '..' || segment === '.')).toBe(false);
      }));
  });
}
