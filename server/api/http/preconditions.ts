import { GatewayError } from '../../core/errors/gateway-error';

/** Evaluates If-None-Match (RFC 9110 section 13.1.2): weak comparison, a list or `*`. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = (tag: string) => tag.replace(/^W\//, '');
  return listsEtag(ifNoneMatch, (candidate) => opaque(candidate) === opaque(etag));
}

/**
 * Evaluates If-Match (RFC 9110 section 13.1.1): strong comparison, a list or `*`; true if absent.
 */
export function isMatch(ifMatch: string | undefined, etag: string): boolean {
  return (
    ifMatch === undefined ||
    listsEtag(ifMatch, (candidate) => candidate === etag && !candidate.startsWith('W/'))
  );
}

/** @throws GatewayError PRECONDITION_FAILED if If-Match does not include the current ETag */
export function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (isMatch(ifMatch, etag)) return;
  throw new GatewayError('PRECONDITION_FAILED', {
    message: `If-Match: the current ETag is ${etag}.`,
    headers: { ETag: etag },
  });
}

function listsEtag(header: string, fits: (candidate: string) => boolean): boolean {
  return header.trim() === '*' || header.split(',').some((candidate) => fits(candidate.trim()));
}
