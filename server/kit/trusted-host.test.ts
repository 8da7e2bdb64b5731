import { expect, it } from 'vitest';
import { isTrustedHost } from './trusted-host';

const BASE_URL = 'https://gateway.example.com:8443';

it.each([
  'localhost',
  'localhost:3000',
  '127.0.0.1:3000',
  '127.8.8.8',
  '[::1]:3000',
  'gateway.example.com',
  null,
])('trusts the host %s', (host) => expect(isTrustedHost(host, BASE_URL)).toBe(true));

it.each([
  'evil.example',
  'evil.example:3000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'localhost@evil.example',
  'gateway.example.com.evil.example',
  '192.168.1.5',
])('does not trust the host %s', (host) => expect(isTrustedHost(host, BASE_URL)).toBe(false));
