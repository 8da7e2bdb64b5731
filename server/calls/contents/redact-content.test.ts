import { describe, expect, it } from 'vitest';
import { redactContent } from './redact-content';
import { redactText } from './redact-text';

const store = (value: unknown, maxBytes = 10_000) => {
  const side = redactContent(value, maxBytes);
  return { ...side, value: JSON.parse(side.json) };
};

describe('content of a call', () => {
  it('keeps values without secrets as they are', () => {
    const value = {
      query: 'cats',
      limit: 3,
      max_tokens: 900,
      nested: [{ ok: true, none: null }],
      text: 'a "b" é 😀',
      prose: 'Write a basic tutorial: bearer authentication, a token: what it is, and passwords.',
      code: 'const total = price * 2; // keyboard=yes',
      pass: true,
      tokens: ['Hello', ' world'],
      rows: [
        ['name', 'age'],
        ['Ada', '36'],
      ],
      fields: [{ name: 'title', value: 'Report' }],
      url: 'https://example.com/a?q=cats&page=2',
    };
    expect(store(value)).toMatchObject({ value, truncated: false, redacted: false });
  });

  it.each([
    'password',
    'api_key',
    'apiKey',
    'X-Api-Key',
    'Authorization',
    'client_secret',
    'accessToken',
    'set-cookie',
    'db_password',
    'passwords',
    'password2',
    'sessionKey',
  ])('hides the value of a field named %s, whatever it is', (name) => {
    const { value, json, redacted } = store({
      auth: { [name]: { inner: 'hunter2' } },
      list: [{ [name]: 'hunter2' }],
    });
    expect(value.auth[name]).toBe('[redacted]');
    expect(json).not.toContain('hunter2');
    expect(redacted).toBe(true);
  });

  it.each([
    `tg_live_${'a1'.repeat(19)}`,
    `Bearer ${'x9'.repeat(20)}`,
    `sk-proj-${'Ab1'.repeat(12)}`,
    `ghp_${'a1B'.repeat(12)}`,
    'AKIAIOSFODNN7EXAMPLE',
    `eyJhbGciOiJIUzI1NiJ9.${'abc1'.repeat(6)}.${'def2'.repeat(6)}`,
    'https://user:hunter2secret@example.com/',
    'https://example.com/?access_token=hunter2secret&q=1',
    '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----',
  ])('hides a secret inside a text: %s', (secret) => {
    const { json, value, redacted } = store({ message: `before ${secret} after` });
    expect(redacted).toBe(true);
    expect(json).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(json).not.toContain('hunter2secret');
    expect(value.message).toMatch(/^before .*after$/s);
  });

  it.each([
    ['JSON', '{"user":"ada","password":"hunter2\\"secret","n":1}', '"n":1'],
    ['JSON in JSON', '{"body":"{\\"api_key\\":\\"hunter2secret\\",\\"n\\":1}"}', '\\"n\\":1'],
    ['a Python dictionary', "{'password': 'hunter2secret', 'n': 1}", "'n': 1"],
    ['a form', 'password=hunter2secret&user=ada', 'user=ada'],
    ['a nested form', 'user%5Bpassword%5D=hunter2secret&n=1', 'n=1'],
    ['a URL fragment', 'https://example.com/#access_token=hunter2secret&state=1', 'state=1'],
    ['a signed URL', 'https://example.com/a?sig=hunter2secret&se=2026', 'se=2026'],
    ['an environment', 'export API_KEY="hunter2 secret" PORT=3000', 'PORT=3000'],
    ['a configuration', 'host: example.com\npassword: hunter2secret\nport: 1', 'port: 1'],
    ['a connection', 'AccountName=ada;AccountKey=hunter2secret==;n=1', 'n=1'],
    ['headers', 'X-Api-Key: hunter2secret\nCookie: session=hunter2secret\nAccept: */*', 'Accept: */*'],
    [
      'a command',
      'curl -u ada:hunter2secret -H "Authorization: token hunter2secret" https://a.example',
      'https://a',
    ],
    ['basic authentication', `Basic ${Buffer.from('ada:hunter2').toString('base64')} after`, ' after'],
    ['a webhook', 'https://hooks.slack.com/services/T0/B0/hunter2secret after', ' after'],
    [
      'an encrypted key',
      '-----BEGIN RSA PRIVATE KEY-----\nDEK-Info: A\n\nhunter2secret\n-----END',
      '-----END',
    ],
  ])('hides a secret that is nested in a text: %s @F30', (_, text, rest) => {
    const { json, value, redacted } = store({ body: text });
    expect(redacted).toBe(true);
    expect(json).not.toMatch(/hunter2|YWRhOmh1bnRlcjI|secret/);
    expect(value.body).toContain(rest);
  });

  it('hides the value next to a secret name, in pairs and in objects', () => {
    const { json } = store({
      headers: [
        ['X-Api-Key', 'hunter2'],
        ['Accept', '*/*'],
      ],
      list: [
        { name: 'Authorization', value: 'hunter2' },
        { key: 'PASSWORD', value: 'hunter2' },
      ],
      auth: 'ada:hunter2',
      password_confirmation: 'hunter2',
    });
    expect(json).not.toContain('hunter2');
    expect(json).toContain('["Accept","*/*"]');
  });

  it('reads a text in linear time, whatever it repeats @F30', () => {
    // Quadratic patterns would not end within the time limit of a test.
    for (const part of [
      'eyJ-',
      'eyJaaaaaaaa.',
      'x-',
      'x-key',
      'token',
      'token\\',
      '"token":"',
      'bearer ',
      '-----BEGIN ',
      '-----BEGIN PRIVATE KEY-----',
      ' -u=',
      '?a',
      '&key',
      'cookie:',
      'SG.',
      '://a:',
      'password: ',
      '\npassword:\t',
    ])
      expect(redactText(part.repeat(30_000))).toEqual(expect.any(String));
  });

  it('is valid JSON within its size when it is too large, and says that parts are missing', () => {
    const large = { rows: Array.from({ length: 5_000 }, (_, id) => ({ id, text: 'é'.repeat(50) })) };
    for (const value of [large, 'x'.repeat(50_000), { ['n'.repeat(9_000)]: 1 }, [['😀'.repeat(9_000)]]]) {
      const { json, truncated } = store(value, 4_000);
      expect(truncated).toBe(true);
      expect(Buffer.byteLength(json)).toBeLessThan(4_000 + 100);
    }
  });

  it('hides a secret that crosses the cut @F30', () => {
    const secret = `tg_live_${'a1'.repeat(19)}`;
    for (let before = 0; before < 60; before++) {
      const { json } = store(`${'x'.repeat(100 - before)} ${secret}`, 110);
      expect(json).not.toMatch(/tg_live_a1/);
    }
  });

  it('survives cycles and deep values', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(store(cycle).truncated).toBe(true);
  });
});
