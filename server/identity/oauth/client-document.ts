import { z } from 'zod';
import { parseJson } from '../../kit/parse-json';
import { cleanClientName } from './client-name';
import { readHomePage } from './home-page';
import { findRedirectProblem } from './redirect-uri';

/** Characters of a client_id that is a URL. */
const MAX_ID_LENGTH = 512;
const MAX_REDIRECT_URIS = 20;

const documentSchema = z.object({
  client_id: z.string(),
  client_name: z.string().max(1024).optional(),
  client_uri: z.string().max(1024).optional(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  token_endpoint_auth_method: z.string().default('none'),
  client_secret: z.never().optional(),
});

/** What the gateway stores of a document. */
export interface DocumentFacts {
  id: string;
  name: string;
  redirectUris: string[];
  uri: string | null;
}

/**
 * Whether a client_id is the URL of a metadata document
 * (draft-ietf-oauth-client-id-metadata-document section 3): https with a path, in the URL parser's
 * normalized form, so that it names exactly one document.
 */
export function isDocumentId(id: string): boolean {
  if (!id.startsWith('https://') || id.length > MAX_ID_LENGTH || id.includes('#') || !URL.canParse(id))
    return false;
  const url = new URL(id);
  return url.href === id && url.pathname !== '/' && url.username === '' && url.password === '';
}

/**
 * Parses and checks a metadata document.
 * @throws Error; the message completes "The application's document cannot be used: …"
 */
export function readDocument(id: string, text: string): DocumentFacts {
  const read = documentSchema.safeParse(readJson(text));
  if (!read.success) throw new Error('it is not valid client metadata');
  const { data } = read;
  if (data.client_id !== id) throw new Error('its client_id is not its own address');
  if (data.token_endpoint_auth_method !== 'none')
    throw new Error(
      `its token_endpoint_auth_method is ${JSON.stringify(data.token_endpoint_auth_method)}, but only "none" is supported`,
    );
  const redirectUris = data.redirect_uris.filter((uri) => findRedirectProblem(uri) === null);
  if (redirectUris.length === 0) throw new Error('it has no usable redirect URI');
  return {
    id,
    name: cleanClientName(data.client_name ?? '') ?? new URL(id).host,
    redirectUris,
    uri: readHomePage(data.client_uri),
  };
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new Error('it is not JSON');
  }
}
