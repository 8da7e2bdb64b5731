import { GatewayError } from '../../core/errors/gateway-error';
import { takeFromWindow } from '../../core/limits/store';
import type { Runtime } from '../../core/runtime';
import { type DocumentFacts, isDocumentId, readDocument } from './client-document';
import { type ClientRow, findClientRow, upsertDocumentClient } from './store';

/** A document is asked for again after that long. */
const FRESH_MS = 3_600_000;
/** Where it cannot be had, what it said is believed that long. */
const STALE_MS = 24 * 3_600_000;
const MAX_DOCUMENT_BYTES = 16 * 1024;
const DOCUMENT_TIMEOUT_MS = 5_000;
/** Documents that one person may have read: each is a request of ours to wherever they say. */
const READS_PER_HOUR = 30;
const HOUR_SECONDS = 3600;

/** A client, or in words for a person why there is none. */
export type FoundClient = { client: ClientRow } | { problem: string };

/**
 * The application behind a client_id: as it registered, or as the document says that the id is the address of. Asked when a
 * signed-in person is to decide, so that strangers have nothing fetched.
 * @throws GatewayError RATE_LIMIT_EXCEEDED where the person has had too many documents read
 */
export async function findClient(runtime: Runtime, userId: string, clientId: string): Promise<FoundClient> {
  const known = await findClientRow(runtime.db, clientId);
  if (!isDocumentId(clientId))
    return known ? { client: known } : { problem: 'No application is registered under this client_id.' };
  const age = known?.documentReadAt
    ? runtime.ports.clock.now().getTime() - known.documentReadAt.getTime()
    : null;
  if (known && age !== null && age < FRESH_MS) return { client: known };
  await takeRead(runtime, userId);
  const read = await readClientDocument(runtime, clientId);
  if ('facts' in read) return { client: await upsertDocumentClient(runtime.db, read.facts) };
  if (known && age !== null && age < STALE_MS) return { client: known };
  return { problem: `The application’s document at ${clientId} cannot be used: ${read.problem}` };
}

async function readClientDocument(
  runtime: Runtime,
  address: string,
): Promise<{ facts: DocumentFacts } | { problem: string }> {
  try {
    return { facts: readDocument(address, await fetchDocument(runtime, address)) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'it could not be read' };
  }
}

/** By the fetch that tools are handed: only to the public internet, bounded; and, as the draft says, to that address alone. */
async function fetchDocument({ ports }: Runtime, address: string): Promise<string> {
  const response = await ports.outbound(address, {
    headers: { Accept: 'application/json' },
    redirect: 'error',
    maxBytes: MAX_DOCUMENT_BYTES,
    timeoutMs: DOCUMENT_TIMEOUT_MS,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`it was answered with status ${response.status}`);
  }
  return await response.text();
}

async function takeRead({ db }: Runtime, userId: string): Promise<void> {
  const window = { scope: 'oauth-document', subject: userId, quota: READS_PER_HOUR, seconds: HOUR_SECONDS };
  const { taken, resetSeconds } = await takeFromWindow(db, window);
  if (!taken)
    throw new GatewayError('RATE_LIMIT_EXCEEDED', {
      message: 'You have connected too many applications in a short time.',
      details: { limit: 'hour', retry_after: resetSeconds },
    });
}
