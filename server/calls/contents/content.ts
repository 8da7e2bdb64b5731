import type { CallCredential } from '../../catalog/credentials/call-credential';
import type { Attempt } from '../execution/attempt-call';
import { MAX_LOG_BYTES, MAX_SIDE_BYTES } from './limits';
import { redactContent } from './redact-content';
import type { ContentSide } from './schema';

/** A call that has ended, with what it was sent and what it returned. */
export interface EndedCall {
  id: string;
  keyId: string;
  /** The charged account. */
  accountId: string;
  rawInput: Record<string, unknown>;
  credential: Pick<CallCredential, 'redactJson'> | null;
  attempt: Attempt;
  log: readonly { at: string; message: string }[];
}

/** What is sealed. A side is JSON, so that opening it is cheap. */
export type Content = Record<'input' | 'output' | 'log', ContentSide>;

/** Builds what is stored of a call: within its size, without what looks like a secret. */
export function buildContent({ rawInput, credential, attempt, log }: EndedCall): Content {
  const result = attempt.ok ? attempt.output : { error: { code: attempt.code, message: attempt.message } };
  const store = (value: unknown, maxBytes: number): ContentSide => {
    const side = redactContent(value, maxBytes);
    const json = credential ? credential.redactJson(side.json) : side.json;
    return { ...side, json, redacted: side.redacted || json !== side.json };
  };
  return {
    input: store(rawInput, MAX_SIDE_BYTES),
    output: store(result, MAX_SIDE_BYTES),
    log: store(
      log.map(({ at, message }) => ({ at, message })),
      MAX_LOG_BYTES,
    ),
  };
}

/** Binds a seal to its call and account: a value that is moved to another row cannot be opened. */
export function contentContext({ accountId, callId }: { accountId: string; callId: string }): string {
  return `call_contents:${accountId}:${callId}`;
}
