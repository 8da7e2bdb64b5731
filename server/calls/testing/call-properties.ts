import fc from 'fast-check';
import { expect } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { newId } from '../../kit/ids';
import { reconcile } from '../../money/reconcile/reconcile';
import { type AccountSnapshot, CallFixture } from './call-fixture';
import { CallModel, type ModelCall, PER_MINUTE } from './call-model';
import { CREDITS, type Step, step } from './call-steps';

/** Enough for some of the calls, not for all. */
const START = 1_500n;
/** Monthly budget of runs that do not change it. */
const BUDGET = 1_200n;

/** Calls that a step can act on; a step mostly picks one of them, sometimes any call or none. */
const CALL_FILTERS: Record<string, (call: ModelCall) => boolean> = {
  end: ({ ended, holder }) => ended === null && holder !== 'queue',
  exchange: ({ ended, job }) => ended === null && job === null,
  promote: ({ ended }) => ended === null,
  start: ({ ended, holder }) => ended === null && holder === 'queue',
  requeue: ({ ended, holder }) => ended === null && holder === 'worker',
  cancel: ({ job }) => job?.status === 'running',
  expire: ({ ended }) => ended === null,
};
const UNFILTERED_SHARE = 0.15;

function pickCall(model: CallModel, act: string, share: number): string {
  const suits = CALL_FILTERS[act];
  const ids = [...model.calls].flatMap(([id, call]) =>
    share < UNFILTERED_SHARE || suits?.(call) ? [id] : [],
  );
  return ids[Math.floor(share * ids.length)] ?? 'call_unknown';
}

/** The call that a step refers to, as a share of the calls so far. */
function getCallShare(at: Step): number {
  if ('which' in at) return at.which;
  return 'end' in at ? at.end.which : 0;
}

/** Runs one step in the database and in the model and compares the results. */
async function runInBoth(fixture: CallFixture, model: CallModel, at: Step): Promise<void> {
  const id = pickCall(model, at.act, getCallShare(at));
  const call = model.calls.get(id);
  switch (at.act) {
    case 'open': {
      const asked = at.opens.map(([k, hold]) => ({ k, hold, id: newId('call') }));
      const outcomes = await fixture.open(asked.map((a) => fixture.request(a.id, a.k, a.hold)));
      return expect(outcomes).toEqual(asked.map((a) => model.open(a.id, a.k, a.hold)));
    }
    case 'queue': {
      const own = newId('call');
      const outcome = await fixture.openQueued(fixture.request(own, at.key, at.hold), at.rerunnable);
      const job = { status: 'pending' as const, queued: true, rerunnable: at.rerunnable, attempts: 0 };
      return expect(outcome).toBe(model.open(own, at.key, at.hold, job));
    }
    case 'end': {
      const request = fixture.end(id, call?.key ?? 0, at.end.success, at.end.cost);
      const by = at.by ?? call?.holder ?? 'opener';
      const state = call?.job ? await fixture.finish(request, by) : await fixture.close(request, by);
      return expect(state).toBe(model.close(id, by, at.end.success, at.end.cost));
    }
    case 'exchange': {
      // Only calls without a job: the others are closed with their job.
      const ended = call?.job ? [] : [fixture.end(id, call?.key ?? 0, at.end.success, at.end.cost)];
      const own = newId('call');
      const outcome = await fixture.exchange(ended, [fixture.request(own, at.key, at.hold)]);
      const closed = ended.map(() => model.close(id, 'opener', at.end.success, at.end.cost));
      return expect(outcome).toEqual({ closed, opened: [model.open(own, at.key, at.hold)] });
    }
    case 'settle': {
      const asked = at.settles.map((settle) => ({ id: newId('call'), ...settle }));
      const wouldFit = model.wouldOpen(asked);
      const fits = await fixture.settle(asked);
      expect(fits.every(Boolean)).toBe(wouldFit);
      const settled = asked.filter((_, index) => fits[index]);
      for (const { id: own, key, hold } of settled) expect(model.open(own, key, hold)).toBe('opened');
      for (const { id: own, success, cost, streamed } of settled) {
        if (streamed) model.promote(own);
        expect(model.close(own, 'opener', success, cost)).toBe('closed');
      }
      return;
    }
    case 'promote':
      return expect(await fixture.promote(id)).toBe(model.promote(id));
    case 'start':
      return expect(await fixture.start(id)).toBe(model.start(id));
    case 'requeue':
      return expect(await fixture.requeue(id)).toBe(model.requeue(id));
    case 'cancel':
      return expect(await fixture.cancel(id)).toBe(model.cancel(id));
    case 'expire':
      await fixture.expire(id);
      return model.expire(id);
    case 'reap':
      return expect(await fixture.reap()).toBe(model.reap());
    default:
      return await changeInBoth(fixture, model, at);
  }
}

