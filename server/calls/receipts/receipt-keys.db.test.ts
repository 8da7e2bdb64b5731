import { compactVerify, createLocalJWKSet } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { rotateVault } from '../../operations/vault/rotate-vault';
import { listReceiptKeys } from './get-receipt';
import { ReceiptSigner } from './receipt-signer';
import type { ReceiptClaims } from './schema';

const OLD_KEY = Buffer.alloc(32, 1).toString('base64');
const NEW_KEY = Buffer.alloc(32, 2).toString('base64');

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', env: { VAULT_KEY: OLD_KEY, VAULT_KEY_ID: 'k1' } });
});
afterAll(() => harness.close());

const claims = { jti: 'call_test' } as ReceiptClaims;
const newProcess = (env: Record<string, string>) => startHarness({ peer: harness, env, role: 'command' });
const rows = () =>
  harness.runtime.sql`select kid, vault_key_id, sealed, retired_at from receipt_keys order by created_at`;

async function isVerified(receipt: string): Promise<boolean> {
  const keys = createLocalJWKSet(await listReceiptKeys(harness.runtime));
  return await compactVerify(receipt, keys).then(
    () => true,
    () => false,
  );
}

describe('the signing key', () => {
  it('is one, also if many processes need the first one at once @F21', async () => {
    const { db, ports } = harness.runtime;
    const signers = Array.from({ length: 12 }, () => new ReceiptSigner({ db, vault: ports.vault }));
    const kids = await Promise.all(signers.map(async (signer) => (await signer.current()).kid));
    expect(new Set(kids).size).toBe(1);
    expect(await rows()).toHaveLength(1);
  });

  it('survives a restart, and is resealed when the vault key is rotated', async () => {
    const receipt = await harness.runtime.receiptSigner.sign(claims);
    const { kid } = await harness.runtime.receiptSigner.current();
    const both = { VAULT_KEY: NEW_KEY, VAULT_KEY_ID: 'k2', VAULT_KEYS_OLD: `k1:${OLD_KEY}` };
    const rotating = await newProcess(both);
    expect(await rotateVault(rotating.runtime)).toMatchObject({ resealed: 1, missing: {}, broken: [] });
    await rotating.close();
    const rotated = await newProcess({ VAULT_KEY: NEW_KEY, VAULT_KEY_ID: 'k2' });
    expect((await rotated.runtime.receiptSigner.current()).kid).toBe(kid);
    expect([
      await isVerified(receipt),
      await isVerified(await rotated.runtime.receiptSigner.sign(claims)),
    ]).toEqual([true, true]);
    await rotated.close();
    expect(await rows()).toMatchObject([{ kid, vault_key_id: 'k2' }]);
  });

  it('is never stored in plain text @F21', async () => {
    for (const { sealed } of await rows()) expect(sealed).toMatch(/^v1\.k2\./);
  });

  it('is replaced if the vault key was lost, and receipts of the lost key can still be verified', async () => {
    const before = await newProcess({ VAULT_KEY: NEW_KEY, VAULT_KEY_ID: 'k2' });
    const receipt = await before.runtime.receiptSigner.sign(claims);
    await before.close();
    const lost = await newProcess({ VAULT_KEY: OLD_KEY, VAULT_KEY_ID: 'k3' });
    const next = await lost.runtime.receiptSigner.sign(claims);
    expect(await rows()).toHaveLength(2);
    expect([await isVerified(receipt), await isVerified(next)]).toEqual([true, true]);
    await lost.close();
  });

  it('can be replaced by the operator: its private part is deleted, its receipts stay valid', async () => {
    const signer = new ReceiptSigner({ db: harness.runtime.db, vault: harness.runtime.ports.vault });
    const receipt = await signer.sign(claims);
    const { kid, retired } = await signer.replaceKey();
    expect(retired).toBeGreaterThan(0);
    const next = await signer.sign(claims);
    expect([await isVerified(receipt), await isVerified(next)]).toEqual([true, true]);
    const all = await rows();
    expect(all.filter(({ retired_at }) => retired_at === null).map((row) => row.kid)).toEqual([kid]);
    for (const { sealed, retired_at } of all) expect(sealed === null).toBe(retired_at !== null);
  });
});
