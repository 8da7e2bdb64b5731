import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { type CliSandbox, createCliSandbox } from './cli-sandbox.js';

const CREDIT = 1_000_000n;

/** A gateway, environments with a funded and an unfunded key, and a temporary home folder. */
interface CliFixture {
  gateway: Harness;
  withKey: Record<string, string>;
  poor: Record<string, string>;
  sandbox: CliSandbox;
}

/**
 * Starts one gateway per file and creates a home folder per test.
 * @param take receives the fixture before each test
 */
export function useCli(take: (fixture: CliFixture) => void): void {
  let made: Omit<CliFixture, 'sandbox'>;
  let sandbox: CliSandbox;
  beforeAll(async () => {
    const gateway = await startHarness({
      role: 'web',
      listen: true,
      env: { PROVISION_PER_HOUR: '100', PROVISION_PER_DAY: '100' },
    });
    made = {
      gateway,
      withKey: { TOOL_GATEWAY_KEY: (await gateway.person(CREDIT)).key },
      poor: { TOOL_GATEWAY_KEY: (await gateway.person()).key },
    };
  });
  afterAll(() => made?.gateway.close());
  beforeEach(async () => {
    sandbox = await createCliSandbox({ TOOL_GATEWAY_URL: made.gateway.baseUrl });
    take({ ...made, sandbox });
  });
  afterEach(() => sandbox?.remove());
}