/** Steps that act on no call. */
type Change = Extract<Step, { act: 'grant' | 'raise' | 'budget' | 'freeze' | 'revoke' | 'minute passes' }>;

/** Changes what admission depends on: balance, credits, budget or account state. */
async function changeInBoth(fixture: CallFixture, model: CallModel, at: Change): Promise<void> {
  const changed = model.keys['key' in at ? at.key : 0];
  switch (at.act) {
    case 'grant':
      await fixture.grant(at.amount);
      model.balance += at.amount;
      return;
    case 'raise':
      await fixture.raise(at.key, at.amount);
      // A key without a credit limit gets one that includes what it has already spent and held.
      if (changed?.alive)
        changed.credits = (changed.credits ?? changed.used + model.sumHolds(at.key)) + at.amount;
      return;
    case 'budget':
      await fixture.setBudget(at.limit);
      model.budget = at.limit;
      return;
    case 'freeze':
      await fixture.setFrozen(at.frozen);
      model.frozen = at.frozen;
      return;
    case 'revoke':
      await fixture.revoke(at.key);
      if (changed) changed.alive = false;
      return;
    case 'minute passes':
      await fixture.minutePasses();
      for (const each of model.keys) each.minute = 0;
      return;
    default:
      throw new Error(`Unknown step ${at satisfies never}`);
  }
}

function expectModelState(state: AccountSnapshot, model: CallModel, fixture: CallFixture): void {
  const jobs = [...model.calls].flatMap(([id, { job }]) => (job ? [[id, job.status]] : []));
  expect({ balance: state.balance, held: state.held, spent: state.month_spent, jobs: state.jobs }).toEqual({
    balance: model.balance,
    held: model.sumHolds(),
    spent: model.monthSpent,
    jobs: Object.fromEntries(jobs),
  });
  const byId = new Map(state.keys.map((found) => [found.id, found]));
  for (const [index, { credits, used, minute }] of model.keys.entries())
    expect(byId.get(fixture.keyIds[index] as string)).toMatchObject({
      credits: credits === null ? null : Number(credits),
      used: Number(used),
      minute,
      running: model.listOpenCalls(index).length,
    });
}

/** Closes all open calls, so that the next run does not reap them. */
async function closeAllCalls(fixture: CallFixture, ids: readonly string[]): Promise<void> {
  // The first reap requeues a rerunnable job, the second ends it.
  for (let i = 0; i < 2; i++) {
    for (const id of ids) await fixture.expire(id);
    await fixture.reap();
  }
  expect((await fixture.readSnapshot()).held).toBe(0n);
}

/** Steps that do not change the limits that a concurrent run checks. */
type ConcurrentStep = Exclude<Step, { act: 'budget' | 'freeze' | 'minute passes' }>;
const isConcurrent = (at: Step): at is ConcurrentStep =>
  at.act !== 'budget' && at.act !== 'freeze' && at.act !== 'minute passes';

interface Shared {
  key: number;
  id: string;
}

/**
 * Runs one step concurrently with others, so its result is not checked. No other sequence touches
 * the call in `own`.
 */
