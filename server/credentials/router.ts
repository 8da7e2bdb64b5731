import { openProcedure, router } from '../trpc/procedures';
import { listRequirements } from './list-requirements';
import { requirementListSchema } from './schema';

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
});
