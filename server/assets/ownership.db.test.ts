import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildForm, type ServedHarness, serveHarness, upload } from '@/test/support/asset-client';
import { BreakableStore } from '@/test/support/breakable-store';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import type { SessionActor } from '../core/trpc/actor';
import { claimAccount } from '../lifecycle/claim-account';
import { deleteAccount } from '../lifecycle/delete-account';
import { previewClaimForViewer } from '../lifecycle/preview-claim';
import { sweep } from '../operations/retention/sweep';
import { deleteAsset } from './delete-asset';
import { listAssets } from './list-assets';

const MIB = 1024 * 1024;
const store = new BreakableStore();
let harness: Harness;
let served: ServedHarness;
beforeAll(async () => {
  harness = await startHarness({
    ports: { blob: store },
    role: 'command',
    env: {
      PUBLIC_ASSETS_PER_MINUTE: '100000',
      ASSET_QUOTA_MIB: '30',
      PROVISION_PER_HOUR: '100',
      PROVISION_PER_DAY: '100',
    },
  });
  served = await serveHarness(harness);
});
afterAll(async () => {
  served.close();
  await harness.close();
});

const put = (key: string, size: number, headers: Record<string, string> = {}) =>
  upload(served.onNode, key, buildForm(new Uint8Array(Math.ceil(size))), headers);
const putId = async (key: string, size = 5) => (await (await put(key, size)).json()).asset_id as string;
/** Fills the quota by one row: uploads of this size take long on a busy machine. */
const fill = async (key: string, mib: number) => {
  const id = await putId(key);
  await harness.runtime.sql`update assets set size_bytes = ${mib * MIB} where id = ${id}`;
};
const provision = async () => (await harness.request('POST', '/v1/auth/provision')).body;
const session = (person: { userId: string; accountId: string }): SessionActor => ({
  kind: 'session',
  ...person,
  accountType: 'personal',
  accountFrozen: false,
  sessionId: 's',
});
const findAccountId = async (id: string) => {
  const [row] = await harness.runtime.db.execute<{ account_id: string }>(
    sql`select account_id from assets where id = ${id} and deleted_at is null`,
  );
  return row?.account_id;
};

