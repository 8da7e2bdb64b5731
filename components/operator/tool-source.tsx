'use client';

import type { ToolDetail } from '@/server/operations/operator/schema';
import { trpc } from '../shared/trpc-provider';
import { Badge } from '../ui/badge';
import { Card, CardBody, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { ActDialog } from './act-dialog';
import { Facts } from './facts';
import { PriceDialog } from './tool-acts';

type Source = NonNullable<ToolDetail['source']>;

const KINDS: Record<Source['kind'], string> = {
  openapi: 'OpenAPI document',
  'mcp-http': 'MCP server',
  'mcp-stdio': 'MCP program',
};

const BREAKING: ReadonlySet<string> = new Set(['removed', 'changed']);

/** The source of an imported tool, and how it differs from the approved version. */
export function ToolSource({ tool, source }: { tool: ToolDetail; source: Source }) {
  const { differences, pending_hash: hash } = source;
  return (
    <Card>
      <CardHeader
        title="Source"
        actions={
          <>
            <PriceDialog tool={tool.name} skill={null} price={source.price} />
            <ActDialog
              label="Check now"
              title={`Check the source of ${tool.display_name}?`}
              consequence="If it has changed, its calls stop until you approve the changes."
              confirmLabel="Check now"
              done="Source checked"
              act={() => trpc.operator.tools.check.mutate({ tool: tool.name })}
            />
            {hash && (
              <ActDialog
                label="Approve"
                variant="primary"
                title={`Approve the changes to ${tool.display_name}?`}
                consequence={`Calls continue with ${differences.length === 1 ? 'the difference' : `the ${differences.length} differences`} shown below. Review descriptions carefully: models act on them.`}
                confirmLabel="Approve"
                done={`${tool.display_name} is approved`}
                act={() => trpc.operator.tools.approve.mutate({ tool: tool.name, hash })}
              />
            )}
          </>
        }
      />
      <CardBody className="flex flex-col gap-5">
        <Facts
          rows={[
            ['Kind', KINDS[source.kind]],
            [
              'Address',
              <span key="a" className="break-all">
                {source.address}
              </span>,
            ],
            [
              'Last checked',
              source.checked_at ? <DateTime key="c" at={source.checked_at} format="age" /> : 'Not yet',
            ],
            ['Problem', source.problem ?? 'None'],
          ]}
        />
        {differences.map((difference) => (
          <section
            key={difference.skill}
            aria-label={`Difference of ${difference.skill}`}
            className="flex flex-col gap-2"
          >
            <h3 className="flex flex-wrap items-center gap-2 font-semibold text-sm">
              <span className="break-all font-mono">{difference.skill}</span>
              <Badge tone={BREAKING.has(difference.kind) ? 'danger' : 'accent'}>{difference.kind}</Badge>
            </h3>
            {difference.parts.map(({ part, before, after }) => (
              <div key={part} className="grid gap-2 lg:grid-cols-2">
                <Part title={`${part}, approved`} text={before} />
                <Part title={`${part}, now`} text={after} />
              </div>
            ))}
          </section>
        ))}
      </CardBody>
    </Card>
  );
}

function Part({ title, text }: { title: string; text: string }) {
  return (
    <figure className="min-w-0 rounded-md border bg-sunken">
      <figcaption className="border-b px-3 py-1.5 text-muted text-xs">{title}</figcaption>
      <pre className="whitespace-pre-wrap break-words px-3 py-2 font-mono text-xs">{text || '(nothing)'}</pre>
    </figure>
  );
}
