import { NextRequest } from 'next/server';
import { expect, it } from 'vitest';
import { readAuthRequest } from './read-auth-request';

const URL_ENCODED = 'application/x-www-form-urlencoded';
const post = (body: string, type = 'application/json', query = '') =>
  readAuthRequest(
    new NextRequest(`http://gateway.test/api/auth/signin/email${query}`, {
      method: 'POST',
      headers: { 'content-type': type, 'x-gateway-peer': '192.0.2.1' },
      body,
    }),
  );

it.each([
  ['no JSON', '{"email":', 'application/json'],
  ['nothing', '', 'application/json'],
  ['null', 'null', 'application/json'],
  ['a list', '["a@example.com"]', 'application/json'],
  ['a text', '"a@example.com"', 'application/json; charset=utf-8'],
  ['a number as a field', '{"email":5}', 'application/json'],
  ['an object as a field', '{"email":"a@example.com","callbackUrl":{}}', 'application/json'],
  ['NUL in a field', '{"email":"a\\u0000@example.com"}', 'application/json'],
  ['NUL in a name', '{"a\\u0000":"b"}', 'application/json'],
  ['NUL in a form', 'email=a%00%40example.com', URL_ENCODED],
  ['a line break in a form', 'email=a%40example.com%0d%0ab', URL_ENCODED],
])('refuses a sign-in request of %s @F4', async (_, body, type) => {
  expect(await post(body, type)).toBeNull();
});

it('refuses a query with NUL, for any method', async () => {
  expect(await post('{}', 'application/json', '?token=%00')).toBeNull();
  const get = new NextRequest('http://gateway.test/api/auth/callback/google?state=a%00');
  expect(await readAuthRequest(get)).toBeNull();
});

it('passes any other request on unchanged', async () => {
  const form = 'email=a%2Bb%40example.com&csrfToken=x&json=true';
  const request = await post(form, URL_ENCODED, '?callbackUrl=%2Fdashboard');
  expect(await request?.text()).toBe(form);
  expect(request?.nextUrl.searchParams.get('callbackUrl')).toBe('/dashboard');
  expect(request?.headers.get('x-gateway-peer')).toBe('192.0.2.1');
  expect(await (await post('{"email":"a@example.com"}'))?.json()).toEqual({ email: 'a@example.com' });
  expect(await post('', '')).not.toBeNull();
});
