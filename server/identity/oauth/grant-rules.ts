/** A registered client is one installation: authorizing it again replaces its grant. */
const REGISTERED_GRANTS = 1;
/** A client with a metadata document has the same id on each of a person's machines. */
const DOCUMENT_GRANTS = 10;

/** Grants per person; bounds lists. */
export const MAX_GRANTS = 100;

/** Returns how many grants a person may have for the client; one more ends the oldest. */
export function getMaxGrants({ documentReadAt }: { documentReadAt: Date | null }): number {
  return documentReadAt === null ? REGISTERED_GRANTS : DOCUMENT_GRANTS;
}

/** Lifetime of an access token. */
export const ACCESS_SECONDS = 3600;
/** Lifetime of a refresh token: access ends after this time without a refresh. */
export const REFRESH_SECONDS = 30 * 24 * 3600;
