import type { AuditFilter } from '@/server/operations/operator/schema';
import { readDay } from '../ui/calendar/days';

/** Reads the filters from a URL. */
export function readAuditFilters(get: (name: string) => string | null): AuditFilter {
  return {
    actor: get('actor')?.trim().slice(0, 200) || undefined,
    action: get('action')?.trim().slice(0, 100) || undefined,
    account_id: get('account')?.trim().slice(0, 100) || undefined,
    from: readDay(get('from')),
    to: readDay(get('to')),
  };
}
