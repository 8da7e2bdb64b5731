import { SkillError } from '../../core/errors/skill-error';

export type Rank = 'paying' | 'provisional' | 'overBudget';

const REFUSAL = 'Too many calculations are waiting. Try again in a few seconds.';

/** A task's right to compute. */
export interface ComputeSlot {
  /** It has computed for a while, and so counts as long. */
  long: boolean;
  readonly account: Account;
  readonly rank: Rank;
  asleep: boolean;
}

/** The account that a slot is for. */
export interface SlotOwner {
  readonly accountId: string;
  /** Read for each slot, because it may change while a task waits. */
  rank(): Rank;
}

export interface SchedulerLimits {
  /** Tasks that compute at the same time. */
  readonly total: number;
  /** Long tasks among them. The rest is reserved, so that new tasks never wait for long ones. */
  readonly long: number;
  /** Per account, sleeping tasks included. */
  readonly perAccount: number;
  /** For all accounts of a rank together, sleeping tasks included. */
  readonly perRank: Readonly<Record<Rank, number>>;
  /** Tasks that may release their slot while they sleep; further ones keep it. */
  readonly asleep: number;
  /** Tasks that may wait; further ones are refused, so that a flood does not use up memory. */
  readonly waiting: number;
  /** The message of a refused task. */
  readonly refusal?: string;
}

interface Waiter {
  readonly long: boolean;
  readonly start: (place: ComputeSlot) => void;
  readonly refuse: (error: SkillError) => void;
}

/** The tasks of one account; it exists while there are any. */
interface Account {
  readonly owner: SlotOwner;
  readonly waiting: Waiter[];
  held: number;
}

const RANKS: readonly Rank[] = ['paying', 'provisional', 'overBudget'];
const LOWER_RANKS: readonly Rank[] = ['provisional', 'overBudget', 'paying'];
const LAST_RANK: readonly Rank[] = ['overBudget', 'provisional', 'paying'];
/** Every fourth slot is offered to the lower ranks first, so that they always progress. */
const ORDERS = [RANKS, RANKS, RANKS, LOWER_RANKS, RANKS, RANKS, RANKS, LAST_RANK];

/**
 * Schedules tasks on workers (docs/decisions/0038): ranks in order, accounts of a rank in turn,
 * tasks of an account first come first served, with limits per account and rank.
 */
export class WorkerScheduler {
  readonly #limits: SchedulerLimits;
  /** In the order of their turns. */
  readonly #accounts = new Map<string, Account>();
  readonly #ofRank: Record<Rank, number> = { paying: 0, provisional: 0, overBudget: 0 };
  #running = 0;
  #long = 0;
  #asleep = 0;
  #waiting = 0;
  #given = 0;

  constructor(limits: SchedulerLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for a slot.
   * @param long whether the task is known to take long
   * @throws {SkillError} when too many wait
   * @throws the signal's reason when it aborts
   */
  async acquire(owner: SlotOwner, long: boolean, signal: AbortSignal): Promise<ComputeSlot> {
    const account = this.#getAccount(owner);
    if (account.waiting.length === 0 && this.#isFree(account, long)) return this.#occupy(account, long);
    return await new Promise((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener('abort', onAbort);
        this.#waiting -= 1;
      };
      const waiter: Waiter = {
        long,
        start: (place) => {
          leave();
          resolve(place);
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const onAbort = () => {
        leave();
        account.waiting.splice(account.waiting.indexOf(waiter), 1);
        this.#forgetIfDone(account);
        reject(signal.reason);
      };
      account.waiting.push(waiter);
      this.#waiting += 1;
      signal.addEventListener('abort', onAbort, { once: true });
      if (this.#waiting > this.#limits.waiting) this.#refuseOne(account);
      // A short task may overtake a long one of its own account.
      this.#startWaiting();
    });
  }

  /** Counts a task as long; false if there are too many of those, and it must give up its slot. */
  markLong(place: ComputeSlot): boolean {
    if (place.long) return true;
    if (!place.asleep) {
      if (this.#long >= this.#limits.long) return false;
      this.#long += 1;
    }
    place.long = true;
    return true;
  }

  /** Lets others compute while a task waits for a timer, unless too many tasks sleep already. */
  sleep(place: ComputeSlot): void {
    if (place.asleep || this.#asleep >= this.#limits.asleep) return;
    place.asleep = true;
    this.#asleep += 1;
    this.#stopCounting(place);
    this.#startWaiting();
  }

  /** Resumes at once, so for a moment more tasks than slots may compute. */
  wake(place: ComputeSlot): void {
    if (!place.asleep) return;
    place.asleep = false;
    this.#asleep -= 1;
    this.#running += 1;
    if (place.long) this.#long += 1;
  }

  /** Releases a slot. */
  release(place: ComputeSlot): void {
    if (place.asleep) this.#asleep -= 1;
    else this.#stopCounting(place);
    this.#ofRank[place.rank] -= 1;
    place.account.held -= 1;
    this.#forgetIfDone(place.account);
    this.#startWaiting();
  }

  #stopCounting(place: ComputeSlot): void {
    this.#running -= 1;
    if (place.long) this.#long -= 1;
  }

  #getAccount(owner: SlotOwner): Account {
    const known = this.#accounts.get(owner.accountId);
    if (known) return known;
    const account: Account = { owner, waiting: [], held: 0 };
    this.#accounts.set(owner.accountId, account);
    return account;
  }

  #forgetIfDone(account: Account): void {
    if (account.held === 0 && account.waiting.length === 0) this.#accounts.delete(account.owner.accountId);
  }

  #isFree({ owner, held }: Account, long: boolean): boolean {
    const rank = owner.rank();
    return (
      this.#running < this.#limits.total &&
      (!long || this.#long < this.#limits.long) &&
      held < this.#limits.perAccount &&
      this.#ofRank[rank] < this.#limits.perRank[rank]
    );
  }

  #occupy(account: Account, long: boolean): ComputeSlot {
    const rank = account.owner.rank();
    this.#given += 1;
    this.#running += 1;
    if (long) this.#long += 1;
    this.#ofRank[rank] += 1;
    account.held += 1;
    // Moves the account behind all others.
    this.#accounts.delete(account.owner.accountId);
    this.#accounts.set(account.owner.accountId, account);
    return { long, account, rank, asleep: false };
  }

  #startWaiting(): void {
    while (this.#waiting > 0 && this.#running < this.#limits.total && this.#startNext());
  }

  #startNext(): boolean {
    for (const rank of ORDERS[this.#given % ORDERS.length] ?? RANKS)
      for (const account of this.#accounts.values()) {
        if (account.waiting.length === 0 || account.owner.rank() !== rank) continue;
        const at = account.waiting.findIndex(({ long }) => this.#isFree(account, long));
        const [waiter] = at < 0 ? [] : account.waiting.splice(at, 1);
        if (!waiter) continue;
        waiter.start(this.#occupy(account, waiter.long));
        return true;
      }
    return false;
  }

  /** Refuses the newest task of the account with the most waiting; in a tie, the one just added. */
  #refuseOne(newcomer: Account): void {
    let longest = newcomer;
    for (const account of this.#accounts.values())
      if (account.waiting.length > longest.waiting.length) longest = account;
    const { refusal = REFUSAL } = this.#limits;
    longest.waiting.pop()?.refuse(new SkillError(refusal, { failure: 'TOOL_UNAVAILABLE' }));
    this.#forgetIfDone(longest);
  }
}
