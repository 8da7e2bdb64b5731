import { TRPCError, type TRPCProcedureType } from '@trpc/server';
import { accountFrozen } from '../errors/account-frozen';
import type { ErrorCode } from '../errors/catalogue';
import { GatewayError } from '../errors/gateway-error';
import { callRateHeaders } from '../limits/rate-headers';
import type { Actor, KeyActor, SessionActor } from './actor';
import type { PayableContext, RequestContext } from './context';
import { type ProcedureMeta, t } from './init';

export const router = t.router;

/** Anyone. */
export const openProcedure = t.procedure;

/**
 * Of a frozen account no key does anything; its person reads in the browser, ends sessions, revokes
 * keys and takes secrets back.
 */
function refuseFrozen(actor: Actor, type: TRPCProcedureType, meta?: ProcedureMeta): void {
  const mayGoOn = actor.kind !== 'key' && (type === 'query' || meta?.whileFrozen === true);
  if (actor.accountFrozen && !mayGoOn) throw accountFrozen();
}

/**
 * Whoever has an account: by API key on REST, by session in the dashboard. The account is
 * `ctx.actor.accountId`.
 */
export const accountProcedure = t.procedure.use(async ({ ctx, meta, type, next }) => {
  const actor = await ctx.runtime.actors.resolve(ctx, meta?.rest?.sessionAllowed ?? false);
  ctx.reply.actor = actor;
  refuseFrozen(actor, type, meta);
  return await next({ ctx: { actor } });
});

/**
 * A key within bounds of its own may not widen them: neither keys, nor purchases, nor settings
 * (threats F8).
 */
function refuseRestricted(actor: Actor): void {
  if (actor.kind === 'key' && actor.restricted) throw new GatewayError('KEY_RESTRICTED');
}

/** What every route of `managerProcedure` that reads input may refuse with. */
export const MANAGER_ERRORS = [
  'INVALID_INPUT',
  'AUTH_REQUIRED',
  'AUTH_FAILED',
  'CLAIM_REQUIRED',
  'FORBIDDEN',
  'KEY_RESTRICTED',
] as const satisfies readonly ErrorCode[];

/** Those who may manage the account: a signed-in person, or a key without restrictions. */
export const managerProcedure = accountProcedure.use(async ({ ctx, next }) => {
  refuseRestricted(ctx.actor);
  return await next();
});

/** The key as it stands now; the answer says where its call windows stand, a refusal too. */
async function currentKey(ctx: RequestContext, meta: ProcedureMeta | undefined): Promise<KeyActor> {
  const actor = await ctx.runtime.actors.resolve(ctx, false);
  if (actor.kind !== 'key') throw new GatewayError('AUTH_REQUIRED');
  ctx.reply.actor = actor;
  if (meta?.rest?.rateLimited)
    Object.assign(ctx.reply.headers, callRateHeaders(actor.windows, ctx.runtime.quotas));
  if (actor.accountFrozen) throw accountFrozen();
  return actor;
}

/** An API key only. */
export const keyProcedure = t.procedure.use(async ({ ctx, meta, next }) =>
  next({ ctx: { actor: await currentKey(ctx, meta) } }),
);

/**
 * An API key only. One seen lately goes ahead as remembered: the statement that opens a call
 * decides on it anyway. What ends without that decision is asked again with the key looked up, so
 * that no refusal comes from memory. Hence only for an act that neither answers nor leaves anything
 * behind before it has that decision.
 */
export const rememberedKeyProcedure = t.procedure.use(async ({ ctx, meta, next }) => {
  // A stored response is returned without the statement that would check the key.
  const remembered = ctx.idempotencyKey === undefined ? ctx.runtime.actors.recall(ctx) : null;
  if (remembered) {
    ctx.reply.actor = remembered;
    const result = await next({ ctx: { actor: remembered } });
    if (ctx.reply.keyConfirmed) return result;
  }
  return await next({ ctx: { actor: await currentKey(ctx, meta) } });
});

/**
 * A key that may manage the account, or instead of it a payment for what such a key has asked for
 * before; which account that is, the payment says.
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

/** A signed-in person only. */
export const sessionProcedure = t.procedure.use(async ({ ctx, meta, type, next }) => {
  const actor = await ctx.runtime.actors.resolve(ctx, true);
  if (actor.kind !== 'session') throw new GatewayError('AUTH_REQUIRED');
  refuseFrozen(actor, type, meta);
  const sessionActor: SessionActor = actor;
  return await next({ ctx: { actor: sessionActor } });
});

/**
 * An operator of this gateway only, asked anew with each request. For everyone else the procedure
 * is one that does not exist: the same answer as for an unknown name, before any input is read.
 */
export const operatorProcedure = t.procedure.use(async ({ ctx, path, next }) => {
  const operator = await ctx.runtime.actors.findOperator(ctx);
  if (!operator) throw new TRPCError({ code: 'NOT_FOUND', message: `No procedure found on path "${path}"` });
  return await next({ ctx: { operator } });
});
