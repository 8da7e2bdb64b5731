import { z } from 'zod';
import {
  keyProcedure,
  MANAGER_ERRORS,
  managerProcedure,
  openProcedure,
  router,
  sessionProcedure,
} from '../core/trpc/procedures';
import {
  endViewerSession,
  getViewer,
  listViewerSessions,
  renameViewer,
} from '../identity/accounts/manage-profile';
import {
  claimInput,
  claimPreviewInput,
  claimPreviewSchema,
  claimResultSchema,
  provisionInput,
  provisionResponseSchema,
  sessionListSchema,
  updateProfileInput,
  viewerSchema,
} from '../identity/accounts/schema';
import { optionalCodeInput } from '../identity/factor/schema';
import { claimAccount } from './claim-account';
import { deleteAccount } from './delete-account';
import { getMe } from './get-me';
import { previewClaimForViewer } from './preview-claim';
import { provisionKey } from './provision-key';
import { meSchema } from './schema';

const done = z.object({ success: z.literal(true) });

export const authRouter = router({
  me: keyProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/me',
        operationId: 'getMe',
        tags: ['Accounts'],
        summary: 'Who am I?',
        description:
          'The key of the request, its account, the limits with what remains of them, and what may still be spent and stored. Uses no quota.',
        protect: true,
      },
      rest: { errors: ['AUTH_REQUIRED', 'AUTH_FAILED', 'FORBIDDEN', 'NOT_FOUND'] },
    })
    .output(meSchema)
    .query(({ ctx }) => getMe(ctx.runtime, ctx.actor)),

  provision: openProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/auth/provision',
        operationId: 'provisionKey',
        tags: ['Accounts'],
        summary: 'Get a key without signing up',
        description:
          'Issues a key for free tools. A person can claim it later with claim_url; its balance and history are preserved. Limited per client address; FORBIDDEN where the operator has closed it.',
      },
      rest: { successStatus: 201, errors: ['INVALID_INPUT', 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED'] },
    })
    .input(provisionInput)
    .output(provisionResponseSchema)
    .mutation(({ ctx }) => provisionKey(ctx)),

  claim: managerProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/auth/claim',
        operationId: 'claimAccount',
        tags: ['Accounts'],
        summary: 'Claim a provisioned key',
        description:
          'Moves the keys, credit, history and reviews of a provisional account to yours. The keys keep working, and may manage the account only with `manages_account`. Works once; the same account can repeat it and gets the same response.',
        protect: true,
      },
      rest: {
        sessionAllowed: true,
        errors: [...MANAGER_ERRORS, 'NOT_FOUND', 'CLAIM_CONFLICT'],
      },
    })
    .input(claimInput)
    .output(claimResultSchema)
    .mutation(({ ctx, input }) => claimAccount(ctx, input)),

  claimPreview: openProcedure
    .input(claimPreviewInput)
    .output(claimPreviewSchema)
    .query(({ ctx, input }) => previewClaimForViewer(ctx, input.token)),

  viewer: sessionProcedure.output(viewerSchema).query(({ ctx }) => getViewer(ctx.runtime, ctx.actor)),

  updateProfile: sessionProcedure
    .input(updateProfileInput)
    .output(viewerSchema)
    .mutation(({ ctx, input }) => renameViewer(ctx.runtime, ctx.actor, input.name)),

  sessions: sessionProcedure
    .output(sessionListSchema)
    .query(({ ctx }) => listViewerSessions(ctx.runtime, ctx.actor)),

  endSession: sessionProcedure
    .meta({ whileFrozen: true })
    .input(z.object({ id: z.string().min(1).max(128) }))
    .output(done)
    .mutation(({ ctx, input }) => endViewerSession(ctx.runtime, ctx.actor, input.id)),

  deleteAccount: sessionProcedure
    .input(optionalCodeInput)
    .output(done)
    .mutation(({ ctx, input }) => deleteAccount(ctx.runtime, ctx.actor, input.code)),
});
