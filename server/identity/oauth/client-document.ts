import { z } from 'zod';
import { parseJson } from '../../kit/parse-json';
import { cleanClientName } from './client-name';
import { readHomePage } from './home-page';
import { redirectProblem } from './redirect-uri';

/** Of the address that is a client's id. */
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

/** What is kept of a document. */
export interface DocumentFacts {
  id: string;
  name: string;
  redirectUris: string[];
  uri: string | null;
}

/**
 * Whether a client_id is the address of a metadata document
 * (draft-ietf-oauth-client-id-metadata-document section 3): https, with a path, and written in the
 * one way that a browser would write it, so that it names one host and one document.
 */
export function isDocumentId(id: string): boolean {
  if (!id.startsWith('https://') || id.length > MAX_ID_LENGTH || id.includes('#') || !URL.canParse(id))
    return false;
  const url = new URL(id);
  return url.href === id && url.pathname !== '/' && url.username === '' && url.password === '';
}

/**
 * The facts in a document.
 * @throws Error whose message says what is wrong with it, for a person
 */
export function readDocument(id: string, text: string): DocumentFacts {
  const read = documentSchema.safeParse(readJson(text));
  if (!read.success) throw new Error('it does not describe a client');
  const { data } = read;
  if (data.client_id !== id) throw new Error('it is of another client_id');
  if (data.token_endpoint_auth_method !== 'none')
    throw new Error(
      `it asks for ${JSON.stringify(data.token_endpoint_auth_method)}, and only public clients are known by a document`,
    );
  const redirectUris = data.redirect_uris.filter((uri) => redirectProblem(uri) === null);
  if (redirectUris.length === 0) throw new Error('none of its redirect URIs can be used');
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
