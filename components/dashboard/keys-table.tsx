'use client';

import Link from 'next/link';
import type { ApiKey } from '@/server/keys/schema';
import { DateTime } from '../ui/date-time';
import { Table, Tbody, Td, Th, Thead, Tr } from '../ui/table';
import { KeyActions } from './key-actions';
import { KeyAllowance } from './key-allowance';
import { KeyStatus } from './key-status';

export function KeysTable({ keys }: { keys: ApiKey[] }) {
  return (
    <Table caption="Keys">
      <Thead>
        <Th>Name</Th>
        <Th>Credit used</Th>
        <Th>Last used</Th>
        <Th>Created</Th>
        <Th>Status</Th>
        <Th>
          <span className="sr-only">Actions</span>
        </Th>
      </Thead>
      <Tbody>
        {keys.map((key) => (
          <Tr key={key.id} className="relative">
            <Td head className="max-sm:pr-10">
              <div className="min-w-0">
                <Link href={`/dashboard/keys/${key.id}`} className="break-words hover:underline">
                  {key.name}
                </Link>
                <p className="font-mono font-normal text-muted text-xs">{key.key_prefix}</p>
              </div>
            </Td>
            <Td label="Credit used">
              <KeyAllowance apiKey={key} />
            </Td>
            <Td label="Last used">
              {key.last_used_at ? (
                <DateTime at={key.last_used_at} />
              ) : (
                <span className="text-muted">Never</span>
              )}
            </Td>
            <Td label="Created">
              <DateTime at={key.created_at} />
            </Td>
            <Td label="Status">
              <KeyStatus status={key.status} />
            </Td>
            <Td className="max-sm:absolute max-sm:top-2 max-sm:right-3 sm:text-right">
              <KeyActions apiKey={key} />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
