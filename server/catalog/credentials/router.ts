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
        summary: 'List credential slots',
        description:
          'The provider credentials that tools can use. Saving any is optional: all tools work without.',
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
        description: 'Every slot with what your account has saved in it, masked.',
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
          'Kept encrypted and never shown again. Calls that can use it then cost 5 % of their price, and the provider bills you. A label that is there already gets the new value.',
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
          'One value by its label, or all of the slot. Where the default goes, the oldest other value becomes it.',
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
