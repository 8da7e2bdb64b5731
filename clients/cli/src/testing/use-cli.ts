import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Harness, startHarness } from '@/server/testing/harness';
import { type Desk, openDesk } from './type-command.js';

const CREDIT = 1_000_000n;

/** What tests of the command have: a gateway, keys with and without credit as the environment gives them, and a desk. */
interface CliWorld {
  gateway: Harness;
  withKey: Record<string, string>;
  poor: Record<string, string>;
  desk: Desk;
}

/** One gateway a file, and a desk of its own for each test. @param take is handed them before each test */
export function useCli(take: (world: CliWorld) => void): void {
  let made: Omit<CliWorld, 'desk'>;
  let desk: Desk;
  beforeAll(async () => {
    const gateway = await startHarness({
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
    desk = await openDesk({ TOOL_GATEWAY_URL: made.gateway.baseUrl });
    take({ ...made, desk });
  });
  afterEach(() => desk?.leave());
}
