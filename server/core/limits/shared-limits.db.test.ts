import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenChannel } from '../../testing/channels/channel';
import { cli } from '../../testing/channels/cli';
import { mcp } from '../../testing/channels/mcp';
import { batch, rest, stream } from '../../testing/channels/rest';
import { type Harness, startHarness } from '../../testing/harness';

const PER_MINUTE = 60;
const AT_ONCE = 5;
const ECHO = { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } };
const CHANNELS: Record<string, OpenChannel> = {
  rest,
  stream,
  batch,
  'mcp 2026-07-28': mcp('2026-07-28'),
  'mcp 2025-11-25': mcp('2025-11-25'),
  cli,
};

let first: Harness;
let second: Harness;
beforeAll(async () => {
  first = await startHarness({ listen: true });
  second = await startHarness({ beside: first });
});
afterAll(async () => {
  await second?.close();
  await first?.close();
});

const call = (harness: Harness, key: string) => harness.ask('POST', '/v1/tools/call', { key, json: ECHO });

/** So many calls, by each process in turn and never more at once than a key may. */
async function callInTurn(key: string, count: number): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - statuses.length) }, (_, i) =>
      call(i % 2 ? second : first, key),
    );
    statuses.push(...(await Promise.all(some)).map(({ status }) => status));
  }
  return statuses;
}
const started = (statuses: number[]) => statuses.filter((status) => status === 200).length;
const usedOf = async (keyId: string) => {
  const [row] = await first.runtime.sql`select minute_used from api_keys where id = ${keyId}`;
  return Number(row?.minute_used);
};

describe('one key has one minute', () => {
  it('whichever way its calls come: REST, events, batches, MCP and the command share it', {
    timeout: 120_000,
  }, async () => {
    const caller = await first.person();
    const opened = await Promise.all(
      Object.entries(CHANNELS).map(async ([name, open]) => ({ name, channel: await open(first, caller) })),
    );
    let used = 0;
    for (const { name, channel } of opened) {
      const before = await usedOf(caller.keyId);
      expect(before, name).toBe(used);
      for (let i = 0; i < 5; i++) expect(await channel.call(ECHO), name).toMatchObject({ result: {} });
      used += 5;
    }
    // Ten calls of one batch are ten.
    const ten = { calls: Array.from({ length: 10 }, () => ECHO) };
    expect((await first.ask('POST', '/v1/tools/batch', { key: caller.key, json: ten })).status).toBe(200);
    used += 10;
    expect(await usedOf(caller.keyId)).toBe(used);
    expect(started(await callInTurn(caller.key, 30))).toBe(PER_MINUTE - used);
    for (const { name, channel } of opened) {
      expect(await channel.call(ECHO), name).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } });
      await channel.close?.();
    }
    expect(await usedOf(caller.keyId)).toBe(PER_MINUTE);
  });

  it.each([
    '/V1/TOOLS/CALL',
    '/v1/Tools/call',
    '/v1/tools/call/',
    '//v1/tools/call',
    '/v1/tools/call%2f',
    '/v1/tools/%63all',
  ])('another spelling of the path, %s, is no way around it', async (path) => {
    const { key, keyId } = await first.person();
    await first.runtime
      .sql`update api_keys set minute_used = 60, minute_started_at = now() where id = ${keyId}`;
    const answer = await first.ask('POST', path, { key, json: ECHO });
    expect([404, 405, 429]).toContain(answer.status);
    expect(answer.text).not.toContain('"success"');
  });

  it('in two processes sixty start, not sixty each', async () => {
    const { key } = await first.person();
    expect(started(await callInTurn(key, 100))).toBe(PER_MINUTE);
  });
});

describe('at the edge of two minutes', () => {
  it('no window ever starts more than sixty, and two of them, as documented, not more than twice that', async () => {
    const { key, keyId } = await first.person();
    const { sql } = first.runtime;
    expect(started(await callInTurn(key, 70))).toBe(PER_MINUTE);
    // The window began with its first call, so it is over soon: the burst after it has sixty again.
    const [old] = await sql`update api_keys set minute_started_at = now() - interval '59.8 seconds'
      where id = ${keyId} returning minute_started_at`;
    let startedAfter = 0;
    while (startedAfter < PER_MINUTE) startedAfter += started(await callInTurn(key, AT_ONCE));
    startedAfter += started(await callInTurn(key, 2 * AT_ONCE));
    expect(startedAfter).toBe(PER_MINUTE);
    const refused = await call(first, key);
    expect(refused.body.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', limit: 'minute' });
    // The new one is anchored at its own first call, not at the clock's minute.
    const [window] =
      await sql`select minute_started_at - ${old?.minute_started_at}::timestamptz >= interval '60 seconds' as after,
      extract(epoch from clock_timestamp() - minute_started_at)::float8 as age from api_keys where id = ${keyId}`;
    expect(window?.after).toBe(true);
    expect(refused.body.error.retry_after).toBeGreaterThanOrEqual(Math.floor(60 - window?.age));
  });
});
