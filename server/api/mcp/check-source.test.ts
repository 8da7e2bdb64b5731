import { describe, expect, it } from 'vitest';
import { refuseSource } from './check-source';

const request = (headers: Record<string, string>) => ({ header: (name: string) => headers[name] });
const isTaken = (baseUrl: string, headers: Record<string, string>, allowedOrigins: string[] = []) =>
  refuseSource(request(headers), { baseUrl, allowedOrigins }) === null;

describe('behind a proxy, under a public name', () => {
  const base = 'https://gateway.example';

  it.each([
    ['gateway.example', true],
    ['GATEWAY.example', true],
    ['10.0.0.5:3000', true],
    ['[fd00::5]:3000', true],
    ['localhost:3000', false],
    ['evil.example', false],
    ['gateway.example.evil.example', false],
    ['10.0.0.5.evil.example', false],
    ['gateway.example:8443', false],
  ])('accepts the host %s: %s', (host, taken) => {
    expect(isTaken(base, { host })).toBe(taken);
  });

  it.each([
    ['https://gateway.example', true],
    ['http://gateway.example', false],
    ['https://gateway.example:8443', false],
    ['http://localhost:3000', false],
    ['null', false],
    ['', false],
    ['https://chat.example', true],
    ['https://chat.example.evil.example', false],
  ])('accepts the origin %s: %s', (origin, taken) => {
    expect(isTaken(base, { host: 'gateway.example', origin }, ['https://chat.example'])).toBe(taken);
  });
});

it('accepts every local name on the same port when the base URL is local', () => {
  const base = 'http://localhost:3000';
  for (const origin of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
    expect(isTaken(base, { host: '127.0.0.1:3000', origin })).toBe(true);
  for (const origin of [
    'http://localhost:3001',
    'https://localhost:3000',
    'http://127.0.0.1.evil.example:3000',
  ])
    expect(isTaken(base, { host: 'localhost:3000', origin })).toBe(false);
});
