import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenChannel } from '@/test/support/channels/channel';
import { cli } from '@/test/support/channels/cli';
import { mcp } from '@/test/support/channels/mcp';
import { batch, rest, stream } from '@/test/support/channels/rest';
import { type Harness, startHarness } from '@/test/support/harness';

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
  first = await startHarness({ role: 'web', listen: true });
  second = await startHarness({ role: 'web', peer: first });
});
afterAll(async () => {
  await second?.close();
  await first?.close();
});

const call = (harness: Harness, key: string) =>
  harness.request('POST', '/v1/tools/call', { key, json: ECHO });

/** Sends that many calls, alternating between processes, within the concurrency limit. */
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
const readUsed = async (keyId: string) => {
  const [row] = await first.runtime
    .sql`select coalesce(window_used[1], 0) as minute_used from api_keys where id = ${keyId}`;
  return Number(row?.minute_used);
};

describe('one key has one minute', () => {
  it('shared by REST, streams, batches, MCP and the CLI @E1', {
    timeout: 120_000,
  }, async () => {
    const caller = await first.person();
    const opened = await Promise.all(
      Object.entries(CHANNELS).map(async ([name, open]) => ({ name, channel: await open(first, caller) })),
    );
    let used = 0;
    for (const { name, channel } of opened) {
      const before = await readUsed(caller.keyId);
      expect(before, name).toBe(used);
      for (let i = 0; i < 5; i++) expect(await channel.call(ECHO), name).toMatchObject({ result: {} });
      used += 5;
    }
    // A batch of ten counts as ten calls.
    const ten = { calls: Array.from({ length: 10 }, () => ECHO) };
    expect((await first.request('POST', '/v1/tools/batch', { key: caller.key, json: ten })).status).toBe(200);
    used += 10;
    expect(await readUsed(caller.keyId)).toBe(used);
    expect(started(await callInTurn(caller.key, 30))).toBe(PER_MINUTE - used);
    for (const { name, channel } of opened) {
      expect(await channel.call(ECHO), name).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } });
      await channel.close?.();
    }
    expect(await readUsed(caller.keyId)).toBe(PER_MINUTE);
  });

  it.each([
    '/V1/TOOLS/CALL',
    '/v1/Tools/call',
    '/v1/tools/call/',
    '//v1/tools/call',
    '/v1/tools/call%2f',
    '/v1/tools/%63all',
  ])('not circumvented by another spelling of the path: %s @E1', async (path) => {
    const { key, keyId } = await first.person();
    await first.runtime
      .sql`update api_keys set window_used[1] = 60, window_started_at[1] = now() where id = ${keyId}`;
    const answer = await first.request('POST', path, { key, json: ECHO });
    expect([404, 405, 429]).toContain(answer.status);
    expect(answer.text).not.toContain('"success"');
  });

  it('shared by two processes: sixty calls start in total @E3', async () => {
    const { key } = await first.person();
    expect(started(await callInTurn(key, 100))).toBe(PER_MINUTE);
  });
});

describe('at the edge of two minutes', () => {
  it('starts at most sixty calls per window, and at most twice that across two, as documented @E2', async () => {
    const { key, keyId } = await first.person();
    const { sql } = first.runtime;
    expect(started(await callInTurn(key, 70))).toBe(PER_MINUTE);
    // The window started with its first call, so it ends soon; the next burst has sixty again.
    const [old] = await sql`update api_keys set window_started_at[1] = now() - interval '59.8 seconds'
      where id = ${keyId} returning window_started_at[1] as minute_started_at`;
    let startedAfter = 0;
    while (startedAfter < PER_MINUTE) startedAfter += started(await callInTurn(key, AT_ONCE));
    startedAfter += started(await callInTurn(key, 2 * AT_ONCE));
    expect(startedAfter).toBe(PER_MINUTE);
    const refused = await call(first, key);
    expect(refused.body.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', limit: 'minute' });
    // The new window starts at its own first call, not at a minute of the clock.
    const [window] =
      await sql`select window_started_at[1] - ${old?.minute_started_at}::timestamptz >= interval '60 seconds' as after,
      extract(epoch from clock_timestamp() - window_started_at[1])::float8 as age from api_keys where id = ${keyId}`;
    expect(window?.after).toBe(true);
    expect(refused.body.error.retry_after).toBeGreaterThanOrEqual(Math.floor(60 - window?.age));
  });
});
