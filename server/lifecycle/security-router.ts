import { z } from 'zod';
import { openProcedure, router, sessionProcedure } from '../core/trpc/procedures';
import { endOtherSessions } from '../identity/accounts/manage-profile';
import {
  confirmEmailChange,
  previewEmailChange,
  undoEmailChange,
} from '../identity/email-change/confirm-email-change';
import { requestEmailChange } from '../identity/email-change/request-email-change';
import {
  emailChangedSchema,
  emailChangeInput,
  emailChangePreviewSchema,
  emailTokenInput,
} from '../identity/email-change/schema';
import {
  factorCodeInput,
  factorSetupSchema,
  factorStateSchema,
  optionalCodeInput,
  recoveryCodesSchema,
} from '../identity/factor/schema';
import {
  beginFactor,
  disableFactor,
  enableFactor,
  getFactorState,
  renewRecoveryCodes,
} from '../identity/factor/set-up-factor';
import { completeSignIn } from '../identity/sessions/complete-sign-in';
import { startExport } from './export-data';

const done = z.object({ success: z.literal(true) });

/** How a person signs in: second factor, sessions and address. For pages only. */
export const securityRouter = router({
  /** Open: the session of a sign-in without its second factor is nobody's yet. */
  completeSignIn: openProcedure
    .input(factorCodeInput)
    .output(done)
    .mutation(({ ctx, input }) => completeSignIn(ctx, input.code)),

  factor: sessionProcedure
    .output(factorStateSchema)
    .query(({ ctx }) => getFactorState(ctx.runtime, ctx.actor)),
  beginFactor: sessionProcedure
    .output(factorSetupSchema)
    .mutation(({ ctx }) => beginFactor(ctx.runtime, ctx.actor)),
  enableFactor: sessionProcedure
    .input(factorCodeInput)
    .output(recoveryCodesSchema)
    .mutation(({ ctx, input }) => enableFactor(ctx.runtime, ctx.actor, input.code)),
  disableFactor: sessionProcedure
    .input(factorCodeInput)
    .output(done)
    .mutation(({ ctx, input }) => disableFactor(ctx.runtime, ctx.actor, input.code)),
  renewRecoveryCodes: sessionProcedure
    .input(factorCodeInput)
    .output(recoveryCodesSchema)
    .mutation(({ ctx, input }) => renewRecoveryCodes(ctx.runtime, ctx.actor, input.code)),

  endOtherSessions: sessionProcedure
    .meta({ whileFrozen: true })
    .output(z.object({ ended: z.int() }))
    .mutation(({ ctx }) => endOtherSessions(ctx.runtime, ctx.actor)),

  requestEmailChange: sessionProcedure
    .input(emailChangeInput)
    .output(done)
    .mutation(({ ctx, input }) => requestEmailChange(ctx.runtime, ctx.actor, input, ctx.clientIp)),
  previewEmailChange: openProcedure
    .input(emailTokenInput)
    .output(emailChangePreviewSchema)
    .query(({ ctx, input }) => previewEmailChange(ctx.runtime, input.token)),
  confirmEmailChange: openProcedure
    .input(emailTokenInput)
    .output(emailChangedSchema)
    .mutation(({ ctx, input }) => confirmEmailChange(ctx.runtime, input.token)),
  undoEmailChange: openProcedure
    .input(emailTokenInput)
    .output(emailChangedSchema)
    .mutation(({ ctx, input }) => undoEmailChange(ctx.runtime, input.token)),

  startExport: sessionProcedure
    .input(optionalCodeInput)
    .output(z.object({ path: z.string() }))
    .mutation(({ ctx, input }) => startExport(ctx.runtime, ctx.actor, input.code)),
});
