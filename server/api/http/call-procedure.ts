import { type AnyTRPCProcedure, getTRPCErrorFromUnknown } from '@trpc/server';
import type { RequestContext } from '../../core/trpc/context';

/** The context and input of one procedure call. */
export interface ProcedureCall {
  ctx: RequestContext;
  path: string;
  type: 'query' | 'mutation';
  getRawInput(): Promise<unknown>;
}

type Result = { ok: true; data: unknown } | { ok: false; error: Error };
type Next = { ctx?: object; input?: unknown; getRawInput?: () => Promise<unknown> } | undefined;
type Middleware = (options: object) => Promise<Result>;

/**
 * Calls a procedure through its middlewares, as tRPC's own caller does. tRPC's caller copies its
 * options four times per middleware, property by property through a helper for old browsers: a
 * fifth of a call's time outside the database.
 * @throws TRPCError as tRPC's caller would
 */
export async function callProcedure(procedure: AnyTRPCProcedure, call: ProcedureCall): Promise<unknown> {
  // Not part of the public type; call-procedure.test.ts compares the result with tRPC's own caller.
  const { middlewares, meta } = procedure._def as unknown as { middlewares: Middleware[]; meta: unknown };
  const { path, type } = call;
  const failed = (cause: unknown): Result => ({ ok: false, error: getTRPCErrorFromUnknown(cause) });
  // Not async and without await: on Node 20, with Next's hooks on promises, each one is measurable.
  const run = (
    index: number,
    ctx: object,
    input: unknown,
    getRawInput: () => Promise<unknown>,
  ): Promise<Result> => {
    const middleware = middlewares[index];
    if (!middleware) throw new Error(`${path} has no resolver`);
    const next = (more: Next) =>
      run(
        index + 1,
        more?.ctx ? Object.assign({}, ctx, more.ctx) : ctx,
        more && 'input' in more ? more.input : input,
        more?.getRawInput ?? getRawInput,
      );
    try {
      const options = { ctx, path, type, input, getRawInput, meta, next, signal: undefined, batchIndex: 0 };
      return middleware(options).catch(failed);
    } catch (cause) {
      return Promise.resolve(failed(cause));
    }
  };
  const result = await run(0, call.ctx, undefined, call.getRawInput);
  if (!result.ok) throw result.error;
  return result.data;
}
