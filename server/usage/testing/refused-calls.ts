import { expect } from 'vitest';
import type { Harness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { getBlockedKeys, getRefusalReport } from '../get-refusals';

export type Person = Awaited<ReturnType<Harness['person']>>;

/** The address of the client of refused calls. */
export const IP = '203.0.113.7';
export const SPEND = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25 } };
export const ECHO = { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } };

/** Sends a call that is refused, and returns its code. */
export async function refuse(harness: Harness, key: string, json: object): Promise<string> {
  const { status, body } = await harness.request('POST', '/v1/tools/call', { key, json, ip: IP });
  expect(status).toBeGreaterThanOrEqual(400);
  await harness.runtime.refusals.flush();
  return body.error.code;
}

/** The report that a person gets in the browser. */
export const report = (harness: Harness, person: Person, billing?: string) =>
  getRefusalReport(harness.runtime, createSessionActor(person), { billing, period: '24h' });

export const listReasons = async (harness: Harness, person: Person) =>
  (await report(harness, person)).by_reason.map(({ key_id, error_code, limit, tool, refused, in_force }) => ({
    ...{ key_id, error_code, limit, tool, refused, in_force: in_force !== null },
  }));

export const listBlocked = async (harness: Harness, person: Person, billing?: string) =>
  (await getBlockedKeys(harness.runtime, createSessionActor(person), billing)).keys;
