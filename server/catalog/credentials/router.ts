import {
  accountProcedure,
  MANAGER_ERRORS,
  managerProcedure,
  openProcedure,
  router,
  sessionProcedure,
} from '../../core/trpc/procedures';
import { chooseDefault } from './choose-default';
import { listAccountRequirements } from './list-account-requirements';
import { listRequirements } from './list-requirements';
import { removeCredential } from './remove-credential';
import { saveCredential } from './save-credential';
import {
  accountRequirementListSchema,
  accountRequirementSchema,
  chooseDefaultInput,
  removeCredentialInput,
  removedCredentialSchema,
  requirementListSchema,
  saveCredentialInput,
} from './schema';

export const requirementsRouter = router({
  list: openProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/requirements',
        operationId: 'listRequirements',
        tags: ['Requirements'],
        summary: 'List providers',
        description: 'Lists the providers whose keys tools can use. Saving a key is optional.',
      },
      rest: { discovery: true, errors: [] },
    })
    .output(requirementListSchema)
    .query(({ ctx }) => listRequirements(ctx.runtime)),

  listOwn: accountProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/requirements',
        operationId: 'listAccountRequirements',
        tags: ['Requirements'],
        summary: 'List your provider keys',
        description: 'Lists all providers, with the keys that your account has saved, masked.',
        protect: true,
      },
      rest: { errors: ['AUTH_REQUIRED', 'AUTH_FAILED'] },
    })
    .output(accountRequirementListSchema)
    .query(({ ctx }) => listAccountRequirements(ctx.runtime, ctx.actor)),

  save: managerProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/v1/account/requirements/{name}',
        operationId: 'saveAccountRequirement',
        tags: ['Requirements'],
        summary: 'Save a provider key',
        description:
          'Saves a key, encrypted; it is never shown again. Calls that use it cost 5% of their price, and the provider bills you. An existing label gets the new value.',
        protect: true,
      },
      rest: {
        errors: [...MANAGER_ERRORS, 'NOT_FOUND'],
      },
    })
    .input(saveCredentialInput)
    .output(accountRequirementSchema)
    .mutation(({ ctx, input }) => saveCredential(ctx, input)),

  remove: managerProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/account/requirements/{name}',
        operationId: 'removeAccountRequirement',
        tags: ['Requirements'],
        summary: 'Remove provider keys',
        description:
          'Removes one key by its label, or all of the provider. If the default is removed, the oldest other key becomes the default.',
        protect: true,
      },
      whileFrozen: true,
      rest: { errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'KEY_RESTRICTED', 'NOT_FOUND'] },
    })
    .input(removeCredentialInput)
    .output(removedCredentialSchema)
    .mutation(({ ctx, input }) => removeCredential(ctx.runtime, ctx.actor, input)),

  makeDefault: sessionProcedure
    .input(chooseDefaultInput)
    .output(accountRequirementSchema)
    .mutation(({ ctx, input }) => chooseDefault(ctx.runtime, ctx.actor, input)),
});
