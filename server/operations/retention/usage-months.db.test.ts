import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '@/db/seed';
import { type Harness, startHarness } from '@/test/support/harness';
import { newId } from '../../kit/ids';

describe('monthly partitions of usage', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  const echo = (key: string) =>
    harness.request('POST', '/v1/tools/call', {
      key,
      json: { tool: 'diagnostics', skill: 'echo', input: { message: 'x' } },
    });
  const months = async () => {
    const rows = await harness.runtime.sql`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'usage_records'::regclass order by 1`;
    return rows.map(({ name }) => name);
  };
  const first = (ahead: number) => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)).toISOString().slice(0, 10);
  };
  const formatTableName = (ahead: number) => `usage_records_${first(ahead).slice(0, 7).replace('-', '_')}`;

  it('are created in advance, and only once by many processes', async () => {
    const { sql, settings } = harness.runtime;
    expect(await months()).toEqual([0, 1, 2, 3].map(formatTableName).concat('usage_records_default').sort());
    for (const ahead of [1, 2, 3]) await sql.unsafe(`drop table ${formatTableName(ahead)}`);
    await Promise.all(Array.from({ length: 6 }, () => seed(settings.databaseUrl)));
    expect(await months()).toEqual([0, 1, 2, 3].map(formatTableName).concat('usage_records_default').sort());
  });

  it('lose no record if one is missing: it goes to the default partition, and later months are created', async () => {
    const { sql, settings } = harness.runtime;
    const { key, accountId } = await harness.person();
    await sql.unsafe(`drop table ${formatTableName(0)}, ${formatTableName(3)}`);
    expect((await echo(key)).status).toBe(200);
    expect(await sql`select 1 from usage_records_default where account_id = ${accountId}`).toHaveLength(1);
    await seed(settings.databaseUrl);
    expect(await months()).toEqual([1, 2, 3].map(formatTableName).concat('usage_records_default').sort());
    expect((await harness.request('GET', '/v1/usage/history', { key })).body.records).toHaveLength(1);
    await sql`delete from usage_records_default`;
    await seed(settings.databaseUrl);
    expect(await months()).toContain(formatTableName(0));
  });

  it('are created later if that is not possible now, without delaying calls', async () => {
    const { sql, settings } = harness.runtime;
    const { key } = await harness.person();
    await sql.unsafe(`drop table ${formatTableName(3)}`);
    const reader = await sql.reserve();
    await reader`begin`;
    await reader`select * from usage_records`;
    await seed(settings.databaseUrl);
    expect(await months()).not.toContain(formatTableName(3));
    expect((await echo(key)).status).toBe(200);
    await reader`commit`;
    reader.release();
    await seed(settings.databaseUrl);
    expect(await months()).toContain(formatTableName(3));
  });

  it('form one history: a call closed twice is detected, and pages continue across months', async () => {
    const { sql, flush } = harness.runtime;
    const { key, keyId, accountId } = await harness.person(1_000_000n);
    const call = {
      id: newId('call'),
      keyId,
      accountId,
      billing: 'personal',
      tool: 'math',
      skill: 'evaluate',
      rulesVersion: 0,
    };
    await flush.admitCall({ ...call, hold: 10n, durable: false });
    const end = {
      id: call.id,
      keyId,
      success: true,
      markup: 10n,
      raw: 0n,
      byok: false,
      errorCode: null,
      response: null,
    };
    expect(await flush.endCall({ ...end, latencyMs: 1 })).toMatchObject({ state: 'closed' });
    expect(await flush.endCall({ ...end, latencyMs: 1 })).toEqual({
      state: 'success',
      available: 999_990n,
    });
    expect(await flush.endCall({ ...end, id: newId('call'), latencyMs: 1 })).toMatchObject({
      state: 'lost',
    });

    for (let i = 0; i < 6; i++) await echo(key);
    const ids = (await sql`select id from usage_records where account_id = ${accountId} order by id`).map(
      ({ id }) => id as string,
    );
    for (const [i, id] of ids.entries())
      await sql`update usage_records set created_at = created_at + make_interval(months => ${Math.floor(i / 3)}::int) where id = ${id}`;
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const at = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await harness.request('GET', `/v1/usage/history?limit=2${at}`, { key });
      seen.push(...body.records.map((row: { id: string }) => row.id));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual([...ids].reverse());
  });

  it("are the source of a tool's median", async () => {
    const { key } = await harness.person();
    await echo(key);
    await harness.runtime.sql`analyze usage_records`;
    harness.runtime.facts.invalidate();
    expect((await harness.runtime.facts.get('diagnostics')).stats.p50_ms).toBeTypeOf('number');
  });
});
