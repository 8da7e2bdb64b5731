import { expect, it } from 'vitest';
import { normalizeEmail } from './email-address';

it.each(['Ada@Example.com ', 'a.b+tag@mail.example.co', 'operator@localhost', 'o’neil@example.com'])(
  'accepts %j',
  (text) => {
    expect(normalizeEmail(text)).toBe(text.trim().toLowerCase());
  },
);

it.each([
  'v:victim@mail.example.com;',
  'group:victim@mail.example.com',
  'victim@mail。example.com',
  'victim@mail．example.com',
  'victim@mail｡example.com',
  'victim@example.com.',
  'victim@.example.com',
  'vic\\tim@example.com',
  'a@b@example.com',
  'a@example.com,b@example.com',
  'a\u0000@example.com',
])('rejects %j, which would be a second spelling of its mailbox', (text) => {
  expect(() => normalizeEmail(text)).toThrow('Expected one email address');
});
