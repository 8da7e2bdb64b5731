import type { ErrorCode } from '../../core/errors/catalogue';
import type { GatewayError } from '../../core/errors/gateway-error';
import { toStoredAddress } from '../../core/limits/client-address';
import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import type { RequestContext } from '../../core/trpc/context';
import { redactAndShorten } from '../contents/redact-text';
import { MAX_MESSAGE_CHARS, MAX_NAME_CHARS } from './limits';

/** Not refusals: the call has run, is running, or failed for a reason of the gateway. */
const NO_REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'HANDLER_ERROR',
  'IDEMPOTENCY_IN_PROGRESS',
  'INTERNAL',
  'UNAVAILABLE',
]);

/** Errors that several places see: each is recorded once. */
const recorded = new WeakSet<GatewayError>();

/** The request of a refused call, and whose it was. */
interface RefusedRequest extends Pick<RequestContext, 'requestId' | 'clientIp'> {
  runtime: Pick<Runtime, 'refusals' | 'tools'>;
  /** Without an account, as with an unknown key, nothing is recorded. */
  actor: Actor | undefined;
}

/**
 * Records that a call was refused before its admission. Does nothing for other errors of a call.
 * @param call its body as sent, which may be malformed
 */
export function recordRefusal(
  { runtime, requestId, clientIp, actor }: RefusedRequest,
  error: GatewayError,
  call: unknown,
): void {
  if (!actor || actor.accountId === '' || !isRefusal(error) || recorded.has(error)) return;
  recorded.add(error);
  const [toolName, skillName] = [readName(call, 'tool'), readName(call, 'skill')];
  const atMs = Date.now();
  const { limit = '', retry_after: seconds } = error.details;
  runtime.refusals.record({
    accountId: actor.accountId,
    keyId: actor.kind === 'key' ? actor.keyId : '',
    rulesVersion: actor.kind === 'key' ? actor.rulesVersion : 0,
    code: error.code,
    limitName: limit,
    tool: runtime.tools.findTool(toolName)?.name ?? '',
    atMs,
    retryAtMs: seconds === undefined ? null : atMs + seconds * 1000,
    describe: () => ({
      requestId,
      clientAddress: toStoredAddress(clientIp),
      tool: redactAndShorten(toolName, MAX_NAME_CHARS),
      skill: redactAndShorten(skillName, MAX_NAME_CHARS),
      message: redactAndShorten(error.message, MAX_MESSAGE_CHARS),
    }),
  });
}

function isRefusal({ code, details }: GatewayError): boolean {
  return details.call_id === undefined && !NO_REFUSALS.has(code);
}

function readName(call: unknown, field: 'tool' | 'skill'): string {
  if (typeof call !== 'object' || call === null || !(field in call)) return '';
  const name: unknown = (call as Partial<Record<typeof field, unknown>>)[field];
  return typeof name === 'string' ? name : '';
}
