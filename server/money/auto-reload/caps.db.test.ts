import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import {
  createReloadPerson,
  ReloadFixture,
  type ReloadPerson,
  readReloadState,
  spend,
} from '@/test/support/reload-fixture';
import { ScriptedPayments } from '@/test/support/scripted-payments';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';

const CALLS = 300;
const DOLLAR = 1_000_000n;

describe('calls that repeatedly cross the threshold', () => {
  const payments = new ScriptedPayments();
  let one: Harness;
  let two: Harness;
  beforeAll(async () => {
    const env = { ...UNLIMITED_RATES, CONCURRENT_CALLS: '1000' };
    const options = { role: 'web', ports: { payments }, env } as const;
    one = await startHarness(options);
    two = await startHarness({ ...options, peer: one });
  });
  afterAll(async () => {
    await two.close();
    await one.close();
  });

  it('make three charges on two processes, then auto-recharge switches off with one email @F19', async () => {
    const settings = { credit: 100n * DOLLAR, threshold: 500n * DOLLAR, amount: DOLLAR };
    const person = await createReloadPerson(one, payments, settings);
    for (let sent = 0; sent < CALLS; sent += 20) {
      const wave = Array.from({ length: 20 }, (_, i) => spend(i % 2 ? one : two, person.key, 1n));
      expect((await Promise.all(wave)).every(({ status }) => status === 200)).toBe(true);
    }
    const paid = { status: 'paid' };
    // The calls may all end before the third charge: one more has to request a fourth.
    const callOnce = async () => {
      const state = await readReloadState(one.runtime, person.accountId);
      if (state.enabled) await spend(one, person.key, 1n);
      return state;
    };
    await expect
      .poll(callOnce, { timeout: 30_000 })
      .toMatchObject({ enabled: false, wanted: false, stopped: true, orders: [paid, paid, paid] });
    expect(payments.paid).toHaveLength(3);
    expect((await readReloadState(one.runtime, person.accountId)).mails).toEqual(['reload_capped']);
    const preferences = await one.request('GET', '/v1/billing/preferences', { key: person.key });
    expect(preferences.body).toMatchObject({
      autoReloadEnabled: false,
      auto_reload_stopped_reason: 'hourly_cap',
      auto_reload_stopped_at: expect.any(String),
    });
  });
});

describe('auto-recharge caps its charges', () => {
  let fixture: ReloadFixture;
  beforeAll(async () => {
    fixture = await ReloadFixture.start();
  });
  afterAll(() => fixture.close());
  afterEach(() => fixture.endTest());

  /** Auto-recharge buys two dollars below a threshold of two. */
  const buyer = () =>
    createReloadPerson(fixture.harness, fixture.payments, {
      credit: DOLLAR,
      threshold: 2n * DOLLAR,
      amount: 2n * DOLLAR,
    });
  /** A call that crosses the threshold, followed by a round of both processes. */
  async function cross(person: ReloadPerson): Promise<void> {
    expect((await spend(fixture.harness, person.key, 10_000n)).status).toBe(200);
    await Promise.all([fixture.run(), fixture.run(fixture.other)]);
    await fixture.run();
  }
  /** Far above what a charge adds, so that each call crosses the threshold. */
  const raiseThreshold = (person: ReloadPerson) =>
    fixture.set(person, 'reload_threshold_microusd = 400000000');
  const countPaid = async (person: ReloadPerson) =>
    (await fixture.state(person)).orders.filter(({ status }) => status === 'paid').length;
  const fetchPreferences = async ({ key }: ReloadPerson) =>
    (await fixture.harness.request('GET', '/v1/billing/preferences', { key })).body;

  it('at ten a day @F19', async () => {
    const person = await buyer();
    await raiseThreshold(person);
    for (let i = 0; i < 10; i++) {
      await cross(person);
      await fixture.age(person, '100 minutes');
    }
    expect(await countPaid(person)).toBe(10);
    await cross(person);
    expect(await fixture.state(person)).toMatchObject({ enabled: false, mails: ['reload_capped'] });
    expect(await countPaid(person)).toBe(10);
    expect(await fetchPreferences(person)).toMatchObject({ auto_reload_stopped_reason: 'daily_cap' });
  });

  it('at the daily limit of the account @F19', async () => {
    const person = await buyer();
    const json = { autoReloadDailyLimit: 4 };
    await fixture.harness.request('PUT', '/v1/billing/preferences', { key: person.key, json });
    await raiseThreshold(person);
    for (let i = 0; i < 3; i++) await cross(person);
    expect(await countPaid(person)).toBe(2);
    expect(await fetchPreferences(person)).toMatchObject({
      autoReloadEnabled: false,
      auto_reload_stopped_reason: 'daily_limit',
    });
  });

  it('even after a person switches it on again: the next charge waits, without a second email @F19', async () => {
    const person = await buyer();
    await raiseThreshold(person);
    for (let i = 0; i < 4; i++) await cross(person);
    expect(await fixture.state(person)).toMatchObject({ enabled: false, stopped: true });
    const json = { autoReloadEnabled: true, autoReloadThreshold: 2 };
    const on = await fixture.harness.request('PUT', '/v1/billing/preferences', { key: person.key, json });
    expect(on.body).toMatchObject({ autoReloadEnabled: true, auto_reload_stopped_at: null });
    await raiseThreshold(person);
    await cross(person);
    expect(await fixture.state(person)).toMatchObject({ enabled: true, wanted: true, waits: true });
    expect(await countPaid(person)).toBe(3);
    await fixture.age(person, '1 hour');
    await fixture.passTime();
    await fixture.run();
    expect(await countPaid(person)).toBe(4);
    expect((await fixture.state(person)).mails).toEqual(['reload_capped']);
  });

  it('by charges only: a decline counts towards the declines instead', async () => {
    const person = await buyer();
    await raiseThreshold(person);
    for (let i = 0; i < 2; i++) {
      fixture.payments.outcomes.push({ declined: 'insufficient_funds' });
      await cross(person);
      await fixture.passTime();
      await fixture.run();
    }
    await cross(person);
    expect(await fixture.state(person)).toMatchObject({ enabled: true, stopped: false });
    expect(await countPaid(person)).toBe(3);
  });
});
