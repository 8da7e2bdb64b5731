import Link from 'next/link';
import type { ReactNode } from 'react';
import type { Tool } from '@/server/catalog/tools/schema';
import { findCheapest, shortUnit } from '../shared/price';
import { Money } from '../ui/money';
import { dollarBuys } from './dollar-buys';

interface PriceWordsProps {
  tools: Tool[];
  /** An agent gets a key without sign-up. */
  provisioning: boolean;
  /** After the heading. */
  more?: ReactNode;
}

/** Explains pricing in words, with the numbers of this catalogue. */
export function PriceWords({ tools, provisioning, more }: PriceWordsProps) {
  const skills = tools.flatMap((tool) => tool.skills);
  const paid = skills.filter((skill) => !skill.pricing.free);
  const least = findCheapest(paid);
  const freeCount = skills.length - paid.length;
  const byokRate = skills[0]?.pricing.byok_rate;
  return (
    <section aria-labelledby="price" className="flex flex-col gap-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="price" className="text-2xl">
          What it costs
        </h2>
        {more}
      </div>
      <DollarBuys tools={tools} />
      <dl className="divide-y border-y">
        <Line term="Free skills">
          {freeCount} of {skills.length} skills cost nothing{provisioning && ', with or without an account'}.
        </Line>
        <Line term="Paid skills">
          {least ? (
            <>
              From <Money usd={least.price_usd} exact /> per {shortUnit(least)}, charged to prepaid credit.
              Each skill states its price. The maximum cost of a call is held first, and the unused part is
              released.
            </>
          ) : (
            'This catalogue has none yet.'
          )}
        </Line>
        <Line term="Failed calls">Free. The response says so: billed is false.</Line>
        {byokRate !== undefined && (
          <Line term="Your own provider key">
            {(byokRate * 100).toLocaleString('en-US')}% of the price if the call used your key.
          </Line>
        )}
        <Line term="Out of credit">
          Paid calls are refused; the balance never goes below zero. Set a limit per key to stop sooner.
        </Line>
      </dl>
    </section>
  );
}

/** What one dollar buys, in units that are easy to picture. */
function DollarBuys({ tools }: { tools: Tool[] }) {
  const rows = dollarBuys(tools);
  if (rows.length < 2) return null;
  return (
    <div className="flex flex-col gap-3">
      <h3 className="font-medium">One dollar buys any of these</h3>
      <ul className="grid gap-px overflow-hidden rounded-lg border bg-line sm:grid-cols-2 lg:grid-cols-4">
        {rows.map(({ count, what, tool }) => (
          <li key={tool} className="flex flex-col gap-0.5 bg-surface p-4 sm:p-5">
            <span className="font-semibold text-2xl tabular-nums">{count.toLocaleString('en-US')}</span>
            <span>{what}</span>
            <Link href={`/tools/${tool}`} className="link self-start text-sm">
              {rowTool(tools, tool)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function rowTool(tools: Tool[], name: string): string {
  return tools.find((tool) => tool.name === name)?.displayName ?? name;
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-8 gap-y-0.5 py-3.5 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <dt className="font-medium">{term}</dt>
      <dd className="max-w-2xl text-muted">{children}</dd>
    </div>
  );
}
