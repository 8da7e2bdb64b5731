import {
  accountProcedure,
  MANAGER_ERRORS,
  managerProcedure,
  router,
  sessionProcedure,
} from '../../core/trpc/procedures';
import { addKeyCredits } from './add-key-credits';
import { createKey } from './create-key';
import { getKey, listKeys } from './get-key';
import { renameKey } from './rename-key';
import { revokeKey } from './revoke-key';
import {
  addKeyCreditsInput,
  apiKeySchema,
  createdKeySchema,
  createKeyInput,
  keyIdInput,
  keyListSchema,
  managesAccountInput,
  renameKeyInput,
  revokedKeySchema,
} from './schema';
import { setManagesAccount } from './set-manages-account';

export const keysRouter = router({
  create: managerProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/keys',
        operationId: 'createKey',
        tags: ['Keys'],
        summary: 'Create a key',
        description:
          'A new key of the account. Its secret is in this answer and nowhere else. The body may be left out.',
        protect: true,
      },
      rest: {
        successStatus: 201,
        idempotent: true,
        errors: MANAGER_ERRORS,
      },
    })
    .input(createKeyInput.default({}))
    .output(createdKeySchema)
    .mutation(({ ctx, input }) => createKey(ctx, input)),

  list: accountProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/keys',
        operationId: 'listKeys',
        tags: ['Keys'],
        summary: 'List keys',
        description: 'All keys of the account, masked, newest first; revoked ones too.',
        protect: true,
      },
      rest: { errors: ['AUTH_REQUIRED', 'AUTH_FAILED'] },
    })
    .output(keyListSchema)
    .query(({ ctx }) => listKeys(ctx.runtime, ctx.actor)),

  get: accountProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/keys/{id}',
        operationId: 'getKey',
        tags: ['Keys'],
        summary: 'Get a key',
        description: 'One key, masked, with what it has spent and may still spend.',
        protect: true,
      },
      rest: { errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'NOT_FOUND'] },
    })
    .input(keyIdInput)
    .output(apiKeySchema)
    .query(({ ctx, input }) => getKey(ctx.runtime, ctx.actor, input.id)),

  revoke: managerProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/keys/{id}',
        operationId: 'revokeKey',
        tags: ['Keys'],
        summary: 'Revoke a key',
        description:
          'Refused from its next request on; calls that run are finished and charged. It cannot be undone.',
        protect: true,
      },
      rest: { errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'KEY_RESTRICTED', 'NOT_FOUND'] },
      whileFrozen: true,
    })
    .input(keyIdInput)
    .output(revokedKeySchema)
    .mutation(({ ctx, input }) => revokeKey(ctx.runtime, ctx.actor, input.id)),

  addCredits: managerProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/keys/{id}/credits',
        operationId: 'addKeyCredits',
        tags: ['Keys'],
        summary: 'Add to the allowance of a key',
        description: 'An allowance limits a key inside its account; it creates no money.',
        protect: true,
      },
      rest: {
        idempotent: true,
        errors: [...MANAGER_ERRORS, 'NOT_FOUND'],
      },
    })
    .input(addKeyCreditsInput)
    .output(apiKeySchema)
    .mutation(({ ctx, input }) => addKeyCredits(ctx, input)),

  rename: managerProcedure
    .input(renameKeyInput)
    .output(apiKeySchema)
    .mutation(({ ctx, input }) => renameKey(ctx.runtime, ctx.actor, input.id, input.name)),

  setManagesAccount: sessionProcedure
    .input(managesAccountInput)
    .output(apiKeySchema)
    .mutation(({ ctx, input }) => setManagesAccount(ctx.runtime, ctx.actor, input)),
});
