import type { Metadata } from 'next';
import { Suspense } from 'react';
import { type JobFilters, jobsInput, readJobFilters } from '@/components/jobs/job-filters';
import { JobsOff } from '@/components/jobs/jobs-off';
import { JobsView } from '@/components/jobs/jobs-view';
import { JobsSkeleton } from '@/components/jobs/skeletons';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import type { ErrorCode } from '@/server/core/errors/catalogue';
import { toGatewayError } from '@/server/core/errors/to-gateway-error';

export const metadata: Metadata = { title: 'Jobs' };

/** Maximum length of an id in the URL. */
const MAX_ID_CHARS = 64;

export default async function JobsPage({ searchParams }: { searchParams: QueryParams }) {
  const params = await searchParams;
  const filters = readJobFilters((name) => firstValue(params[name]) || null);
  const job = firstValue(params.job).slice(0, MAX_ID_CHARS) || null;
  await requireViewer(buildJobsPath(filters, job));
  // No loading.tsx, so that sign-in returns to the same view.
  return (
    <Suspense fallback={<JobsSkeleton />}>
      <LoadedJobs filters={filters} job={job} />
    </Suspense>
  );
}

function buildJobsPath(filters: JobFilters, job: string | null): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filters, job })) if (value) query.set(name, value);
  const text = query.toString();
  return `/dashboard/jobs${text ? `?${text}` : ''}`;
}

async function LoadedJobs({ filters, job }: { filters: JobFilters; job: string | null }) {
  const api = await createCaller();
  const loaded = await Promise.all([
    api.jobs.listOwn(jobsInput(filters)),
    api.jobs.facetsOwn(),
    job ? nullOnError('NOT_FOUND', api.jobs.getOwn({ jobId: job })) : null,
  ]).catch((error: unknown) => {
    if (toGatewayError(error).code === 'JOBS_DISABLED') return null;
    throw error;
  });
  if (!loaded) return <JobsOff />;
  const [initial, facets, opened] = loaded;
  return <JobsView initial={initial} facets={facets} job={opened} />;
}

/** Returns null if the request fails with this code, so that the page can show it. */
async function nullOnError<Value>(code: ErrorCode, value: Promise<Value>): Promise<Value | null> {
  return await value.catch((error: unknown) => {
    if (toGatewayError(error).code === code) return null;
    throw error;
  });
}
