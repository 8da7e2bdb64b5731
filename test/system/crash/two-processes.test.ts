import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../fixtures/accounts';
import { type GatewayPair, startPair } from '../fixtures/gateway-pair';
import { findSecrets, sendSecrets } from '../fixtures/gateway-secrets';
import { testProcessPair } from '../fixtures/process-pair-suite';
import { saveResult } from '../fixtures/test-results';
import { WITHOUT_RECHECKS } from '../fixtures/without-rechecks';

let pair: GatewayPair;

beforeAll(async () => {
  pair = await startPair(WITHOUT_RECHECKS, { WAIT_SECONDS: '0.5' });
});

afterAll(async () => {
  saveResult('crash/first.log', pair.first.log());
  saveResult('crash/second.log', pair.second.log());
  await pair.stop();
});

testProcessPair(() => pair);

describe('secrets used with both processes', () => {
  let secrets: string[];

  beforeAll(async () => {
    const { first, second } = pair;
    const key = await createKey(first, 'secrets', 1);
    secrets = [...(await sendSecrets(first.baseUrl, key)), ...(await sendSecrets(second.baseUrl, key))];
  });

  test.each(['first', 'second'] as const)('are in no log, table or file of the %s process', async (name) => {
    expect(await findSecrets(pair[name], secrets)).toEqual([]);
  });
});
