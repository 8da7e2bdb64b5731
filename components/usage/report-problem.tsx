import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { ErrorState } from '../ui/error-state';
import type { useReport } from './queries';

export function ReportProblem({ query }: { query: ReturnType<typeof useReport> }) {
  return (
    <ErrorState
      title="The usage could not be loaded"
      requestId={gatewayError(query.error)?.request_id}
      onRetry={() => query.refetch()}
      retrying={query.isFetching}
    >
      {problemText(query.error)}
    </ErrorState>
  );
}
