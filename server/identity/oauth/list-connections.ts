import type { Runtime } from '../../core/runtime';
import type { SessionActor } from '../../core/trpc/actor';
import { usdFromMicrousd } from '../../kit/money';
import { documentHost } from './describe-client';
import { toPlace } from './redirect-uri';
import type { Connection } from './schema';
import { type ConnectionRow, listConnectionRows } from './store';

/** Lists the person's connected applications, newest first. */
export async function listConnections(
  { db }: Pick<Runtime, 'db'>,
  actor: SessionActor,
): Promise<{ connections: Connection[] }> {
  return { connections: (await listConnectionRows(db, actor.userId)).map(describe) };
}

function describe(row: ConnectionRow): Connection {
  const { creditsMicrousd: credits, creditsUsedMicrousd: used, creditsHeldMicrousd: held } = row;
  return {
    id: row.id,
    key_id: row.keyId,
    name: row.name,
    place: toPlace(row.redirectUri),
    document_host: documentHost(row.clientId, row.documentReadAt),
    connected_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    credits: credits === null ? null : usdFromMicrousd(credits - used - held),
    credits_used: usdFromMicrousd(used),
  };
}
