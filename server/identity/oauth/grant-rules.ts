/** An application that registers does so for each place it is installed at: asked again, it is the same place. */
const REGISTERED_GRANTS = 1;
/** One that is known by a document is the same client on every machine of a person. */
const DOCUMENT_GRANTS = 10;

/** Applications that a person can have let in at once: enough for any honest use, and lists stay bounded. */
export const MAX_GRANTS = 100;

/** How often a person can have let the client in at once; one more ends the oldest. */
export function mostGrantsOf({ documentReadAt }: { documentReadAt: Date | null }): number {
  return documentReadAt === null ? REGISTERED_GRANTS : DOCUMENT_GRANTS;
}

/** From then on an application asks for another with its refresh token. */
export const ACCESS_SECONDS = 3600;
/** Without a refresh for so long, access ends by itself. */
export const REFRESH_SECONDS = 30 * 24 * 3600;
