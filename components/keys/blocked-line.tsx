import type { BlockedKey } from '@/server/usage/attention-schema';
import { DateTime } from '../ui/date-time';
import { formatNumber } from '../ui/format-number';

/** How many calls of a key a limit has refused, and until when: below its status. */
export function BlockedLine({ blocked: { refused, retry_at: until } }: { blocked: BlockedKey }) {
  return (
    <span className="block text-muted text-xs">
      {refused > 0 ? `${formatNumber(refused)} refused` : 'Refuses calls'}
      {until !== null && (
        <>
          , until <DateTime at={until} format="exact" />
        </>
      )}
    </span>
  );
}
