import type { LedgerKind } from '@/db/schema/ledger';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { usdFromMicrousd } from '../../kit/money';
import { chooseAccount } from './choose-account';
import type { ledgerKinds, Statement, StatementLine } from './schema';
import {
  findMoney,
  listEntries,
  type StatementFilter,
  type StatementPosition,
  type StatementRow,
} from './statement-store';

type WireKind = (typeof ledgerKinds)[number];

/** The part of a statement to return; days are UTC, both inclusive. */
export interface StatementRequest {
  billing?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  kind?: WireKind | undefined;
}

/** The ledger's kinds of each kind that a statement shows. */
export const KINDS: Record<WireKind, readonly LedgerKind[]> = {
  call: ['call'],
  grant: ['grant'],
  claim: ['claim_in', 'claim_out'],
  purchase: ['purchase'],
  refund: ['refund'],
  dispute: ['dispute'],
};

/**
 * Every movement of an account's money, newest first, with its cause and the balance after it.
 * @throws GatewayError FORBIDDEN for another user's account, INVALID_INPUT for an invalid cursor
 */
export async function getStatement(
  runtime: Pick<Runtime, 'db'>,
  actor: Actor,
  request: StatementRequest & { limit: number; cursor?: string | undefined },
): Promise<Statement> {
  return await readAccountStatement(
    runtime,
    await chooseAccount(runtime, actor, request.billing, 'member'),
    request,
  );
}

/**
 * The statement of an account that the caller has authorised.
 * @throws GatewayError INVALID_INPUT for an invalid cursor
 */
export async function readAccountStatement(
  runtime: Pick<Runtime, 'db'>,
  { id, name, slug }: { id: string; name: string; slug: string | null },
  request: StatementRequest & { limit: number; cursor?: string | undefined },
): Promise<Statement> {
  const position = request.cursor === undefined ? null : readCursor(request.cursor);
  const rows = await listEntries(runtime.db, id, toFilter(request), position, request.limit + 1);
  const money = await findMoney(runtime.db, id);
  const shown = rows.slice(0, request.limit);
  const last = shown.at(-1);
  return {
    account: { id, name, slug },
    balance_usd: usdFromMicrousd(money.net),
    held_usd: usdFromMicrousd(money.held),
    debt_usd: usdFromMicrousd(money.debt),
    disputed: money.disputed,
    lines: shown.map(toLine),
    next_cursor: last && rows.length > shown.length ? cursorAfter(last) : null,
  };
}

function toFilter({ from, to, kind }: StatementRequest): StatementFilter {
  return { from, to, kinds: kind && KINDS[kind] };
}

/** Begins the cause of a grant that a redeemed promo code made. */
export const PROMO_PREFIX = 'promo:';

/** Whether a line is the credit of a promo code, which its description names. */
export function isPromoLine({ kind, ref }: Pick<StatementLine, 'kind' | 'ref'>): boolean {
  return kind === 'grant' && ref.startsWith(PROMO_PREFIX);
}

/** Yields a statement page by page, for exports. The caller has authorised the account. */
export async function* walkStatement(
  runtime: Pick<Runtime, 'db'>,
  accountId: string,
  request: StatementRequest,
  pageSize: number,
): AsyncGenerator<StatementLine[]> {
  let position: StatementPosition | null = null;
  for (;;) {
    const rows: StatementRow[] = await listEntries(
      runtime.db,
      accountId,
      toFilter(request),
      position,
      pageSize,
    );
    if (rows.length > 0) yield rows.map(toLine);
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    position = { before: last.id, balance: last.balance - last.amount };
  }
}

/** Position and balance below an entry, so that the next page need not sum from the top. */
function cursorAfter({ id, balance, amount }: StatementRow): string {
  return `${id}.${balance - amount}`;
}

function readCursor(cursor: string): StatementPosition {
  const [, before, balance] = /^(\d{1,18})\.(-?\d{1,18})$/.exec(cursor) ?? [];
  if (before === undefined || balance === undefined)
    throw new GatewayError('INVALID_INPUT', {
      message: 'cursor: Must be the next_cursor of an earlier response.',
      details: { fields: [{ path: 'cursor', message: 'Must be the next_cursor of an earlier response.' }] },
    });
  return { before: BigInt(before), balance: BigInt(balance) };
}

const PAYMENT_KINDS: ReadonlySet<LedgerKind> = new Set(['purchase', 'refund', 'dispute']);

/** An entry as a line, with its cause for people. */
export function toLine(row: StatementRow): StatementLine {
  const isPayment = PAYMENT_KINDS.has(row.kind);
  const paymentId = row.ref.slice(0, row.ref.lastIndexOf(':'));
  return {
    id: String(row.id),
    at: new Date(row.created_at).toISOString(),
    kind: row.kind === 'claim_in' || row.kind === 'claim_out' ? 'claim' : row.kind,
    description: describe(row),
    ref: isPayment ? paymentId : row.ref,
    payment_id: isPayment ? paymentId : null,
    amount_usd: usdFromMicrousd(row.amount),
    balance_usd: usdFromMicrousd(row.balance),
  };
}

function describe({ kind, ref, tool, skill, memo }: StatementRow): string {
  switch (kind) {
    case 'call':
      return tool && skill ? `${tool}.${skill}` : 'Call';
    case 'grant':
      if (memo && ref.startsWith(PROMO_PREFIX)) return memo;
      return memo ? `Credit granted: ${memo}` : 'Credit granted';
    case 'claim_in':
      return 'Credit from a claimed account';
    case 'claim_out':
      return 'Credit moved to the account that claimed this one';
    case 'purchase':
      return memo ?? 'Credit bought';
    case 'refund':
      return memo ?? 'Refund';
    case 'dispute':
      return memo ?? 'Dispute';
    default:
      return kind satisfies never;
  }
}
