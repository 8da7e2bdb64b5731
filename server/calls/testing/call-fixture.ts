import { expect } from 'vitest';
import type { Harness } from '@/test/support/harness';
import { raiseCredits } from '../../identity/keys/store';
import { newId } from '../../kit/ids';
import { grantCredit } from '../../money/billing/ledger';
import { type AdmitRequest, admitCalls, admitQueuedCall } from '../admission/store';
import { toJobId } from '../jobs/job-ids';
import { promoteCalls } from '../jobs/promote-store';
import { reapCalls, requeueCall, takeQueuedCall } from '../jobs/queue-store';
import { cancelStoredJob, type JobStatus } from '../jobs/store';
import { commitCalls } from '../run-first/commit-store';
import { type EndRequest, endCalls } from '../settlement/store';
import { type Holder, MODEL_ATTEMPTS, MODEL_QUOTAS, PER_MINUTE } from './call-model';

const LEASE_SECONDS = 90;
const NEXT: Record<JobStatus, readonly JobStatus[]> = {
  pending: ['pending', 'running', 'completed', 'failed', 'cancelled'],
  running: ['running', 'completed', 'failed', 'cancelled'],
  completed: ['completed'],
  failed: ['failed'],
  cancelled: ['cancelled'],
};

const PROMOTED = { rerunnable: true, webhookUrl: null };
const ENDED_WELL = { result: '{}', error: null };
const ENDED_BADLY = { result: null, error: 'It fails.' };

/** A call that has run before its admission. */
interface SettledCall {
  id: string;
  key: number;
  hold: bigint;
  success: boolean;
  cost: bigint;
  streamed: boolean;
}

interface KeyState {
  id: string;
  running: number;
  open: number;
  open_hold: number;
  minute: number;
  minute_used: number;
  calls: number;
  credits: number | null;
  used: number;
  held: number;
}

/** Snapshot of an account and its keys in the database. */
export interface AccountSnapshot {
  balance: bigint;
  held: bigint;
  month_spent: bigint;
  entries: bigint;
  holds: bigint;
  paid_failures: number;
  twice_charged: number;
  keys: KeyState[];
  jobs: Record<string, JobStatus>;
}

/** An account with some keys, driven only through the SQL functions. */
export class CallFixture {
  readonly accountId: string;
  readonly keyIds: readonly string[];
  readonly #harness: Harness;
  /** Of keys whose credit limit was raised. */
  readonly #rulesVersions = new Map<string, number>();
  #seen: Record<string, JobStatus> = {};

  private constructor(harness: Harness, accountId: string, keyIds: readonly string[]) {
    this.#harness = harness;
    this.accountId = accountId;
    this.keyIds = keyIds;
  }

  static async make(
    harness: Harness,
    balance: bigint,
    credits: readonly (bigint | null)[],
  ): Promise<CallFixture> {
    const { accountId } = await harness.person(balance);
    const keyIds: string[] = [];
    for (const credit of credits) keyIds.push((await harness.addKey(accountId, credit ?? undefined)).keyId);
    return new CallFixture(harness, accountId, keyIds);
  }

