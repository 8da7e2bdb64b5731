import { describe, expect, it } from 'vitest';
import { connect } from '@/db/client';
import { createLogger } from '../log';
import { readBootedSettings } from '../settings';
import { choosePorts } from './choose-ports';
import { createLocalMailer } from './mail';
import { createOutboundFetch, isPublicAddress } from './outbound';
import { createVault } from './vault';

describe('the vault', () => {
  const vault = createVault(Buffer.alloc(32, 7), 'k1');

  it('opens what it sealed, in the same context only', () => {
    const sealed = vault.seal('sk-secret', 'acct_1:openai');
    expect(sealed).not.toContain('sk-secret');
    expect(vault.open(sealed, 'acct_1:openai')).toBe('sk-secret');
    expect(() => vault.open(sealed, 'acct_2:openai')).toThrow();
  });

  it('refuses a changed value, another key and a short tag', () => {
    const sealed = vault.seal('sk-secret', 'a');
    const parts = sealed.split('.');
    expect(() => vault.open([...parts.slice(0, 4), 'AAAA'].join('.'), 'a')).toThrow();
    expect(() => vault.open([...parts.slice(0, 3), 'AAAA', parts[4]].join('.'), 'a')).toThrow();
    expect(() => createVault(Buffer.alloc(32, 8), 'k1').open(sealed, 'a')).toThrow();
    expect(() => createVault(Buffer.alloc(31), 'k1')).toThrow('32 bytes');
  });

  it('never seals twice alike', () => {
    expect(vault.seal('x', 'a')).not.toBe(vault.seal('x', 'a'));
  });
});

describe('the stand-in for Stripe', () => {
  const standinOf = (env: Record<string, string>) => {
    const settings = readBootedSettings({
      NODE_ENV: 'test',
      STRIPE_STANDIN: '1',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      BASE_URL: 'https://gateway.example.com',
      SMTP_URL: 'smtp://127.0.0.1:1',
      AUTH_SECRET: 'a'.repeat(44),
      CLAIM_SECRET: 'c'.repeat(44),
      VAULT_KEY: Buffer.alloc(32).toString('base64'),
      ...env,
    });
    // Connects only when it is asked something, which no refusal does.
    const { sql } = connect(settings.databaseUrl, 1);
    return choosePorts({ settings, sql, log: createLogger(() => undefined) }).stripeStandin;
  };
  const statusOf = async (env: Record<string, string>, path: string) =>
    (await standinOf(env)?.serve(new Request(`http://gateway.example.com${path}`)))?.status;

  it('lets others use its API only where nobody else reaches this machine, and never in production', async () => {
    expect(await statusOf({ GATEWAY_ENV: 'local', HOST: '127.0.0.1' }, '/v1/customers')).toBe(401);
    expect(await statusOf({ GATEWAY_ENV: 'local', HOST: '0.0.0.0' }, '/v1/customers')).toBe(404);
    for (const HOST of ['127.0.0.1', '0.0.0.0'])
      for (const path of ['/', '/v1/customers', '/v1/refunds'])
        expect(await statusOf({ GATEWAY_ENV: 'production', HOST }, path)).toBe(404);
  });
});

describe('the local mailer', () => {
  it('keeps the last fifty, newest first, and shows each', async () => {
    const shown: string[] = [];
    const mailer = createLocalMailer((mail) => shown.push(mail.subject));
    for (let i = 0; i < 60; i++) await mailer.send({ to: 'a@b.c', subject: `mail ${i}`, text: '', html: '' });
    expect(shown).toHaveLength(60);
    expect(mailer.messages()).toHaveLength(50);
    expect(mailer.messages()[0]?.subject).toBe('mail 59');
  });
});

describe('requests of tools', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'localhost',
    '',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it('are refused before they connect to this machine, by address or by name', async () => {
    const outbound = createOutboundFetch();
    for (const url of [
      'http://127.0.0.1:8099/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://[::1]/',
      'http://localhost:8099/',
      'http://[::ffff:7f00:1]/',
    ]) {
      const error = (await outbound(url).catch((thrown: unknown) => thrown)) as Error & { cause?: Error };
      expect([url, error.cause?.message]).toEqual([url, 'The host is not on the public internet']);
    }
  });
});
