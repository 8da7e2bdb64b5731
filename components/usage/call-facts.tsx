'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import type { CallDetails, UsageCall } from '@/server/usage/schema';
import { errorHint } from '../shared/error-hint';
import { Id } from '../shared/id';
import { CopyButton } from '../ui/copy-button';
import { Money } from '../ui/money';
import { Notice } from '../ui/notice';
import { CallActions } from './call-actions';
import { CallContents } from './call-contents';
import { CallTimeline } from './call-timeline';
import { useContent } from './queries';
import { writeView } from './view';

interface CallFactsProps {
  call: UsageCall;
  /** Undefined until they have loaded. */
  details: CallDetails | undefined;
}

/** One call: why it failed, what happened, cost, request, and what is stored of it. */
export function CallFacts({ call, details }: CallFactsProps) {
  const stored = useContent(call);
  return (
    <div className="flex flex-col gap-5">
      {call.error_code && <Problem call={call} code={call.error_code} status={details?.http_status} />}
      <CallActions call={call} input={stored.data?.content?.input ?? null} />
      <CallTimeline call={call} details={details} />
      <Group title="Cost">
        <Costs call={call} />
      </Group>
      <Group title="Details">
        <Fact name="Key">
          <KeyName call={call} />
        </Fact>
        <Fact name="Tool">
          <Link href={`/tools/${encodeURIComponent(call.tool)}`} className="link">
            {call.tool}
          </Link>
        </Fact>
        <Fact name="Call id">
          <Id value={call.id} label="Copy call id" />
        </Fact>
        {call.request_id && (
          <Fact name="Request id">
            <Id value={call.request_id} label="Copy request id" />
          </Fact>
        )}
        {call.client_address && (
          <Fact name="Client address">
            <Id value={call.client_address} label="Copy client address" />
          </Fact>
        )}
        {call.job_id && (
          <Fact name="Job">
            <span className="flex items-center justify-end gap-1">
              <Link
                href={`/dashboard/jobs?job=${encodeURIComponent(call.job_id)}`}
                className="link min-w-0 break-all font-mono text-xs"
              >
                {call.job_id}
              </Link>
              <CopyButton value={call.job_id} label="Copy job id" />
            </span>
          </Fact>
        )}
      </Group>
      <CallContents query={stored} call={call} />
    </div>
  );
}

interface ProblemProps {
  call: UsageCall;
  code: string;
  /** The HTTP status of its answer. */
  status: number | null | undefined;
}

function Problem({ call, code, status }: ProblemProps) {
  const title = (
    <>
      <code className="font-mono">{code}</code>
      {status && <span className="font-normal text-muted"> HTTP {status}</span>}
    </>
  );
  return (
    <Notice tone="danger" title={title}>
      {call.error_message && (
        <p className="mb-2 whitespace-pre-wrap break-words font-medium">{call.error_message}</p>
      )}
      {errorHint(code)}{' '}
      <a href={`/docs/errors#${code}`} className="link">
        What this code means
      </a>
      <Link
        href={`/dashboard/usage${writeView({ billing: call.account.slug ?? undefined, tool: call.tool, status: 'error' })}`}
        className="link mt-1 block w-fit"
      >
        All failed calls of {call.tool}
      </Link>
    </Notice>
  );
}

function Costs({ call }: { call: UsageCall }) {
  const free = call.cost_usd === 0;
  return (
    <>
      <Fact name="Charged">
        <span className="font-medium">
          {call.status === 'error' && free ? 'Nothing (call failed)' : <Money usd={call.cost_usd} exact />}
        </span>
      </Fact>
      {!free && (
        <>
          <Fact name="Provider cost">
            <Money usd={call.raw_cost_usd} exact />
          </Fact>
          <Fact name="Platform fee">
            <Money usd={call.markup_usd} exact />
          </Fact>
        </>
      )}
      <Fact name="Charged to">
        <Link
          href={`/dashboard/billing${call.account.slug ? `?billing=${encodeURIComponent(call.account.slug)}` : ''}`}
          className="link"
        >
          {call.account.slug === null ? 'Personal' : call.account.name}
        </Link>
      </Fact>
      <Fact name="BYOK">{call.byok ? 'Yes, your provider key' : 'No'}</Fact>
    </>
  );
}

/** Own API keys link to their page; playground keys and other people's keys link to their calls. */
function KeyName({ call }: { call: UsageCall }) {
  const own = call.key_is_yours && call.key_kind === 'api';
  const calls = `/dashboard/usage${writeView({ billing: call.account.slug ?? undefined, key_id: call.key_id })}`;
  return (
    <>
      <Link href={own ? `/dashboard/keys/${call.key_id}` : calls} className="link">
        {call.key_name}
      </Link>
      {call.member && <span className="text-muted">, {call.member}</span>}
    </>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="font-medium text-muted text-xs">{title}</h3>
      <dl className="mt-1 divide-y text-sm">{children}</dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-6 py-1.5">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  );
}
