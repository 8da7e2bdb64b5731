import {
  accountProcedure,
  MANAGER_ERRORS,
  managerProcedure,
  router,
  sessionProcedure,
} from '../../core/trpc/procedures';
import { accountLimitsSchema } from '../plans/schema';
import { addKeyCredits } from './add-key-credits';
import { createKey } from './create-key';
import { getVisibleKey, listVisibleKeys } from './get-key';
import { getKeyLimits, getKeyPage } from './get-key-page';
import { revokeKey } from './revoke-key';
import { rotateKey } from './rotate-key';
import {
  addKeyCreditsInput,
  apiKeySchema,
  createdKeySchema,
  createKeyInput,
  creditLimitInput,
  keyIdInput,
  keyLimitsInput,
  keyListInput,
  keyListSchema,
  keyPageSchema,
  managesAccountInput,
  revokedKeySchema,
  rotateKeyInput,
  updateKeyInput,
} from './schema';
import { setCreditLimit } from './set-credit-limit';
import { setManagesAccount } from './set-manages-account';
import { updateKey } from './update-key';

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
          'Creates a key. The secret is returned only in this response. The body is optional. A key with a credit limit or rules may not manage the account. With `billing`, the key belongs to a team, for its owner and admins: it charges the team only, and never manages it.',
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
        description:
          'Lists all keys of the account, or of a team you are in, masked, newest first, including revoked keys.',
        protect: true,
      },
      rest: { errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'FORBIDDEN', 'KEY_RESTRICTED'] },
    })
    .input(keyListInput)
    .output(keyListSchema)
    .query(({ ctx, input }) => listVisibleKeys(ctx.runtime, ctx.actor, input.billing)),

  get: accountProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/keys/{id}',
        operationId: 'getKey',
        tags: ['Keys'],
        summary: 'Get a key',
        description: 'Returns one key, masked, with its spending and what is left of its credit limit.',
        protect: true,
      },
      rest: { errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'NOT_FOUND'] },
    })
    .input(keyIdInput)
    .output(apiKeySchema)
    .query(({ ctx, input }) => getVisibleKey(ctx.runtime, ctx.actor, input.id)),

  revoke: managerProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/keys/{id}',
        operationId: 'revokeKey',
        tags: ['Keys'],
        summary: 'Revoke a key',
        description:
          'Revokes a key: its next request is refused; running calls finish and are charged. This cannot be undone.',
        protect: true,
      },
      rest: {
        errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'FORBIDDEN', 'KEY_RESTRICTED', 'NOT_FOUND'],
      },
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
        summary: 'Raise the credit limit of a key',
        description: 'Adds to what the key may spend within the account. It adds no credit to the account.',
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

  update: managerProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/v1/keys/{id}',
        operationId: 'updateKey',
        tags: ['Keys'],
        summary: 'Change a key',
        description:
          'Changes the name, tags and rules of a key, from its next request on. Omitted fields stay as they are; null removes a rule. A key may not change its own rules.',
        protect: true,
      },
      rest: { errors: [...MANAGER_ERRORS, 'NOT_FOUND'] },
    })
    .input(updateKeyInput)
    .output(apiKeySchema)
    .mutation(({ ctx, input }) => updateKey(ctx.runtime, ctx.actor, input)),

  rotate: managerProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/keys/{id}/rotate',
        operationId: 'rotateKey',
        tags: ['Keys'],
        summary: 'Replace the secret of a key',
        description:
          'Gives the key a new secret, returned only in this response; its id, history and limits stay. The current secret works until the grace ends, one from an earlier rotation stops at once.',
        protect: true,
      },
      rest: { idempotent: true, errors: [...MANAGER_ERRORS, 'NOT_FOUND'] },
    })
    .input(rotateKeyInput)
    .output(createdKeySchema)
    .mutation(({ ctx, input }) => rotateKey(ctx, input)),

  page: sessionProcedure
    .meta({ reads: 'report' })
    .input(keyIdInput)
    .output(keyPageSchema)
    .query(({ ctx, input }) => getKeyPage(ctx.runtime, ctx.actor, input.id)),

  setCreditLimit: sessionProcedure
    .input(creditLimitInput)
    .output(apiKeySchema)
    .mutation(({ ctx, input }) => setCreditLimit(ctx.runtime, ctx.actor, input)),

  setManagesAccount: sessionProcedure
    .input(managesAccountInput)
    .output(apiKeySchema)
    .mutation(({ ctx, input }) => setManagesAccount(ctx.runtime, ctx.actor, input)),

  limits: sessionProcedure
    .input(keyLimitsInput)
    .output(accountLimitsSchema)
    .query(({ ctx, input }) => getKeyLimits(ctx.runtime, ctx.actor, input)),
});
