import { type CallToolResult, ProtocolError, type ServerContext } from '@modelcontextprotocol/server';
import { findProblem } from '../../core/errors/problem-error';
import type { Credentials, Reply } from '../../core/trpc/context';
import { serializeCredential } from '../../platform/ports/machine-payments';
import { isObject } from './json-rpc';
import type { McpCall } from './mcp-call';
import { META } from './meta';
import { buildFailureResult } from './tool-result';

/** JSON-RPC codes of the "Payment" scheme (draft-payment-transport-mcp-00). */
const PAYMENT_REQUIRED = -32_042;
const VERIFICATION_FAILED = -32_043;

/** The payment in the `_meta` of a request; null without one. */
export async function readMetaPayment(asked: ServerContext | undefined): Promise<Credentials | null> {
  const sent: unknown = asked?.mcpReq._meta?.[META.credential];
  return sent === undefined ? null : { kind: 'payment', credential: await serializeCredential(sent) };
}

/**
 * Offers to pay, with the challenges of REST: as the protocol error of the scheme, or from
 * 2026-07-28 on, where the SDK reserves its code, as a result with the same data.
 * @returns null for another error
 * @throws ProtocolError
 */
export function answerPaymentRequired(call: McpCall, thrown: unknown): CallToolResult | null {
  const found = findProblem(thrown);
  if (!found) return null;
  const { problem, challenges } = found;
  const data = { httpStatus: problem.status, challenges, problem };
  if (call.era === 'modern')
    return buildFailureResult(call, { status: 'error', error: problem }, { [META.paymentRequired]: data });
  const isFirst = problem.type.endsWith('/payment-required');
  throw new ProtocolError(isFirst ? PAYMENT_REQUIRED : VERIFICATION_FAILED, problem.detail, data);
}

/** The `_meta` entry with the receipt of a paid call; empty for others. */
export function buildReceiptMeta({ headers }: Reply, asked: ServerContext): Record<string, unknown> {
  const receipt = headers['Payment-Receipt'];
  if (receipt === undefined) return {};
  const credential: unknown = asked.mcpReq._meta?.[META.credential];
  const challenge = isObject(credential) && isObject(credential.challenge) ? credential.challenge : {};
  // Cannot throw: this process wrote the header.
  const facts: object = JSON.parse(Buffer.from(receipt, 'base64url').toString());
  return { [META.receipt]: { ...facts, challengeId: challenge.id } };
}
