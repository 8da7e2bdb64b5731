import { describe, expect, it } from 'vitest';
import { describeHostileTargets, kindOf } from './testing/hostile-targets';

describe('parseTarget', () => {
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
    ['/.well-known/jwks.json', 'api'],
    ['/.well-known/security.txt', 'page'],
    ['/oauth/token', 'api'],
    ['/oauth/register?x', 'api'],
    ['/oauth/authorize?client_id=a', 'page'],
    ['/fake-stripe', 'fakeStripe'],
    ['/fake-stripe/v1/refunds', 'fakeStripe'],
    ['/fake-stripes', 'page'],
    ['/api/v1/tools', 'api'],
    ['/api/v1x', 'page'],
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
    ...['/fake-stripe/../docs', '/fake-stripe/%2e%2e/docs', '/fake-stripe/.%2E/docs', '/v1/.', '/..'],
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
  ])('rejects %s', (raw) => {
    expect(kindOf(raw)).toBe(400);
  });

  it('rejects long paths, long queries and too many parameters @F4', () => {
    expect(kindOf(`/${'a'.repeat(3_000)}`)).toBe(414);
    expect(kindOf(`/?a=${'b'.repeat(5_000)}`)).toBe(414);
    expect(kindOf(`/v1/tools/search?q=${'b'.repeat(9_000)}`)).toBe(414);
    for (const path of ['/', '/v1/tools']) expect(kindOf(`${path}?${'a&'.repeat(100)}a`)).toBe(400);
    // Real requests fit: a search of 500 Chinese characters, an application's
    // authorization request.
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

describeHostileTargets(1_000);
