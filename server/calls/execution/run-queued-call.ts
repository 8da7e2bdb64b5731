import type { CallCredential } from '../../catalog/credentials/call-credential';
import { errorBody } from '../../core/errors/error-body';
import type { Runtime } from '../../core/runtime';
import { newId } from '../../kit/ids';
import type { AdmittedCall } from '../admission/admit-call';
import {
  giveBackCalls,
  hasLostCall,
  type LeasedCall,
  takeLostCall,
  takeQueuedCalls,
} from '../jobs/queue-store';
import { sumCost } from '../prepare/price-call';
import { fromQueuedPrices } from '../prepare/quote';
import { validateAndQuote } from '../prepare/validate-input';
import { callFailure } from '../settlement/call-failure';
import { endWithError } from '../settlement/store';
import { CallRun } from './call-run';
import type { LostCallTurns } from './lost-call-turns';

/** Also by an update of the gateway. */
const CHANGED = 'The skill changed while the call waited. Look at its input and price, and send it again.';

/** A queued call that this process runs. */
export interface TakenCall extends LeasedCall {
  /** Before its lease began, by the monotonic clock of this process. */
  leasedAt: number;
}

/**
 * Takes queued calls, or one that was lost twice; none while this process stops, or such a call has
 * it for itself.
 * @param runs the queued calls that run in this process
 * @throws if their lease may have ended before the answer arrived: another process may run them
 */
export async function takeCalls(
  runtime: Pick<Runtime, 'flush' | 'imports' | 'running' | 'sql'>,
  { limit, runs, turns }: { limit: number; runs: readonly TakenCall[]; turns: LostCallTurns },
): Promise<TakenCall[]> {
  const { flush, running, sql } = runtime;
  // Imported tools load after startup: wait for them.
  await runtime.imports.ready;
  const turn = await turns.choose(runs, () => hasLostCall(sql));
  if (running.stopping || turn === 'none') return [];
  running.opensInFlight++;
  const leasedAt = performance.now();
  try {
    const accounts = runs.map(({ accountId }) => accountId);
    const leased =
      turn === 'lost'
        ? await takeLostCall(sql, flush)
        : await takeQueuedCalls(sql, flush, { limit, running: accounts });
    if (leased.length > 0 && running.mayLoseLease(leasedAt))
      throw new Error('The answer of the queue arrived when the lease of its calls may have ended.');
    const taken = leased.map((call) => ({ ...call, leasedAt }));
    for (const call of taken) running.taken.add(call);
    return taken;
  } finally {
    running.opensInFlight--;
  }
}

/** Puts calls back into the queue that were taken for this process without an answer. */
export async function giveBackLostCalls({
  sql,
  flush,
  running,
  log,
}: Pick<Runtime, 'flush' | 'log' | 'running' | 'sql'>): Promise<void> {
  const known = [...running.taken].map(({ id }) => id);
  const returned = await giveBackCalls(sql, flush, known);
  if (returned > 0) log.warn('queue.calls_returned', { count: returned });
}

/** Runs a queued call to its end. */
export async function runQueuedCall(runtime: Runtime, taken: TakenCall): Promise<void> {
  const { tracing } = runtime.observer;
  await (tracing ? tracing.queuedRun(taken.id, () => runTaken(runtime, taken)) : runTaken(runtime, taken));
  // Not if its end could not be recorded: it has run, so it must not be given back.
  runtime.running.taken.delete(taken);
}

async function runTaken(runtime: Runtime, leased: TakenCall): Promise<void> {
  const { running } = runtime;
  const requestId = leased.requestId ?? newId('request');
  if (!(await untilFree(running, leased.id))) return;
  if (running.hasOutliving(leased.id))
    return await failTaken(runtime, leased, requestId, 'The tool did not stop when the call had to restart.');
  const opened = rebuildCall(runtime, leased);
  if (typeof opened === 'string') return await failTaken(runtime, leased, requestId, opened);
  await new CallRun(runtime, opened, { requestId, job: { lastSeq: leased.lastSeq } }).ended;
}

/**
 * Waits for the run that this process still has of a call, whose lease ended before its handler.
 * @returns whether the call is to run again
 */
async function untilFree(running: Runtime['running'], id: string): Promise<boolean> {
  for (let here = running.findRun(id); here; here = running.findRun(id)) {
    const isRecorded = await here.ended.then(
      () => true,
      () => false,
    );
    if (!isRecorded || !(await running.isStillOurs(id))) return false;
  }
  return true;
}

async function failTaken(
  { flush, settings }: Pick<Runtime, 'flush' | 'settings'>,
  leased: TakenCall,
  requestId: string,
  message: string,
): Promise<void> {
  const error = callFailure(leased.id, { code: null, message });
  const result = JSON.stringify(errorBody(error, requestId, settings.baseUrl));
  await flush.endCall(endWithError(leased, error, result));
}

/** Rebuilds the call as the queueing process saw it, or says why it can no longer run. */
function rebuildCall(
  runtime: Pick<Runtime, 'credentials' | 'log' | 'settings' | 'tools'>,
  leased: TakenCall,
): AdmittedCall | string {
  const { tools, settings, log } = runtime;
  const { id, leasedAt } = leased;
  const tool = tools.findTool(leased.tool);
  const skill = tool && tools.findSkill(tool, leased.skill);
  if (!skill) return 'The gateway no longer has this tool or skill.';
  let credential: CallCredential | null;
  try {
    credential = leased.credential && runtime.credentials.openFromQueue(id, leased.credential);
  } catch (error) {
    log.error('call.provider_key_unusable', { callId: id, error });
    return 'The provider key of the call can no longer be read. Send the call again.';
  }
  const prepared = validateAndQuote(skill, leased.input, {
    byok: credential?.isByok === true,
    byokRatePpm: settings.byokRatePpm,
  });
  if (!prepared.ok) return CHANGED;
  const { input } = prepared;
  const bound = leased.prices && fromQueuedPrices(leased.prices, skill, input);
  if (leased.prices && !bound) return CHANGED;
  const quote = bound?.max ?? prepared.quote;
  // A raised price must not exceed what was promised and held.
  if (sumCost(quote) > leased.hold)
    return 'The price of the skill rose while the call waited. Send it again to pay the current price.';
  const { keyId, accountId, billing, chargedTo, input: rawInput } = leased;
  return {
    tool,
    skill,
    id,
    keyId,
    accountId,
    billing,
    chargedTo,
    input,
    rawInput,
    quote,
    bound,
    // Decided when the call was admitted.
    rules: null,
    rulesVersion: 0,
    // Only claimed accounts may use queued skills.
    caller: { accountId, provisional: false, spentMs: 0 },
    // The job has it.
    webhookUrl: null,
    credential,
    queued: true,
    availableAfterHold: 0n,
    storesResponse: true,
    // Its return to the queue wrote a line.
    resumed: leased.lastSeq > 0,
    leasedAt,
  };
}
