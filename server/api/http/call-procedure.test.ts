import { initTRPC, TRPCError } from '@trpc/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RequestContext } from '../../core/trpc/context';
import { callProcedure } from './call-procedure';

const t = initTRPC.context<{ seen: string[] }>().meta<{ name: string }>().create();
const logged = t.procedure.use(async ({ ctx, meta, path, type, next, getRawInput }) => {
  ctx.seen.push(`${path} ${type} ${meta?.name} ${JSON.stringify(await getRawInput())}`);
  const result = await next({ ctx: { ...ctx, added: 1 } });
  ctx.seen.push(result.ok ? 'ok' : result.error.code);
  return result;
});
const procedure = logged
  .meta({ name: 'probe' })
  .input(z.object({ n: z.number().transform((n) => n + 1) }))
  .use(({ ctx, next }) => next({ ctx: { more: ctx.added + 1 } }))
  .output(z.object({ n: z.number(), more: z.number() }))
  .mutation(({ ctx, input }) => {
    if (input.n === 3) throw new TRPCError({ code: 'FORBIDDEN', message: 'three' });
    if (input.n === 4) throw new RangeError('four');
    return input.n === 5 ? ({ wrong: true } as never) : { n: input.n, more: ctx.more, extra: 1 };
  });

async function outcome(call: (ctx: { seen: string[] }) => Promise<unknown>) {
  const ctx = { seen: [] as string[] };
  try {
    return { data: await call(ctx), seen: ctx.seen };
  } catch (error) {
    const { code, message, cause } = error as TRPCError;
    return { code, message, cause: cause?.constructor.name, seen: ctx.seen };
  }
}

describe('callProcedure', () => {
  it.each([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }, { n: 'one' }, {}, null, undefined])(
    "returns and throws for %j what tRPC's own caller does",
    async (input) => {
      const options = { path: 'probe', type: 'mutation' as const, getRawInput: async () => input };
      const ours = await outcome((ctx) =>
        callProcedure(procedure, { ...options, ctx: ctx as unknown as RequestContext }),
      );
      const theirs = await outcome((ctx) =>
        procedure({ ...options, ctx, signal: undefined, input: undefined, batchIndex: 0 } as never),
      );
      expect(ours).toEqual(theirs);
      expect(ours.seen).toHaveLength(2);
    },
  );
});
