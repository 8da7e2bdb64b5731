import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import type { EmailMessage } from '../../platform/ports/ports';
import { authOptions } from './options';

/** What next-auth passes to the email provider and to the storage. */
interface EmailProvider {
  sendVerificationRequest(email: { identifier: string; token: string; url: string }): Promise<void>;
}

let one: Harness;
let two: Harness;
let sent: EmailMessage[];
beforeAll(async () => {
  const mail = { send: async (message: EmailMessage) => void sent.push(message) };
  const env = { EMAILS_PER_ADDRESS: '5', EMAILS_PER_NETWORK: '30', EMAILS_TOTAL: '100' };
  one = await startHarness({ role: 'web', env, ports: { mail } });
  two = await startHarness({
    role: 'web',
    env: { ...env, CLAIM_SECRET: one.runtime.settings.claimSecret },
    ports: { mail },
    peer: one,
  });
});
beforeEach(async () => {
  sent = [];
  await one.runtime.sql`truncate rate_windows, verification_tokens`;
});
afterAll(async () => {
  await two.close();
  await one.close();
});

/** Requests a sign-in link as next-auth does. */
async function ask(email: string, ip: string, at = one): Promise<void> {
  const { adapter, providers } = authOptions(at.runtime, ip);
  const [provider] = providers as unknown as { options: EmailProvider }[];
  const [token, url] = ['t', 'https://gateway.example/x?callbackUrl=%2Fdashboard'];
  const stored = {
    identifier: email,
    token: `${email}-${Math.random()}`,
    expires: new Date(Date.now() + 60_000),
  };
  await Promise.all([
    provider?.options.sendVerificationRequest({ identifier: email, token, url }),
    adapter?.createVerificationToken?.(stored),
  ]);
}
const tokens = async () => (await one.runtime.sql`select 1 from verification_tokens`).length;

describe('sign-in emails per hour', () => {
  it('are limited to five per address, in any spelling, across networks and processes @F9', async () => {
    const forms = ['ada@example.test', 'ada+1@example.test', 'Ada+news@example.test'];
    for (let n = 0; n < 12; n++) await ask(forms[n % 3] as string, `198.51.${n}.1`, n % 2 ? one : two);
    expect(sent).toHaveLength(5);
    expect(await tokens()).toBe(5);
    await ask('eve@example.test', '198.51.0.1');
    expect(sent).toHaveLength(6);
    for (const form of [
      'g.r.a.c.e@gmail.com',
      'grace@googlemail.com',
      'gr.ace+1@gmail.com',
      'grace@gmail.com',
      'gra.ce@gmail.com',
      'grac.e@gmail.com',
    ])
      await ask(form, '203.0.113.1');
    expect(sent).toHaveLength(11);
  });

  it('are limited to thirty per network, to any addresses; refused ones do not count @F9', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => ask(`many${n}@example.test`, `203.0.113.${n}`, n % 2 ? one : two)),
    );
    expect(sent).toHaveLength(30);
    await ask('other@example.test', '203.0.114.1');
    expect(sent).toHaveLength(31);
    const refused = Array.from({ length: 60 }, (_, n) => `many${n}@example.test`).find(
      (email) => !sent.some(({ to }) => to === email),
    ) as string;
    for (let n = 0; n < 6; n++) await ask(refused, `192.0.2.${n}`);
    expect(sent).toHaveLength(36);
    await ask(refused, '192.0.2.9');
    expect(sent).toHaveLength(36);
  });

  it('are limited to a hundred across all networks @F9', async () => {
    for (let n = 0; n < 105; n++) await ask(`all${n}@example.test`, `10.${n}.0.1`);
    expect(sent).toHaveLength(100);
    expect(await tokens()).toBe(100);
  });

  it('to people with an account are not used up by a flood to other addresses, and are limited too @F9', async () => {
    const { userId } = await one.person();
    const member = `${userId}@example.test`;
    for (let n = 0; n < 100; n++) await ask(`all${n}@example.test`, `10.${n}.0.1`);
    expect(sent).toHaveLength(100);
    await ask(member, '198.51.100.1');
    expect(sent.slice(100).map(({ to }) => to)).toEqual([member]);
    await one.runtime.sql`update rate_windows set used = 100 where scope = 'sign-in-emails-total'`;
    await ask(member, '198.51.100.1');
    expect(sent).toHaveLength(101);
  });

  it('do not make a request wait for the mail server @F9', async () => {
    const never = new Promise<void>(() => undefined);
    const ports = { ...one.runtime.ports, mail: { send: () => never } };
    const slow = { ...one, runtime: { ...one.runtime, ports } };
    await ask('slow@example.test', '198.51.100.1', slow);
    expect(await tokens()).toBe(1);
  });
});
