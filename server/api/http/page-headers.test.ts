import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { isForeignChange } from './foreign-origin';
import { pageHeaders } from './page-headers';

function exchange(method = 'GET', headers: Record<string, string> = {}) {
  const req = new IncomingMessage(new Socket());
  req.method = method;
  Object.assign(req.headers, headers);
  return { req, res: new ServerResponse(req) };
}

const PRODUCTION = { baseUrl: 'https://gateway.example.com', dev: false };

it('sets a nonce per response that no client chose, and passes the policy to Next', () => {
  const add = pageHeaders(PRODUCTION);
  const seen = [1, 2].map(() => {
    const { req, res } = exchange('GET', {
      'x-nonce': 'mine',
      'content-security-policy': "script-src 'nonce-mine'",
    });
    add(req, res, '/');
    expect(req.headers['content-security-policy']).toBe(res.getHeader('content-security-policy'));
    expect(String(res.getHeader('content-security-policy'))).toContain(`'nonce-${req.headers['x-nonce']}'`);
    return req.headers['x-nonce'];
  });
  expect(new Set([...seen, 'mine']).size).toBe(3);
});

it('isolates every page from its opener, except the consent page', () => {
  const add = pageHeaders(PRODUCTION);
  const getOpenerPolicy = (path: string) => {
    const { req, res } = exchange();
    add(req, res, path);
    return res.getHeader('cross-origin-opener-policy');
  };
  expect(getOpenerPolicy('/oauth/authorize')).toBe('unsafe-none');
  for (const url of ['/', '/dashboard', '/oauth/authorize/x', '/sign-in'])
    expect(getOpenerPolicy(url), url).toBe('same-origin');
});

it('allows no eval or inline script in production, and upgrades to https if the base URL uses it', () => {
  const getPolicy = (options: { baseUrl: string; dev: boolean }) => {
    const { req, res } = exchange();
    pageHeaders(options)(req, res, '/');
    return {
      policy: String(res.getHeader('content-security-policy')),
      hsts: res.getHeader('strict-transport-security'),
    };
  };
  const built = getPolicy(PRODUCTION);
  const [, script] = /script-src ([^;]*);/.exec(built.policy) ?? [];
  expect(script).toMatch(/^'self' 'nonce-[^']{24}' 'strict-dynamic'$/);
  expect(built.policy).toContain('upgrade-insecure-requests');
  expect(built.hsts).toBe('max-age=31536000');
  const local = getPolicy({ baseUrl: 'http://localhost:3000', dev: true });
  expect(local.policy).toContain("'unsafe-eval'");
  expect(local.policy).not.toContain('upgrade-insecure-requests');
  expect(local.hsts).toBeUndefined();
});

it("detects a change that another site's page sends", () => {
  const { baseUrl } = PRODUCTION;
  const foreign = (method: string, headers: Record<string, string>) =>
    isForeignChange(exchange(method, headers).req, baseUrl);
  for (const origin of [
    'https://evil.example',
    'null',
    'http://gateway.example.com',
    'https://gateway.example.com.evil.example',
  ])
    expect(foreign('POST', { origin }), origin).toBe(true);
  expect(foreign('DELETE', { origin: 'https://evil.example' })).toBe(true);
  expect(foreign('POST', { 'sec-fetch-site': 'cross-site' })).toBe(true);
  expect(foreign('POST', { origin: 'https://gateway.example.com' })).toBe(false);
  expect(foreign('GET', { origin: 'https://evil.example' })).toBe(false);
  // Not a browser, so no cookie is sent by accident.
  expect(foreign('POST', {})).toBe(false);
});
