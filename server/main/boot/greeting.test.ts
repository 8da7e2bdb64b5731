import { expect, it } from 'vitest';
import { readSettings } from '../../platform/settings/settings';
import { greeting } from './greeting';
import { describeStopping } from './terminal-texts';

const ENV = {
  NODE_ENV: 'test',
  DATABASE_URL: 'postgres://u:p@db/gateway',
  AUTH_SECRET: 'a'.repeat(40),
} as const;
const LINK = `http://localhost:3000/sign-in/confirm?token=${'a'.repeat(64)}`;
const show = (columns: number, isTerminal = true) =>
  greeting({
    settings: readSettings(ENV),
    first: true,
    signInLink: LINK,
    seconds: 6,
    screen: { columns, isTerminal },
  }).split('\n');

it('is aligned at 80 columns, with commands that create and use a key', () => {
  const lines = show(80);
  expect(lines).toContain('  Address   http://localhost:3000');
  expect(lines).toContain('            (this link works once)');
  expect(lines.filter((line) => line.startsWith('    ')).join('\n')).toContain(
    'Authorization: Bearer $TOOL_GATEWAY_KEY',
  );
});

it('breaks only at words at 40 columns, and leaves links and commands whole', () => {
  const lines = show(40);
  expect(lines).toContain('  Address   http://localhost:3000');
  expect(lines).toContain(LINK);
  const long = lines.filter((line) => line.length > 40);
  for (const line of long) expect(line).toMatch(/^(http|NEW=|export |curl | {2}-H )/);
  expect(lines).toContain('  Then open the claim_url that it');
});

it('names the key to press only at a terminal', () => {
  expect(show(80, true).join('\n')).toContain('Press Ctrl-C to stop.');
  expect(show(80, false).join('\n')).toContain('Send SIGTERM to stop.');
  expect(describeStopping({ columns: 80, isTerminal: false })).not.toContain('Ctrl-C');
});
