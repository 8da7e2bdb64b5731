import { messageContext, SEAL_MARK } from '../calls/contents/seal-message';
import type { Runtime } from '../core/runtime';
import {
  countSealedMessages,
  listMessagesSealedBefore,
  replaceSealedMessage,
  type SealedMessage,
} from './messages-store';

const BATCH = 200;

/** How many error messages of calls are sealed with each vault key. */
export async function countMessages(db: Runtime['db']): Promise<Map<string, number>> {
  return new Map((await countSealedMessages(db)).map(({ key_id: keyId, messages }) => [keyId, messages]));
}

/**
 * Reseals the error messages of calls that an old vault key has sealed.
 * @param reseal returns null for a value that it cannot open
 * @returns how many were resealed
 */
export async function resealMessages(
  { db, ports }: Pick<Runtime, 'db' | 'ports'>,
  reseal: (id: string, sealed: string, context: string) => string | null,
): Promise<number> {
  let resealed = 0;
  for (let after: SealedMessage | null = null; ; ) {
    const batch: SealedMessage[] = await listMessagesSealedBefore(db, ports.vault.keyId, after, BATCH);
    for (const row of batch) {
      const next = reseal(row.id, row.sealed.slice(SEAL_MARK.length), messageContext(row.id));
      if (next !== null && (await replaceSealedMessage(db, row, SEAL_MARK + next))) resealed++;
    }
    after = batch.at(-1) ?? null;
    if (batch.length < BATCH) return resealed;
  }
}