  get #sql() {
    return this.#harness.runtime.sql;
  }

  /** Fences include the account, so that concurrent runs do not close each other's calls. */
  getFence(holder: Holder): string {
    return holder === 'queue' ? 'queue' : `${holder} of ${this.accountId}`;
  }

  request(id: string, key: number, hold: bigint): AdmitRequest {
    const keyId = this.keyIds[key] as string;
    const call = {
      id,
      keyId,
      accountId: this.accountId,
      billing: 'personal',
      tool: 'probe',
      skill: 'ok',
      hold,
      rulesVersion: this.#rulesVersions.get(keyId) ?? 0,
    };
    return { ...call, durable: false };
  }

  async open(requests: AdmitRequest[]) {
    return (await admitCalls(this.#sql, requests, this.#openOptions)).map(({ outcome }) => outcome);
  }

  async openQueued(request: AdmitRequest, rerunnable: boolean) {
    const nothing = { input: {}, credential: null, prices: null, webhookUrl: null };
    const queued = { ...request, ...nothing, jobId: toJobId(request.id), rerunnable };
    return (await admitQueuedCall(this.#sql, queued, MODEL_QUOTAS)).outcome;
  }

  end(id: string, key: number, success: boolean, cost: bigint): EndRequest {
    const keyId = this.keyIds[key] as string;
    // Split into two parts, to check that their sum is capped at the hold.
    const markup = cost / 3n;
    const errorCode = success ? null : 'HANDLER_ERROR';
    return {
      id,
      keyId,
      success,
      markup,
      raw: cost - markup,
      byok: false,
      errorCode,
      latencyMs: 1,
      response: null,
    };
  }

  async close(request: EndRequest, by: Holder) {
    return (await endCalls(this.#sql, [request], this.getFence(by)))[0]?.state;
  }

  async finish(request: EndRequest, by: Holder) {
    const error = request.success ? null : 'It fails.';
    const ended = { ...request, response: { error, result: '{}' } };
    return (await endCalls(this.#sql, [ended], this.getFence(by)))[0]?.state;
  }

  async exchange(ended: EndRequest[], started: AdmitRequest[]) {
    const closed = await endCalls(this.#sql, ended, this.getFence('opener'));
    return { closed: closed.map(({ state }) => state), opened: await this.open(started) };
  }

  /** Runs calls through the fast path. @returns for each, whether the fast path accepted it */
  async settle(asked: SettledCall[]) {
    const requests = asked.map(({ id, key, hold, success, cost, streamed }) => {
      const { billing: _, durable: __, ...request } = this.request(id, key, hold);
      let charged = success ? cost : 0n;
      if (charged > hold) charged = hold;
      const errorCode = success ? null : 'HANDLER_ERROR';
      const raw = charged / 3n;
      return {
        ...request,
        markup: charged - raw,
        raw,
        errorCode,
        latencyMs: 1,
        startedMs: Date.now(),
        record: null,
        job: streamed ? { ...PROMOTED, id: toJobId(id), ...(success ? ENDED_WELL : ENDED_BADLY) } : null,
      };
    });
    const settled = await commitCalls(this.#sql, requests, MODEL_QUOTAS);
    return settled.map((result) => result !== null);
  }

  async promote(id: string): Promise<boolean> {
    const request = { id, jobId: toJobId(id), reply: null, ...PROMOTED };
    const [promoted] = await promoteCalls(this.#sql, [request], this.getFence('opener'));
    return promoted === true;
  }

  async start(id: string) {
    const lease = { fence: this.getFence('worker'), leaseSeconds: LEASE_SECONDS };
    return (await takeQueuedCall(this.#sql, lease, id)) !== null;
  }

  requeue(id: string) {
    return requeueCall(this.#sql, id, this.getFence('worker'), 'handed over');
  }

  async cancel(id: string) {
    const scope = { accountId: this.accountId, keyId: null };
    const notice = { line: 'cancelled', reply: {} };
    return (await cancelStoredJob(this.#harness.runtime.db, scope, toJobId(id), notice)) !== null;
  }

  async expire(id: string) {
    await this
      .#sql`update calls set lease_expires_at = clock_timestamp() - interval '1 second' where id = ${id}`;
  }

  async reap() {
    const outcome = { error: 'lost', line: 'lost', reply: {} };
    const bounds = { limit: 200, maxAttempts: MODEL_ATTEMPTS };
    return (await reapCalls(this.#sql, { ...bounds, ...outcome })).length;
  }

  async grant(amount: bigint) {
    const { accountId } = this;
    await this.#harness.runtime.db.transaction((tx) =>
      grantCredit(tx, { accountId, amount, ref: newId('request'), memo: 'test' }),
    );
  }

  async raise(key: number, amount: bigint) {
    const id = this.keyIds[key] as string;
    const raised = await raiseCredits(this.#harness.runtime.db, this.accountId, id, amount);
    if (raised) this.#rulesVersions.set(id, raised.rulesVersion);
  }

  async setBudget(limit: bigint | null) {
    await this
      .#sql`update accounts set budget_limit_microusd = ${limit === null ? null : String(limit)}::bigint
      where id = ${this.accountId}`;
  }

  async setFrozen(frozen: boolean) {
    await this
      .#sql`update accounts set frozen_at = ${frozen ? this.#sql`now()` : null} where id = ${this.accountId}`;
  }

  async revoke(key: number) {
    await this.#sql`update api_keys set revoked_at = now() where id = ${this.keyIds[key] as string}`;
  }

  async minutePasses() {
    await this.#sql`update api_keys set window_started_at[1] = window_started_at[1] - interval '1 minute'
      where account_id = ${this.accountId}`;
  }

  get #openOptions() {
    return { fence: this.getFence('opener'), leaseSeconds: LEASE_SECONDS, quotas: MODEL_QUOTAS };
  }

  /** Reads a consistent snapshot and checks its invariants. */
  async readSnapshot(): Promise<AccountSnapshot> {
    const [row] = await this.#sql<AccountSnapshot[]>`
      select a.balance_microusd as balance, a.held_microusd as held, a.month_spent_microusd as month_spent,
        (select coalesce(sum(amount_microusd), 0)::bigint from ledger_entries where account_id = a.id) as entries,
        (select coalesce(sum(hold_microusd), 0)::bigint from calls where account_id = a.id) as holds,
        (select count(*)::int from ledger_entries e join usage_records u on u.id = e.ref and u.account_id = a.id
          where e.kind = 'call' and u.status <> 'success') as paid_failures,
        (select count(*)::int from (select ref from ledger_entries where account_id = a.id and kind = 'call'
          group by ref having count(*) > 1) t) as twice_charged,
        (select json_agg(json_build_object('id', k.id, 'running', k.running, 'credits', k.credits_microusd,
          'used', k.credits_used_microusd, 'held', k.credits_held_microusd, 'minute_used', coalesce(k.window_used[1], 0),
          'minute', case when k.window_started_at[1] > clock_timestamp() - interval '1 minute' then k.window_used[1] else 0 end,
          'open', (select count(*) from calls c where c.key_id = k.id),
          'open_hold', (select coalesce(sum(c.hold_microusd), 0) from calls c where c.key_id = k.id),
          'calls', (select count(*) from calls c where c.key_id = k.id)
            + (select count(*) from usage_records u where u.key_id = k.id)) order by k.id)
          from api_keys k where k.id = any(${this.keyIds as string[]})) as keys,
        coalesce((select json_object_agg(j.call_id, j.status) from jobs j where j.account_id = a.id), '{}') as jobs
      from accounts a where a.id = ${this.accountId}`;
    const state = row as AccountSnapshot;
    this.#checkInvariants(state);
    return state;
  }

  #checkInvariants(state: AccountSnapshot): void {
    expect(state.entries).toBe(state.balance);
    expect(state.holds).toBe(state.held);
    expect(state.held >= 0n && state.held <= state.balance).toBe(true);
    expect([state.paid_failures, state.twice_charged]).toEqual([0, 0]);
    for (const key of state.keys) {
      expect([key.running, key.held]).toEqual([key.open, key.open_hold]);
      expect(key.running).toBeLessThanOrEqual(MODEL_QUOTAS.concurrent);
      expect(key.minute_used).toBeLessThanOrEqual(PER_MINUTE);
      if (key.credits !== null) expect(key.used + key.held).toBeLessThanOrEqual(key.credits);
    }
    for (const [callId, status] of Object.entries(state.jobs))
      expect(NEXT[this.#seen[callId] ?? 'pending']).toContain(status);
    for (const callId of Object.keys(this.#seen)) expect(state.jobs).toHaveProperty(callId);
    this.#seen = state.jobs;
  }
}