describe('the storage quota', () => {
  it('limits an unclaimed account to 20 MiB, then returns its claim URL @B12 @C6', async () => {
    const { api_key: key } = await provision();
    await fill(key, 19);
    const refused = await put(key, 1.2 * MIB);
    expect([refused.status, (await refused.json()).error]).toMatchObject([
      403,
      { code: 'CLAIM_REQUIRED', claim_url: expect.stringContaining('/claim?token='), limit: 'quota' },
    ]);
    expect((await put(key, MIB)).status).toBe(200);
    expect((await put(key, 1)).status).toBe(403);
  });

  it('gives a claimed account its own quota, and reports what is free', async () => {
    const { key, accountId } = await harness.person();
    await fill(key, 28);
    expect((await put(key, MIB)).status).toBe(200);
    const refused = await put(key, 1.2 * MIB);
    expect([refused.status, (await refused.json()).error]).toMatchObject([
      413,
      { code: 'PAYLOAD_TOO_LARGE', limit: 'quota', message: expect.stringContaining('at most 1 MiB') },
    ]);
    const { assets } = await listAssets(harness.runtime, createSessionActor({ userId: 'owner', accountId }), {
      limit: 10,
    });
    await deleteAsset(
      harness.runtime,
      createSessionActor({ userId: 'owner', accountId }),
      assets[0]?.asset_id ?? '',
    );
    expect((await put(key, 1.2 * MIB)).status).toBe(200);
  });

  it('is not exceeded by concurrent uploads @C6', async () => {
    const { key, accountId } = await harness.person();
    await fill(key, 27);
    const answers = await Promise.all(Array.from({ length: 8 }, () => put(key, 0.7 * MIB)));
    const stored = answers.filter(({ status }) => status === 200).length;
    expect(stored).toBeGreaterThan(0);
    expect(answers.every(({ status }) => status === 200 || status === 413)).toBe(true);
    const [row] = await harness.runtime.db.execute<{ bytes: string }>(
      sql`select sum(size_bytes)::text as bytes from assets where account_id = ${accountId}`,
    );
    expect(Number(row?.bytes)).toBe(27 * MIB + stored * Math.ceil(0.7 * MIB));
    expect(Number(row?.bytes)).toBeLessThanOrEqual(30 * MIB);
  });

  it('does not let a frozen account store files', async () => {
    const { key, accountId } = await harness.person();
    await harness.runtime.db.execute(sql`update accounts set frozen_at = now() where id = ${accountId}`);
    const refused = await put(key, 1);
    expect([refused.status, (await refused.json()).error.code]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('an Idempotency-Key', () => {
  const file = (text: string, name = 'a.txt') => buildForm(text, { name });

  it('returns the same asset for the same file, and refuses another file', async () => {
    const { key, accountId } = await harness.person();
    const headers = { 'idempotency-key': 'one' };
    const first = await upload(served.onNode, key, file('same'), headers);
    const again = await upload(served.onNode, key, file('same'), headers);
    const result = await first.json();
    expect([again.status, again.headers.get('idempotent-replayed'), await again.json()]).toEqual([
      200,
      'true',
      result,
    ]);
    for (const other of [file('other'), file('same', 'b.txt')]) {
      const refused = await upload(served.onNode, key, other, headers);
      expect([refused.status, (await refused.json()).error.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    }
    const { assets } = await listAssets(harness.runtime, createSessionActor({ userId: 'owner', accountId }), {
      limit: 10,
    });
    expect(assets.map(({ asset_id: id }) => id)).toEqual([result.asset_id]);
    const kept = (await store.keys()).filter((stored) => stored.includes(result.asset_id));
    expect(kept).toHaveLength(1);
  });

  it('creates one asset for concurrent identical uploads, and leaves no other bytes', async () => {
    const { key, accountId } = await harness.person();
    const before = (await store.keys()).length;
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const answer = await upload(served.onNode, key, file('at once'), { 'idempotency-key': 'many' });
        return { status: answer.status, id: (await answer.json()).asset_id };
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    const { assets } = await listAssets(harness.runtime, createSessionActor({ userId: 'owner', accountId }), {
      limit: 100,
    });
    expect(assets).toHaveLength(1);
    expect((await store.keys()).length - before).toBe(1);
  });

  it('replays the upload that filled the quota', async () => {
    const { key } = await harness.person();
    const headers = { 'idempotency-key': 'full' };
    await fill(key, 29);
    const first = await (await put(key, MIB, headers)).json();
    expect((await put(key, 1)).status).toBe(413);
    expect(await (await put(key, MIB, headers)).json()).toEqual(first);
  });

  it('can be reused after a refused upload', async () => {
    const { key } = await harness.person();
    const headers = { 'idempotency-key': 'again' };
    store.broken.add('put');
    expect((await upload(served.onNode, key, file('x'), headers)).status).toBe(503);
    store.broken.clear();
    const answer = await upload(served.onNode, key, file('x'), headers);
    expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, null]);
  });

  it('is 400 if malformed', async () => {
    const { key } = await harness.person();
    expect((await upload(served.onNode, key, file('x'), { 'idempotency-key': '' })).status).toBe(400);
  });
});

describe('ownership of files', () => {
  it('a claim shows the number of files and moves them', async () => {
    const { api_key: key, account_id: from, claim_url: claimUrl } = await provision();
    const id = await putId(key);
    const token = new URL(claimUrl).searchParams.get('token') as string;
    const context = { runtime: harness.runtime, credentials: { kind: 'none' } } as Parameters<
      typeof previewClaimForViewer
    >[0];
    expect(await previewClaimForViewer(context, token)).toMatchObject({ state: 'open', assets: 1 });
    expect(await findAccountId(id)).toBe(from);
    const person = await harness.person();
    await claimAccount(
      { runtime: harness.runtime, actor: session(person), clientIp: '127.0.0.1' },
      { token },
    );
    expect(await findAccountId(id)).toBe(person.accountId);
    expect((await served.onNode(`/v1/assets/${id}`)).status).toBe(200);
    expect((await put(key, 21 * MIB)).status).toBe(200);
  });

  it('lists only the files of the account, by page, newest first', async () => {
    const { key, accountId } = await harness.person();
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push(await putId(key));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listAssets(harness.runtime, createSessionActor({ userId: 'owner', accountId }), {
        limit: 2,
        cursor,
      });
      seen.push(...page.assets.map(({ asset_id: id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual([...ids].sort().reverse());
    await expect(
      listAssets(harness.runtime, createSessionActor({ userId: 'owner', accountId }), {
        limit: 2,
        cursor: "'; drop",
      }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('an account cannot delete files of another', async () => {
    const owner = await harness.person();
    const other = await harness.person();
    const id = await putId(owner.key);
    await expect(deleteAsset(harness.runtime, createSessionActor(other), id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await deleteAsset(harness.runtime, createSessionActor(owner), id);
    expect((await served.onNode(`/v1/assets/${id}`)).status).toBe(404);
    expect((await store.keys()).filter((key) => key.includes(id))).toEqual([]);
  });

  it('the files of a deleted account are hidden at once, and the sweep removes their bytes', async () => {
    const person = await harness.person();
    const id = await putId(person.key);
    await deleteAccount(harness.runtime, session(person));
    expect((await served.onNode(`/v1/assets/${id}`)).status).toBe(404);
    await sweep(harness.runtime);
    expect((await store.keys()).filter((key) => key.includes(id))).toEqual([]);
  });

  it('an unclaimed account is removed with its files, but not while they are new', async () => {
    const { api_key: key, account_id: accountId } = await provision();
    const id = await putId(key);
    const age = (table: 'accounts' | 'api_keys' | 'assets', column: 'id' | 'account_id') =>
      harness.runtime.db.execute(
        sql`update ${sql.raw(table)} set created_at = now() - interval '40 days' where ${sql.raw(column)} = ${accountId}`,
      );
    await age('accounts', 'id');
    await age('api_keys', 'account_id');
    await harness.runtime.db.execute(
      sql`update api_keys set last_used_at = null where account_id = ${accountId}`,
    );
    await sweep(harness.runtime);
    expect(await findAccountId(id)).toBe(accountId);
    await age('assets', 'account_id');
    const { removed } = await sweep(harness.runtime);
    expect(removed).toMatchObject({ unclaimedAccounts: 1, deletedAssets: 1 });
    expect(await findAccountId(id)).toBeUndefined();
    expect((await store.keys()).filter((stored) => stored.includes(id))).toEqual([]);
  });
});
