import { z } from 'zod';
import { operatorProcedure, router } from '../../core/trpc/procedures';
import { listPlans, removePlan, savePlan, setAccountLimits } from '../../identity/plans/manage-plans';
import { limitsChoiceSchema, planIdInput, planInput, planListSchema } from '../../identity/plans/schema';
import {
  getSignUpState,
  inviteToSignUp,
  listSignUpInvitations,
  removeSignUpInvitation,
  setSignUp,
} from '../../identity/sign-up/manage-sign-up';
import {
  invitedToSignUpSchema,
  inviteToSignUpInput,
  setSignUpInput,
  signUpInvitationIdInput,
  signUpInvitationsInput,
  signUpInvitationsSchema,
  signUpStateSchema,
} from '../../identity/sign-up/schema';
import { createPromo, deactivatePromo, listPromos, listRedemptions } from '../../money/promos/manage-promos';
import {
  createPromoInput,
  promoIdInput,
  promoListInput,
  promoListSchema,
  redemptionListSchema,
  redemptionsInput,
} from '../../money/promos/schema';
import { toActor } from './operator';
import { accountInput, doneSchema } from './schema';

const idSchema = z.object({ id: z.string() });

/** Plans, and the limits that accounts get. */
export const plansRouter = router({
  list: operatorProcedure.output(planListSchema).query(({ ctx }) => listPlans(ctx.runtime)),
  save: operatorProcedure
    .input(planInput)
    .output(idSchema)
    .mutation(({ ctx, input }) => savePlan(ctx.runtime, toActor(ctx), input)),
  remove: operatorProcedure
    .input(planIdInput)
    .output(doneSchema)
    .mutation(async ({ ctx, input }) => {
      await removePlan(ctx.runtime, toActor(ctx), input.id);
      return { changed: true };
    }),
  assign: operatorProcedure
    .input(accountInput.extend({ limits: limitsChoiceSchema }))
    .output(doneSchema)
    .mutation(async ({ ctx, input }) => {
      await setAccountLimits(ctx.runtime, toActor(ctx), input.account_id, input.limits);
      return { changed: true };
    }),
});

/** Promo codes. Support sees them masked. */
export const promosRouter = router({
  list: operatorProcedure
    .input(promoListInput)
    .output(promoListSchema)
    .query(({ ctx, input }) =>
      listPromos(ctx.runtime, { cursor: input.cursor, masked: ctx.operator.readOnly }),
    ),
  redemptions: operatorProcedure
    .input(redemptionsInput)
    .output(redemptionListSchema)
    .query(({ ctx, input }) => listRedemptions(ctx.runtime, input)),
  create: operatorProcedure
    .input(createPromoInput)
    .output(idSchema)
    .mutation(({ ctx, input }) => createPromo(ctx.runtime, toActor(ctx), input)),
  deactivate: operatorProcedure
    .input(promoIdInput)
    .output(doneSchema)
    .mutation(async ({ ctx, input }) => ({
      changed: await deactivatePromo(ctx.runtime, toActor(ctx), input.id),
    })),
});

/** Who may sign up. */
export const signUpRouter = router({
  get: operatorProcedure.output(signUpStateSchema).query(({ ctx }) => getSignUpState(ctx.runtime)),
  set: operatorProcedure
    .input(setSignUpInput)
    .output(doneSchema)
    .mutation(async ({ ctx, input }) => {
      await setSignUp(ctx.runtime, toActor(ctx), input);
      return { changed: true };
    }),
  invitations: operatorProcedure
    .input(signUpInvitationsInput)
    .output(signUpInvitationsSchema)
    .query(({ ctx, input }) => listSignUpInvitations(ctx.runtime, input.cursor)),
  invite: operatorProcedure
    .input(inviteToSignUpInput)
    .output(invitedToSignUpSchema)
    .mutation(({ ctx, input }) => inviteToSignUp(ctx.runtime, toActor(ctx), input.email)),
  uninvite: operatorProcedure
    .input(signUpInvitationIdInput)
    .output(doneSchema)
    .mutation(async ({ ctx, input }) => ({
      changed: await removeSignUpInvitation(ctx.runtime, toActor(ctx), input.id),
    })),
});
