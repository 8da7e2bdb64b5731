import { InputError, isSkillError, SkillError } from '../../core/errors/skill-error';
import { unknownHostError } from './outbound-guard';

const NO_SUCH_HOST = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_NONAME',
  'EAI_NODATA',
  'ENODATA',
  'ESERVFAIL',
  'ETIMEOUT',
]);
const UNREACHABLE = new Set([
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const DISCONNECTED = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);
const INFLATE = /^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ZSTD)/;
const CERTIFICATE = /CERT|^ERR_TLS|UNABLE_TO_VERIFY|SELF_SIGNED|^ERR_SSL|^EPROTO$/;

/**
 * Explains to a caller why a host did not answer. It names no address and no stack, because what a
 * name resolves to internally must not leak.
 */
export function toOutboundError(error: unknown, host: string): SkillError {
  const chain = listCauses(error);
  const chosen = chain.find(isSkillError);
  if (chosen) return chosen;
  const codes = chain.map((cause) => ('code' in cause && typeof cause.code === 'string' ? cause.code : ''));
  const has = (set: Set<string>) => codes.some((code) => set.has(code));
  if (has(NO_SUCH_HOST)) return unknownHostError(host);
  if (codes.includes('ECONNREFUSED')) return failure(`${host} refused the connection.`, error);
  if (has(UNREACHABLE)) return failure(`${host} could not be reached.`, error);
  if (codes.some((code) => CERTIFICATE.test(code)))
    return permanentFailure(
      `The TLS certificate of ${host} cannot be trusted, or it does not speak TLS.`,
      error,
    );
  if (codes.some((code) => code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT'))
    return failure(`${host} stopped responding.`, error);
  if (codes.includes('UND_ERR_HEADERS_OVERFLOW'))
    return permanentFailure(`The headers of ${host} are too large.`, error);
  if (codes.some((code) => INFLATE.test(code)))
    return permanentFailure(`The response of ${host} is not compressed as its headers say.`, error);
  if (chain.some(({ name }) => name === 'HTTPParserError'))
    return permanentFailure(`${host} did not respond with HTTP.`, error);
  if (has(DISCONNECTED))
    return failure(`${host} closed the connection before its response was complete.`, error);
  return failure(`The request to ${host} failed.`, error);
}

function failure(message: string, cause: unknown): SkillError {
  return new SkillError(message, { cause });
}

/** An InputError, because the same address would fail again. */
function permanentFailure(message: string, cause: unknown): InputError {
  return new InputError(message, { cause });
}

const MAX_CAUSES = 8;

/** An error with its chain of causes and the parts of AggregateErrors, one per address tried. */
function listCauses(error: unknown): Error[] {
  const found: Error[] = [];
  const open: unknown[] = [error];
  while (open.length > 0 && found.length < MAX_CAUSES) {
    const next = open.shift();
    if (!(next instanceof Error)) continue;
    found.push(next);
    if (next instanceof AggregateError) open.push(...next.errors);
    open.push(next.cause);
  }
  return found;
}
