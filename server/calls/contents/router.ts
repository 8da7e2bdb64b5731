import { router, sessionProcedure } from '../../core/trpc/procedures';
import { changeContentSettings, getContentSettings } from './content-settings';
import { getContent } from './get-content';
import {
  changeContentInput,
  contentAccountInput,
  contentInput,
  contentSchema,
  contentSettingsSchema,
} from './schema';

/** For signed-in people only: an agent has its inputs and outputs, and needs no copy. */
export const callContentsRouter = router({
  get: sessionProcedure
    .input(contentInput)
    .output(contentSchema)
    .query(({ ctx, input }) => getContent(ctx.runtime, ctx.actor, input.call_id)),

  settings: sessionProcedure
    .input(contentAccountInput)
    .output(contentSettingsSchema)
    .query(({ ctx, input }) => getContentSettings(ctx.runtime, ctx.actor, input.billing)),

  change: sessionProcedure
    .input(changeContentInput)
    .output(contentSettingsSchema)
    .mutation(({ ctx, input }) => changeContentSettings(ctx.runtime, ctx.actor, input)),
});
