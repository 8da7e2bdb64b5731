import { toPlace } from './redirect-uri';
import type { Application } from './schema';
import type { ClientRow } from './store';

/**
 * Describes an application on the consent page: its own claims and what the gateway has verified.
 */
export function describeClient(client: ClientRow, redirectUri: string): Application {
  return {
    name: client.name,
    uri: client.uri,
    place: toPlace(redirectUri),
    document_host: documentHost(client.id, client.documentReadAt),
  };
}

/** Returns the host of the client's metadata document; null for a registered client. */
export function documentHost(clientId: string, documentReadAt: Date | null): string | null {
  return documentReadAt === null ? null : new URL(clientId).host;
}
