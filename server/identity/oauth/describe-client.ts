import { placeOf } from './redirect-uri';
import type { Application } from './schema';
import type { ClientRow } from './store';

/** An application as a person is shown it: what it says of itself, and what is known. */
export function describeClient(client: ClientRow, redirectUri: string): Application {
  return {
    name: client.name,
    uri: client.uri,
    place: placeOf(redirectUri),
    document_host: documentHost(client.id, client.documentReadAt),
  };
}

/** Of the document that the application is known by; null where it registered. */
export function documentHost(clientId: string, documentReadAt: Date | null): string | null {
  return documentReadAt === null ? null : new URL(clientId).host;
}
