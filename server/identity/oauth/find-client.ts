import { GatewayError } from '../../core/errors/gateway-error';
import { takeFromWindow } from '../../core/limits/store';
import type { Runtime } from '../../core/runtime';
import { type DocumentFacts, isDocumentId, readDocument } from './client-document';
import { type ClientRow, findClientRow, upsertDocumentClient } from './store';

/** A stored document is fetched again after this time. */
const FRESH_MS = 3_600_000;
/** A stored document stays valid for this time while fetching it fails. */
const STALE_MS = 24 * 3_600_000;
const MAX_DOCUMENT_BYTES = 16 * 1024;
const DOCUMENT_TIMEOUT_MS = 5_000;
/** Fetches per person: each is a request from our server to an address of their choice. */
const READS_PER_HOUR = 30;
const HOUR_SECONDS = 3600;

/** A client, or the reason for the person why there is none. */
export type FoundClient = { client: ClientRow } | { problem: string };

/**
 * Finds the application of a client_id: a registered one, or the one described by the document at
 * that URL. Requires a signed-in person, so that anonymous requests cannot trigger fetches.
 * @throws GatewayError RATE_LIMIT_EXCEEDED after too many fetches for this person
 */
export async function findClient(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  userId: string,
  clientId: string,
): Promise<FoundClient> {
  const known = await findClientRow(runtime.db, clientId);
  if (!isDocumentId(clientId))
    return known ? { client: known } : { problem: 'No application is registered under this client_id.' };
  const age = known?.documentReadAt
    ? runtime.ports.clock.now().getTime() - known.documentReadAt.getTime()
    : null;
  if (known && age !== null && age < FRESH_MS) return { client: known };
  await consumeReadQuota(runtime, userId);
  const read = await readClientDocument(runtime, clientId);
  if ('facts' in read) return { client: await upsertDocumentClient(runtime.db, read.facts) };
  if (known && age !== null && age < STALE_MS) return { client: known };
  return { problem: `The application’s document at ${clientId} cannot be used: ${read.problem}` };
}

async function readClientDocument(
  runtime: Pick<Runtime, 'ports'>,
  address: string,
): Promise<{ facts: DocumentFacts } | { problem: string }> {
  try {
    return { facts: readDocument(address, await fetchDocument(runtime, address)) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'it could not be fetched' };
  }
}

/**
 * Uses the outbound fetch of tools: public internet only, with size and time limits. No redirects,
 * as the draft requires.
 */
async function fetchDocument({ ports }: Pick<Runtime, 'ports'>, address: string): Promise<string> {
  const response = await ports.outbound(address, {
    headers: { Accept: 'application/json' },
    redirect: 'error',
    maxBytes: MAX_DOCUMENT_BYTES,
    timeoutMs: DOCUMENT_TIMEOUT_MS,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the server returned status ${response.status}`);
  }
  return await response.text();
}

async function consumeReadQuota({ db }: Pick<Runtime, 'db'>, userId: string): Promise<void> {
  const window = { scope: 'oauth-document', subject: userId, quota: READS_PER_HOUR, seconds: HOUR_SECONDS };
  const { taken, resetSeconds } = await takeFromWindow(db, window);
  if (!taken)
    throw new GatewayError('RATE_LIMIT_EXCEEDED', {
      message: 'You have connected too many applications in a short time.',
      details: { limit: 'hour', retry_after: resetSeconds },
    });
}
