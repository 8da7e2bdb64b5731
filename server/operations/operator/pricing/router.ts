import { operatorProcedure, router } from '../../../core/trpc/procedures';
import { toActor } from '../operator';
import { doneSchema } from '../schema';
import { getToolPrices } from './get-tool-prices';
import { setToolPriceInput, toolPricesInput, toolPricesSchema } from './schema';
import { setToolPrice } from './set-tool-price';

/** Prices of built-in tools. */
export const pricingRouter = router({
  get: operatorProcedure
    .input(toolPricesInput)
    .output(toolPricesSchema)
    .query(({ ctx, input }) => getToolPrices(ctx.runtime, input.tool)),
  set: operatorProcedure
    .input(setToolPriceInput)
    .output(doneSchema)
    .mutation(({ ctx, input }) => setToolPrice(ctx.runtime, toActor(ctx), input)),
});
