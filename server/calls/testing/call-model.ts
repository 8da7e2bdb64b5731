import type { Quotas } from '../../core/limits/windows';
import type { AdmitResult } from '../admission/store';
import type { JobStatus } from '../jobs/store';

export const PER_MINUTE = 7;
const PER_HOUR = 11;
export const MODEL_QUOTAS: Quotas = { perWindow: [PER_MINUTE, PER_HOUR], concurrent: 4 };
export const MODEL_ATTEMPTS = 2;

/** The holder of a call's lease: the process that opened it, a worker, or the queue. */
export type Holder = 'opener' | 'worker' | 'queue';

export interface ModelJob {
  status: JobStatus;
  queued: boolean;
  rerunnable: boolean;
  attempts: number;
}

export interface ModelCall {
  key: number;
  hold: bigint;
  holder: Holder;
  expired: boolean;
  /** Null while the call is open. */
  ended: 'success' | 'error' | null;
  job: ModelJob | null;
}

interface ModelKey {
  alive: boolean;
  credits: bigint | null;
  used: bigint;
  minute: number;
  hour: number;
}

/** A sequential reference model of the SQL functions of calls, for one account with some keys. */
export class CallModel {
  readonly calls = new Map<string, ModelCall>();
  readonly keys: ModelKey[];
  balance: bigint;
  monthSpent = 0n;
  budget: bigint | null = null;
  frozen = false;

  constructor(balance: bigint, credits: readonly (bigint | null)[]) {
    this.balance = balance;
    this.keys = credits.map((credit) => ({ alive: true, credits: credit, used: 0n, minute: 0, hour: 0 }));
  }

  listOpenCalls(key: number | null = null): ModelCall[] {
    return [...this.calls.values()].filter(
      (call) => call.ended === null && (key === null || call.key === key),
    );
  }

  sumHolds(key: number | null = null): bigint {
    return this.listOpenCalls(key).reduce((sum, { hold }) => sum + hold, 0n);
  }

  open(id: string, at: number, hold: bigint, job: ModelJob | null = null): AdmitResult['outcome'] {
    const outcome = this.#decide(at, hold);
    if (outcome !== 'opened') return outcome;
    const key = this.keys[at] as ModelKey;
    key.minute++;
    key.hour++;
    this.calls.set(id, { key: at, hold, holder: job ? 'queue' : 'opener', expired: false, ended: null, job });
    return outcome;
  }

  /** Whether all of these could be opened together; opens none. */
  wouldOpen(asked: readonly { id: string; key: number; hold: bigint }[]): boolean {
    const opened = asked.filter(({ id, key, hold }) => this.open(id, key, hold) === 'opened');
    for (const { id, key } of opened) {
      this.calls.delete(id);
      const state = this.keys[key] as ModelKey;
      state.minute--;
      state.hour--;
    }
    return opened.length === asked.length;
  }

  #decide(at: number, hold: bigint): AdmitResult['outcome'] {
    const key = this.keys[at] as ModelKey;
    if (!key.alive) return 'revoked';
    if (this.frozen) return 'frozen';
    if (key.minute >= PER_MINUTE) return 'minute';
    if (key.hour >= PER_HOUR) return 'hour';
    if (this.listOpenCalls(at).length >= MODEL_QUOTAS.concurrent) return 'concurrency';
    if (hold === 0n) return 'opened';
    if (this.budget !== null && hold > this.budget - this.sumHolds() - this.monthSpent) return 'month';
    if (key.credits !== null && hold > key.credits - key.used - this.sumHolds(at)) return 'key';
    return hold > this.balance - this.sumHolds() ? 'account' : 'opened';
  }

  /** Closes a call for its holder; a close by another holder or a second close changes nothing. */
  close(id: string, by: Holder, success: boolean, cost: bigint): 'closed' | 'success' | 'error' | 'lost' {
    const call = this.calls.get(id);
    if (!call) return 'lost';
    if (call.ended) return call.ended;
    if (call.holder !== by) return 'lost';
    this.#end(call, success ? 'completed' : 'failed', cost);
    return 'closed';
  }

  #end(call: ModelCall, status: JobStatus, cost = 0n): void {
    call.ended = status === 'completed' ? 'success' : 'error';
    if (call.job) call.job.status = status;
    const charged = status === 'completed' ? (cost < call.hold ? cost : call.hold) : 0n;
    this.balance -= charged;
    this.monthSpent += charged;
    (this.keys[call.key] as ModelKey).used += charged;
  }

  promote(id: string): boolean {
    const call = this.calls.get(id);
    if (!call || call.ended || call.holder !== 'opener') return false;
    call.job ??= { status: 'running', queued: false, rerunnable: true, attempts: 1 };
    return true;
  }

  start(id: string): boolean {
    const call = this.calls.get(id);
    if (!call?.job || call.ended || call.holder !== 'queue' || call.expired) return false;
    call.holder = 'worker';
    call.job.status = 'running';
    call.job.attempts++;
    return true;
  }

  requeue(id: string): boolean {
    const call = this.calls.get(id);
    if (!call || call.ended || call.holder !== 'worker') return false;
    call.holder = 'queue';
    call.expired = false;
    if (call.job) call.job.attempts--;
    return true;
  }

  cancel(id: string): boolean {
    const call = this.calls.get(id);
    if (!call || call.ended || call.job?.status !== 'running') return false;
    this.#end(call, 'cancelled');
    return true;
  }

  expire(id: string): void {
    const call = this.calls.get(id);
    if (call) call.expired = true;
  }

  reap(): number {
    const lost = this.listOpenCalls().filter(({ expired }) => expired);
    for (const call of lost) {
      const { job } = call;
      if (job?.queued && job.rerunnable && job.attempts < MODEL_ATTEMPTS && call.holder !== 'queue') {
        call.holder = 'queue';
        call.expired = false;
      } else this.#end(call, 'failed');
    }
    return lost.length;
  }
}
