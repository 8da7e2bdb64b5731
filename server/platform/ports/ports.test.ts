import { describe, expect, it } from 'vitest';
import { connect } from '@/db/client';
import { createLogger } from '../../kit/log';
import { readBootedSettings } from '../settings/settings';
import { choosePorts } from './choose-ports';
import { createLocalMailer } from './mail';

describe('the fake Stripe', () => {
  const createFakeStripe = (env: Record<string, string>) => {
    const settings = readBootedSettings({
      NODE_ENV: 'test',
      STRIPE_FAKE: '1',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      BASE_URL: 'https://gateway.example.com',
      SMTP_URL: 'smtp://127.0.0.1:1',
      AUTH_SECRET: 'a'.repeat(44),
      CLAIM_SECRET: 'c'.repeat(44),
      VAULT_KEY: Buffer.alloc(32).toString('base64'),
      ...env,
    });
    // It connects only on the first statement, which refused requests never reach.
    const { sql } = connect(settings.databaseUrl, 1);
    return choosePorts({ settings, sql, log: createLogger(() => undefined) }).fakeStripe;
  };
  const requestStatus = async (env: Record<string, string>, path: string) =>
    (await createFakeStripe(env)?.serve(new Request(`http://gateway.example.com${path}`)))?.status;

  it('opens its API only if it listens on loopback, and never in production', async () => {
    expect(await requestStatus({ GATEWAY_ENV: 'local', HOST: '127.0.0.1' }, '/v1/customers')).toBe(401);
    expect(await requestStatus({ GATEWAY_ENV: 'local', HOST: '0.0.0.0' }, '/v1/customers')).toBe(404);
    for (const HOST of ['127.0.0.1', '0.0.0.0'])
      for (const path of ['/', '/v1/customers', '/v1/refunds'])
        expect(await requestStatus({ GATEWAY_ENV: 'production', HOST }, path)).toBe(404);
  });
});

describe('the local mailer', () => {
  it('stores the last fifty emails, newest first, and shows each', async () => {
    const shown: string[] = [];
    const mailer = createLocalMailer((mail) => shown.push(mail.subject));
    for (let i = 0; i < 60; i++) await mailer.send({ to: 'a@b.c', subject: `mail ${i}`, text: '', html: '' });
    expect(shown).toHaveLength(60);
    expect(mailer.messages()).toHaveLength(50);
    expect(mailer.messages()[0]?.subject).toBe('mail 59');
  });
});