async function runConcurrently(
  fixture: CallFixture,
  calls: Shared[],
  own: { id?: string },
  at: ConcurrentStep,
): Promise<void> {
  const { id, key } = calls[Math.floor(getCallShare(at) * calls.length)] ?? {
    id: '',
    key: 0,
  };
  const named = (k: number, hold: bigint) => {
    const made = { id: newId('call'), key: k };
    calls.push(made);
    return fixture.request(made.id, k, hold);
  };
  switch (at.act) {
    case 'open':
      await fixture.open(at.opens.map(([k, hold]) => named(k, hold)));
      return;
    case 'queue':
      await fixture.openQueued(named(at.key, at.hold), at.rerunnable);
      return;
    case 'end':
      await fixture.finish(fixture.end(id, key, at.end.success, at.end.cost), at.by ?? 'opener');
      return;
    case 'exchange': {
      const ended = own.id ? [fixture.end(own.id, 0, at.end.success, at.end.cost)] : [];
      own.id = newId('call');
      await fixture.exchange(ended, [fixture.request(own.id, 0, at.hold)]);
      return;
    }
    case 'settle':
      await fixture.settle(at.settles.map((settle) => ({ id: newId('call'), ...settle })));
      return;
    case 'grant':
      return await fixture.grant(at.amount);
    case 'raise':
      return await fixture.raise(at.key, at.amount);
    case 'revoke':
      return await fixture.revoke(at.key);
    case 'reap':
      await fixture.reap();
      return;
    default:
      await fixture[at.act](id);
  }
}

/** Starts a gateway in which leases expire only when a test expires them. */
export async function startCallHarness(): Promise<Harness> {
  const harness = await startHarness({ env: { JOBS: 'external' } });
  await harness.runtime.running.drain(0);
  return harness;
}

/** Checks that reconciliation finds no difference, then closes the harness. */
export async function closeCallHarness(harness: Harness): Promise<void> {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
  await harness.close();
}

/** Checks that the SQL functions do the same as the model, for random sequences of steps. */
export async function checkAgainstModel(harness: Harness, runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60, size: 'max' }), async (steps) => {
      const fixture = await CallFixture.make(harness, START, CREDITS);
      const model = new CallModel(START, CREDITS);
      for (const at of steps) {
        await runInBoth(fixture, model, at);
        expectModelState(await fixture.readSnapshot(), model, fixture);
      }
      await closeAllCalls(fixture, [...model.calls.keys()]);
    }),
    { numRuns: runs },
  );
}

/** Checks that concurrent sequences never exceed a limit. */
export async function checkConcurrently(harness: Harness, runs: number): Promise<void> {
  const sequence = fc.array(step.filter(isConcurrent), { minLength: 15, maxLength: 30, size: 'max' });
  await fc.assert(
    fc.asyncProperty(fc.array(sequence, { minLength: 4, maxLength: 6 }), async (sequences) => {
      const fixture = await CallFixture.make(harness, START, CREDITS);
      await fixture.setBudget(BUDGET);
      const calls: Shared[] = [];
      const owns: { id?: string }[] = [];
      let running = true;
      const watched = (async () => {
        while (running) {
          const { month_spent, held, keys } = await fixture.readSnapshot();
          expect(month_spent + held <= BUDGET).toBe(true);
          for (const each of keys) expect(each.calls).toBeLessThanOrEqual(PER_MINUTE);
        }
      })();
      watched.catch(() => undefined);
      const doing = sequences.map(async (steps) => {
        const own = {};
        owns.push(own);
        for (const at of steps) await runConcurrently(fixture, calls, own, at);
      });
      await Promise.all(doing).finally(() => {
        running = false;
      });
      await watched;
      await closeAllCalls(
        fixture,
        [...calls, ...owns].flatMap(({ id }) => (id ? [id] : [])),
      );
    }),
    { numRuns: runs },
  );
}
