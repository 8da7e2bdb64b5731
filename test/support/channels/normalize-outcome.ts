import type { Harness } from '../harness';
import type { Outcome } from './channel';

/**
 * Fields that differ between two identical calls; only these are ignored. Asset ids are replaced by
 * the hash of the file.
 */
const CALL_SPECIFIC_FIELDS = {
  /** Unique per call: `call_…`, `job_…`, `req_…`. */
  ids: ['id', 'job_id', 'poll_url', 'request_id'],
  /** Depend on timing. */
  times: ['latency_ms', 'retry_after', 'slept_seconds', 'log_lines'],
  /** A wording per transport (decision 0077). */
  hints: ['resolution_hint'],
};
const LEFT_OUT = new Set(Object.values(CALL_SPECIFIC_FIELDS).flat());
const ASSET_ID = /asset_(?!sample_)[0-9a-z]{20,}/g;
/** Of the call; that an error has one is compared. */
const CALL_ID = /"call_id":"call_\w+"/g;
/** `retry_after` in a message. */
const WAIT_SECONDS = /\bWait \d+ seconds?\b/g;
/** The claim link of an account. */
const CLAIM_TOKEN = /(\/claim\?token=)[\w.-]+/g;

/** Normalizes an outcome so that the outcomes of two channels can be compared. */
export async function normalizeOutcome(harness: Harness, outcome: Outcome): Promise<unknown> {
  const text = JSON.stringify(outcome, (name, value) => (LEFT_OUT.has(name) ? undefined : value));
  const ids = new Set(text.match(ASSET_ID));
  let same = text
    .replace(CALL_ID, '"call_id":"call_…"')
    .replace(CLAIM_TOKEN, '$1…')
    .replace(WAIT_SECONDS, 'Wait … seconds');
  for (const id of ids) {
    const { body } = await harness.request('GET', `/v1/assets/${id}/meta`);
    same = same.replaceAll(id, `asset of ${body.sha256}`);
  }
  return JSON.parse(same);
}
