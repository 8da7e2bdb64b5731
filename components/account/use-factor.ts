import { useQuery } from '@tanstack/react-query';
import type { FactorState } from '@/server/identity/factor/schema';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';

/** The person's second factor. */
export function useFactor(initialData: FactorState) {
  return useQuery({
    queryKey: queryKey.factor,
    queryFn: ({ signal }) => trpc.security.factor.query(undefined, { signal }),
    initialData,
  });
}
