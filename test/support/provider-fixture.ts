import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { type FakeProvider, startFakeProvider } from './fake-provider';
import { type Answer, type Harness, startHarness } from './harness';
import { createProviderProbe, UNIT_COST, UNIT_FEE } from './provider-probe';
import { UNLIMITED_RATES } from './unlimited-rates';

/** Price of one unit in dollars with the platform's key; with BYOK 5%, rounded up. */
export const FULL_USD = Number(UNIT_FEE + UNIT_COST) / 1e6;
export const SHARE_USD = 56 / 1e6;

/** The platform's key; it has one for Anthropic only. */
export const PLATFORM_KEY = `sk-test-secret-platform-${randomBytes(8).toString('hex')}`;

/** A gateway with the provider probe and two fake providers. */
export interface ProviderFixture {
  harness: Harness;
  openai: FakeProvider;
  anthropic: FakeProvider;
  /** Calls the provider probe. */
  call(key: string, input: object, headers?: Record<string, string>, more?: object): Promise<Answer>;
  save(key: string, slot: string, value: string, label?: string): Promise<void>;
  getBalance(key: string): Promise<number>;
  /** Clears the recorded requests and rejected keys of the fake providers. */
  reset(): void;
  close(): Promise<void>;
}

/** Creates a new provider key. */
export function newSecret(): string {
  return `sk-test-secret-${randomBytes(12).toString('hex')}`;
}

/** Starts the fixture; call `close` in afterAll. */
export async function startProviderFixture(env: Record<string, string> = {}): Promise<ProviderFixture> {
  const openai: FakeProvider = await startFakeProvider(() => `${anthropic.baseUrl}/v1/stolen`);
  const anthropic = await startFakeProvider(() => `${openai.baseUrl}/v1/stolen`);
  const harness = await startHarness({
    tools: [createProviderProbe()],
    env: {
      ...UNLIMITED_RATES,
      OPENAI_BASE_URL: openai.baseUrl,
      ANTHROPIC_BASE_URL: anthropic.baseUrl,
      ANTHROPIC_API_KEY: PLATFORM_KEY,
      ...env,
    },
  });
  return {
    harness,
    openai,
    anthropic,
    call: (key, input, headers = {}, more = {}) =>
      harness.request('POST', '/v1/tools/call', {
        key,
        json: { tool: 'provider-probe', skill: 'ask', input, ...more },
        headers,
      }),
    async save(key, slot, value, label) {
      const json = { value, label };
      const saved = await harness.request('PUT', `/v1/account/requirements/${slot}`, { key, json });
      expect(saved.status).toBe(200);
    },
    getBalance: async (key) =>
      (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd,
    reset() {
      for (const provider of [openai, anthropic]) {
        provider.received.length = 0;
        provider.rejectedKeys.clear();
      }
    },
    async close() {
      await harness.close();
      await Promise.all([openai.close(), anthropic.close()]);
    },
  };
}
