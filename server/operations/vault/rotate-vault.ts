import { resealContents } from '../../calls/contents/reseal-contents';
import { countSealedContents } from '../../calls/contents/store';
import { receiptKeyContext } from '../../calls/receipts/receipt-signer';
import { countSealedKeys, listKeysSealedBefore, replaceSealedKey } from '../../calls/receipts/store';
import { queuedContext, savedContext } from '../../catalog/credentials/seal-context';
import {
  countSealed,
  listQueuedSealedBefore,
  listSealedBefore,
  replaceQueuedSealed,
  replaceSealed,
} from '../../catalog/credentials/store';
import { listToolSecretsBefore, replaceToolSecret } from '../../catalog/imports/reseal-secrets';
import type { Runtime } from '../../core/runtime';
import { countFactors, resealFactors } from '../../identity/factor/reseal-factors';
import { listSealedPayments, replaceSealedPayment } from '../../money/top-ups/store';
import { paymentSealContext } from '../../money/top-ups/topup';
import { countWebhookSecrets, resealWebhookSecrets } from '../../notifications/webhooks/reseal-secrets';
import { VaultKeyMissing } from '../../platform/ports/ports';
import { countMessages, resealMessages } from '../../usage/reseal-messages';

const BATCH = 200;

/** How many values are sealed under one vault key. */
export interface VaultKeyStatus {
  id: string;
  /** Whether the key is configured. */
  present: boolean;
  /** Whether it seals new values. */
  current: boolean;
  saved: number;
  queued: number;
  /** Keys that sign receipts. */
  signing: number;
  webhooks: number;
  /** Contents of calls. */
  contents: number;
  /** Error messages of calls. */
  messages: number;
  /** Secrets of second factors. */
  factors: number;
}

/** Every vault key that is configured or needed, with the number of values sealed under it. */
export async function getVaultStatus(
  runtime: Pick<Runtime, 'db' | 'ports' | 'sql'>,
): Promise<VaultKeyStatus[]> {
  const { keyId, keyIds } = runtime.ports.vault;
  const counts = new Map((await countSealed(runtime.sql)).map((count) => [count.keyId, count]));
  const signing = new Map((await countSealedKeys(runtime.db)).map((count) => [count.keyId, count.signing]));
  const webhooks = await countWebhookSecrets(runtime.db);
  const contents = new Map(
    (await countSealedContents(runtime.db)).map((count) => [count.keyId, count.contents]),
  );
  const messages = await countMessages(runtime.db);
  const factors = await countFactors(runtime);
  const needed = [...counts, ...signing, ...webhooks, ...contents, ...messages, ...factors].map(([id]) => id);
  return [...new Set([...keyIds, ...needed])].sort().map((id) => {
    const { saved = 0, queued = 0 } = counts.get(id) ?? {};
    const state = { id, present: keyIds.includes(id), current: id === keyId };
    return {
      ...state,
      saved,
      queued,
      signing: signing.get(id) ?? 0,
      webhooks: webhooks.get(id) ?? 0,
      contents: contents.get(id) ?? 0,
      messages: messages.get(id) ?? 0,
      factors: factors.get(id) ?? 0,
    };
  });
}

/** The result of a rotation. */
export interface Rotation {
  resealed: number;
  /** Counts of values sealed under keys that are not configured, by key id. */
  missing: Record<string, number>;
  /** Values that cannot be opened: changed, or moved from another row. */
  broken: string[];
}

/**
 * Reseals every value that an old key has sealed. It can be repeated, and run while the gateway
 * runs: values that are replaced or removed at the same time are left alone.
 */
export async function rotateVault(runtime: Pick<Runtime, 'db' | 'ports' | 'sql'>): Promise<Rotation> {
  const { sql, db, ports } = runtime;
  const { keyId } = ports.vault;
  const rotation: Rotation = { resealed: 0, missing: {}, broken: [] };
  for (const value of await listToolSecretsBefore(runtime, keyId)) {
    const sealed = reseal(runtime, rotation, `${value.tool} ${value.slot}`, value.sealed, value.context);
    if (sealed && (await replaceToolSecret(runtime, value, sealed))) rotation.resealed++;
  }
  for (const value of await listKeysSealedBefore(db, keyId)) {
    const sealed = reseal(runtime, rotation, value.kid, value.sealed, receiptKeyContext(value.kid));
    if (sealed && (await replaceSealedKey(db, value, { sealed, vaultKeyId: keyId }))) rotation.resealed++;
  }
  await processInIdOrder(
    (after) => listSealedBefore(sql, keyId, after, BATCH),
    ({ id }) => id,
    async (value) => {
      const sealed = reseal(runtime, rotation, value.id, value.sealed, savedContext(value));
      if (sealed && (await replaceSealed(sql, value, { sealed, vaultKeyId: keyId }))) rotation.resealed++;
    },
  );
  await processInIdOrder(
    (after) => listQueuedSealedBefore(sql, keyId, after, BATCH),
    ({ callId }) => callId,
    async (value) => {
      const sealed = reseal(runtime, rotation, value.callId, value.sealed, queuedContext(value.callId));
      if (sealed && (await replaceQueuedSealed(sql, value, sealed))) rotation.resealed++;
    },
  );
  rotation.resealed += await resealFactors(runtime, (id, sealed, context) =>
    reseal(runtime, rotation, id, sealed, context),
  );
  await resealWebhookSecrets(runtime, (id, sealed, context) => {
    const next = reseal(runtime, rotation, id, sealed, context);
    if (next !== null) rotation.resealed++;
    return next;
  });
  await processInIdOrder(
    (after) => listSealedPayments(db, keyId, after, BATCH),
    ({ id }) => id,
    async (value) => {
      const sealed = reseal(runtime, rotation, value.id, value.sealed, paymentSealContext(value));
      if (sealed && (await replaceSealedPayment(db, value, sealed))) rotation.resealed++;
    },
  );
  for (const resealAll of [resealContents, resealMessages])
    rotation.resealed += await resealAll(runtime, (id, sealed, context) =>
      reseal(runtime, rotation, id, sealed, context),
    );
  return rotation;
}

/** Pages by id, so that values that cannot be resealed are not read again. */
async function processInIdOrder<T>(
  list: (afterId: string) => Promise<T[]>,
  getId: (value: T) => string,
  act: (value: T) => Promise<void>,
): Promise<void> {
  let after = '';
  for (;;) {
    const batch = await list(after);
    for (const value of batch) await act(value);
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return;
    after = getId(last);
  }
}

function reseal(
  { ports: { vault } }: Pick<Runtime, 'ports'>,
  rotation: Rotation,
  id: string,
  sealed: string,
  context: string,
): string | null {
  try {
    return vault.seal(vault.open(sealed, context), context);
  } catch (error) {
    if (error instanceof VaultKeyMissing) {
      const keyId = sealed.split('.')[1] ?? '';
      rotation.missing[keyId] = (rotation.missing[keyId] ?? 0) + 1;
    } else rotation.broken.push(id);
    return null;
  }
}
