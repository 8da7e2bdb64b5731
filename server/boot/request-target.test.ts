import fc from 'fast-check';
import { parseUrl } from 'next/dist/shared/lib/router/utils/parse-url';
import { normalizeRepeatedSlashes } from 'next/dist/shared/lib/utils';
import { describe, expect, it } from 'vitest';
import { parseTarget, type RequestTarget } from './request-target';

const kindOf = (raw: string) => {
  const target = parseTarget(raw);
  return 'kind' in target ? target.kind : target.status;
};

describe('who answers a path', () => {
  it.each([
    ['/v1', 'api'],
    ['/v1?x=/y', 'api'],
    ['/v1/tools/search?q=a', 'api'],
    ['/%761/tools', 'api'],
    ['/v1/tools/', 'api'],
    ['/openapi.json', 'api'],
    ['/mcp', 'api'],
    ['/healthz?deep=1', 'api'],
    ['http://gateway.example/v1/tools', 'api'],
    ['HTTPS://gateway.example?a=1', 'page'],
    ['/files/asset_1/a.png', 'api'],
    ['/files/asset_1/100%2520.png', 'api'],
    ['/files', 'page'],
    ['/dashboard/assets/upload', 'api'],
    ['/dashboard/assets', 'page'],
    ['/dashboard/assets/upload/more', 'page'],
    ['/.well-known/oauth-protected-resource/mcp', 'api'],
    ['/.well-known/oauth-authorization-server', 'api'],
    ['/.well-known/security.txt', 'page'],
    ['/oauth/token', 'api'],
    ['/oauth/register?x', 'api'],
    ['/oauth/authorize?client_id=a', 'page'],
    ['/stripe-standin', 'standin'],
    ['/stripe-standin/v1/refunds', 'standin'],
    ['/stripe-standing', 'page'],
    ['/v10', 'api'],
    ['/v1x', 'page'],
    ['/V1/tools', 'page'],
    ['/v1./tools', 'page'],
    ['/', 'page'],
    ['/...', 'page'],
    ['/docs?next=/v1/../tools', 'page'],
    ['/tools/%E2%9C%93', 'page'],
    ['/_next/v1/x', 'page'],
  ])('%s: %s', (raw, kind) => {
    expect(kindOf(raw)).toBe(kind);
  });

  it.each([
    ...[
      '/stripe-standin/../docs',
      '/stripe-standin/%2e%2e/docs',
      '/stripe-standin/.%2E/docs',
      '/v1/.',
      '/..',
    ],
    ...['/dashboard/%2e%2e/v1/tools', '/dashboard/..%2fv1/tools', '/dashboard%2Fassets', '/a%5c..%5cv1'],
    ...['/dashboard/%252e%252e/v1/tools', '/%25761/tools', '/a%252fb', '/x\\..\\v1', '//v1/tools', '/x//v1'],
    ...[
      '/a%00b',
      '/a%0ab',
      '/a%7f',
      '/v1/tools#x',
      '/x#/v1',
      '/?a#b',
      '/tools/%ff',
      '/api/trpc/%',
      '/%c0%af',
    ],
    ...['/\u00e9', 'ftp://gateway.example/v1', 'v1/tools', '*', '', 'http://a/../v1', 'javascript:alert(1)'],
  ])('%s is refused', (raw) => {
    expect(kindOf(raw)).toBe(400);
  });

  it('long paths and queries, and a hundred parameters more than anyone needs, are refused', () => {
    expect(kindOf(`/${'a'.repeat(3_000)}`)).toBe(414);
    expect(kindOf(`/?a=${'b'.repeat(5_000)}`)).toBe(414);
    expect(kindOf(`/v1/tools/search?q=${'b'.repeat(9_000)}`)).toBe(414);
    for (const path of ['/', '/v1/tools']) expect(kindOf(`${path}?${'a&'.repeat(100)}a`)).toBe(400);
    // What is asked for in earnest fits: a search of 500 characters of Chinese, an application's
    // request for consent.
    expect(kindOf(`/v1/tools/search?limit=50&q=${encodeURIComponent('汉'.repeat(500))}`)).toBe('api');
    const consent = new URLSearchParams({
      response_type: 'code',
      client_id: 'https://application.example/oauth/client-metadata.json',
      redirect_uri: 'https://application.example/oauth/callback?tenant=1',
      state: 'x'.repeat(1_500),
      code_challenge: 'y'.repeat(43),
      code_challenge_method: 'S256',
      resource: 'https://gateway.example/mcp',
      scope: 'tools',
    });
    const back = encodeURIComponent(`/oauth/authorize?${consent}`);
    expect(kindOf(`/sign-in?callbackUrl=${back}`)).toBe('page');
  });
});

const octet = fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`);
const piece = fc.oneof(
  fc.constantFrom('v1', 'api', 'trpc', 'stripe-standin', 'dashboard', 'docs', 'mcp', 'files', 'healthz'),
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

describe('the front and Next read one path in a target that is let through', () => {
  const check = (property: (target: RequestTarget, raw: string) => void) =>
    fc.assert(
      fc.property(hostilePath, (raw) => property(accepted(raw), raw)),
      { numRuns: 20_000 },
    );

  it('the parser of URLs takes no segment away and adds none, and finds the same one to answer it', () =>
    check(({ url, path, kind }) => {
      const parsed = new URL(url, 'http://gateway.example');
      expect(parsed.host).toBe('gateway.example');
      expect(decodeURIComponent(parsed.pathname)).toBe(decodeURIComponent(path));
      expect(kindOf(parsed.pathname)).toBe(kind);
    }));

  it('so does Next’s own, and it has nothing to redirect', () =>
    check(({ url, path, kind }) => {
      expect(normalizeRepeatedSlashes(path)).toBe(path);
      const { pathname } = parseUrl(url);
      expect(decodeURIComponent(String(pathname))).toBe(decodeURIComponent(path));
      expect(kindOf(String(pathname))).toBe(kind);
    }));

  it('decoding it once more leads to no other one, nor does parsing it a second time', () =>
    check((target) => {
      expect(parseTarget(target.url)).toEqual(target);
      const decoded = decodeURIComponent(target.path);
      const again = parseTarget(encodeURI(decoded).replaceAll('#', '%23').replaceAll('?', '%3F'));
      if ('kind' in again) expect(again.kind).toBe(target.kind);
      expect(decoded.split('/').length).toBe(target.path.split('/').length);
      expect(decoded.split('/').some((segment) => segment === '..' || segment === '.')).toBe(false);
    }));
});
