import { TRPCError, type TRPCProcedureType } from '@trpc/server';
import { accountFrozen } from '../errors/account-frozen';
import type { ErrorCode } from '../errors/catalogue';
import { GatewayError } from '../errors/gateway-error';
import { limitQuotas } from '../limits/key-rules';
import { callRateHeaders } from '../limits/rate-headers';
import { type Actor, type KeyActor, PAYER_ACTOR, type SessionActor } from './actor';
import type { KeyContext, PayableContext, Payer, RequestContext } from './context';
import { type ProcedureMeta, t } from './init';

export const router = t.router;

/** Open to everyone. */
export const openProcedure = t.procedure;

/**
 * Rejects the keys of a frozen account, and its session except for reads and `whileFrozen` changes
 * (end sessions, revoke keys, reclaim secrets).
 */
function refuseFrozen(actor: Actor, type: TRPCProcedureType, meta?: ProcedureMeta): void {
  const mayGoOn = actor.kind !== 'key' && (type === 'query' || meta?.whileFrozen === true);
  if (actor.accountFrozen && !mayGoOn) throw accountFrozen();
}

/** Runs a query in turn with those of other accounts (threats F41). */
async function inTurn<Result>(
  { ctx, type, meta }: { ctx: RequestContext; type: TRPCProcedureType; meta: ProcedureMeta | undefined },
  actor: Actor,
  next: () => Promise<Result>,
): Promise<Result> {
  const kind = meta?.reads ?? 'read';
  if (type !== 'query' || kind === 'follow') return await next();
  return await ctx.runtime.reads.inTurn(kind, { actor, signal: ctx.signal }, next);
}

/** Requires an account: an API key on REST, a session in the dashboard. Sets `ctx.actor`. */
export const accountProcedure = t.procedure.use(async ({ ctx, meta, type, next }) => {
  const actor = await ctx.runtime.actors.resolve(ctx, meta?.rest?.sessionAllowed ?? false);
  ctx.reply.actor = actor;
  refuseFrozen(actor, type, meta);
  return await inTurn({ ctx, type, meta }, actor, () => next({ ctx: { actor } }));
});

/** A restricted key may not lift its limits: no keys, purchases or settings (threats F8). */
function refuseRestricted(actor: Actor): void {
  if (actor.kind === 'key' && actor.restricted) throw new GatewayError('KEY_RESTRICTED');
}

/** Errors of every `managerProcedure` route that reads input. */
export const MANAGER_ERRORS = [
  'INVALID_INPUT',
  'AUTH_REQUIRED',
  'AUTH_FAILED',
  'CLAIM_REQUIRED',
  'FORBIDDEN',
  'KEY_RESTRICTED',
] as const satisfies readonly ErrorCode[];

/** Requires permission to manage the account: a signed-in person, or a key without restrictions. */
export const managerProcedure = accountProcedure.use(async ({ ctx, next }) => {
  refuseRestricted(ctx.actor);
  return await next();
});

/** Reads the key from the database. Sets the rate limit headers, also for errors. */
async function currentKey(ctx: RequestContext, meta: ProcedureMeta | undefined): Promise<KeyActor> {
  const actor = await ctx.runtime.actors.resolve(ctx, false);
  if (actor.kind !== 'key') throw new GatewayError('AUTH_REQUIRED');
  ctx.reply.actor = actor;
  if (meta?.rest?.rateLimited)
    Object.assign(
      ctx.reply.headers,
      callRateHeaders(actor.windows, limitQuotas(ctx.runtime.quotas, actor.rules)),
    );
  if (actor.accountFrozen) throw accountFrozen();
  return actor;
}

/** Requires an API key. */
export const keyProcedure = t.procedure.use(async ({ ctx, meta, type, next }) => {
  const actor = await currentKey(ctx, meta);
  return await inTurn({ ctx, type, meta }, actor, () => next({ ctx: { actor } }));
});

/** The key of a call, or the client that pays for it. */
type Caller = Pick<KeyContext, 'actor' | 'confirmActor'> & { payer: Payer | undefined };

/** A client that may pay for its call instead of sending a key. */
function findPayer({ credentials }: RequestContext, meta: ProcedureMeta | undefined): Payer | undefined {
  if (!meta?.rest?.payPerCall) return undefined;
  const { kind } = credentials;
  return kind === 'none' || kind === 'payment' || kind === 'x402' ? credentials : undefined;
}

/**
 * Requires an API key, or with PAY_PER_CALL a client that pays. A cached key runs at once, because
 * the statement that admits a call checks it anyway. For every other refusal the procedure asks
 * `confirmActor`, so that none is based on cached data.
 */
export const cachedKeyProcedure = t.procedure.use(async ({ ctx, meta, next }) => {
  // Replaying a stored response skips the statement that would check the key.
  const cached = ctx.idempotencyKey === undefined ? ctx.runtime.actors.recall(ctx) : null;
  if (!cached) {
    const payer = ctx.runtime.settings.payPerCall ? findPayer(ctx, meta) : undefined;
    const actor = payer ? PAYER_ACTOR : await currentKey(ctx, meta);
    const caller: Caller = { actor, confirmActor: undefined, payer };
    return await next({ ctx: caller });
  }
  ctx.reply.actor = cached;
  const confirmActor = () => currentKey(ctx, meta);
  const caller: Caller = { actor: cached, confirmActor, payer: undefined };
  const result = await next({ ctx: caller });
  // The body was refused, before the procedure ran.
  if (!result.ok && result.error.code === 'BAD_REQUEST') await confirmActor();
  return result;
});

/**
 * Requires a key that may manage the account, or a payment for an earlier request of such a key.
 * The payment identifies the account.
 */
export const payableProcedure = t.procedure.use(async ({ ctx, meta, next }) => {
  const { credentials } = ctx;
  let payer: PayableContext['payer'];
  if (credentials.kind === 'payment') payer = credentials;
  else {
    payer = { kind: 'key', actor: await currentKey(ctx, meta) };
    refuseRestricted(payer.actor);
  }
  return await next({ ctx: { payer } });
});

/** Requires a signed-in person. */
export const sessionProcedure = t.procedure.use(async ({ ctx, meta, type, next }) => {
  const actor = await ctx.runtime.actors.resolve(ctx, true);
  if (actor.kind !== 'session') throw new GatewayError('AUTH_REQUIRED');
  ctx.reply.actor = actor;
  refuseFrozen(actor, type, meta);
  const sessionActor: SessionActor = actor;
  return await inTurn({ ctx, type, meta }, actor, () => next({ ctx: { actor: sessionActor } }));
});

/**
 * Requires an operator, checked on every request. For everyone else the procedure does not exist:
 * they get the response for an unknown name, before any input is read. Support may only read.
 */
export const operatorProcedure = t.procedure.use(async ({ ctx, path, type, next }) => {
  const operator = await ctx.runtime.actors.findOperator(ctx);
  if (!operator) throw new TRPCError({ code: 'NOT_FOUND', message: `No procedure found on path "${path}"` });
  if (operator.readOnly && type !== 'query')
    throw new GatewayError('FORBIDDEN', {
      message: 'Your role is support: you may read these pages, and change nothing.',
      hint: 'Ask an operator of this gateway.',
    });
  return await next({ ctx: { operator } });
});
