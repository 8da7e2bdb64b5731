import type { AccountContext } from '../../core/trpc/context';
import { requireJobs } from './get-job';
import type { JobFacets } from './schema';
import { findJobFacets } from './summary-store';

/**
 * Lists the distinct tools and keys of the jobs of the account, by name, as filter values.
 * @throws GatewayError JOBS_DISABLED
 */
export async function listJobFacets(context: Pick<AccountContext, 'runtime' | 'actor'>): Promise<JobFacets> {
  requireJobs(context);
  const rows = await findJobFacets(context.runtime.sql, context.actor.accountId);
  const keys = new Map(rows.map(({ key_id, key_name }) => [key_id, key_name ?? 'Deleted key']));
  return {
    tools: [...new Set(rows.map(({ tool }) => tool))].sort(),
    keys: [...keys].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name)),
  };
}
