'use client';

import type { UsageRecord } from '@/server/usage/schema';
import { DateTime } from '../ui/date-time';
import { Money } from '../ui/money';
import { Table, Tbody, Td, Th, Thead, Tr } from '../ui/table';
import { CallStatus } from './call-status';
import { formatDuration } from './format';

interface CallsTableProps {
  calls: UsageRecord[];
  caption: string;
  showKey: boolean;
  onOpen: (call: UsageRecord) => void;
}

/** On a phone each call is two lines: what and how much, then how it ended and when. */
export function CallsTable({ calls, caption, showKey, onOpen }: CallsTableProps) {
  return (
    <Table caption={`${caption}. Press a call to see all its details.`}>
      <Thead>
        <Th>Call</Th>
        <Th>Status</Th>
        {showKey && <Th>Key</Th>}
        <Th numeric>Cost</Th>
        <Th numeric>Time taken</Th>
        <Th numeric>When</Th>
      </Thead>
      <Tbody>
        {calls.map((call) => (
          <Tr
            key={call.id}
            className="relative cursor-pointer max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:items-center max-sm:gap-x-4"
            onClick={() => onOpen(call)}
          >
            <Td head className="max-sm:order-1">
              <button
                type="button"
                aria-haspopup="dialog"
                className="min-w-0 break-all rounded-sm text-left font-mono font-normal text-sm"
                onClick={(event) => {
                  event.stopPropagation();
                  onOpen(call);
                }}
              >
                <span className="text-muted">{call.tool}.</span>
                {call.skill}
              </button>
            </Td>
            <Td className="max-sm:order-3 max-sm:justify-start">
              <CallStatus status={call.status} />
              {showKey && <span className="min-w-0 truncate text-muted sm:hidden">{call.key_name}</span>}
            </Td>
            {showKey && (
              <Td className="max-w-48 truncate max-sm:hidden" title={call.key_name}>
                {call.key_name}
              </Td>
            )}
            <Td numeric className="max-sm:order-2 max-sm:justify-end">
              <Money usd={call.cost_usd} className={call.cost_usd === 0 ? 'text-muted' : undefined} />
            </Td>
            <Td numeric className="whitespace-nowrap text-muted max-sm:hidden">
              {formatDuration(call.latency_ms)}
            </Td>
            <Td numeric className="text-muted max-sm:order-4 max-sm:justify-end">
              <DateTime at={call.created_at} />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
