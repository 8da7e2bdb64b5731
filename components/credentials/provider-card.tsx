'use client';

import Link from 'next/link';
import type { AccountRequirement } from '@/server/catalog/credentials/schema';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { ExternalLink, Plus } from '../ui/icons';
import { formatMoney } from '../ui/money';
import type { ProviderFacts } from './provider-facts';

/** An action on a provider; `label` names one of its keys. */
export type ProviderKeyAct =
  | { kind: 'add'; slot: string }
  | { kind: 'replace' | 'remove'; slot: string; label: string };

interface ProviderCardProps {
  slot: AccountRequirement;
  facts: ProviderFacts | undefined;
  busy: boolean;
  onAct: (act: ProviderKeyAct) => void;
  onDefault: (label: string) => void;
}

/** One provider: what its key is used for, where to get one, and the saved keys. */
export function ProviderCard({ slot, facts, busy, onAct, onDefault }: ProviderCardProps) {
  const headingId = `slot-${slot.name}`;
  return (
    <Card>
      <section aria-labelledby={headingId}>
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
          <div className="min-w-0 max-w-2xl flex-1 basis-72">
            <h2 id={headingId} className="flex flex-wrap items-center gap-2 font-semibold text-base">
              {slot.displayName}
              {slot.configured && <Badge tone="success">Your key is used</Badge>}
            </h2>
            <p className="text-muted text-sm">{slot.description}</p>
            {facts && <Facts facts={facts} />}
            <details className="mt-2 text-sm">
              <summary className="w-fit rounded-sm text-muted hover:text-ink">
                How to get a key<span className="sr-only"> for {slot.displayName}</span>
              </summary>
              <p className="mt-1.5 max-w-xl">
                {slot.setupGuide}{' '}
                <a
                  href={slot.acquireUrl}
                  target="_blank"
                  rel="noreferrer"
                  className="link inline-flex items-center gap-1"
                >
                  Open {slot.displayName}
                  <ExternalLink aria-hidden className="size-3.5" />
                </a>
              </p>
            </details>
          </div>
          <Button onClick={() => onAct({ kind: 'add', slot: slot.name })}>
            <Plus aria-hidden />
            {slot.configured ? 'Add another' : 'Add key'}
            <span className="sr-only"> for {slot.displayName}</span>{' '}
          </Button>
        </div>
        {slot.configured && (
          <ul aria-label={`Saved keys for ${slot.displayName}`} className="divide-y border-t">
            {slot.entries.map((entry) => (
              <Entry
                key={entry.label}
                slot={slot}
                entry={entry}
                busy={busy}
                onAct={onAct}
                onDefault={onDefault}
              />
            ))}
          </ul>
        )}
      </section>
    </Card>
  );
}

function Facts({ facts: { tools, cheapest } }: { facts: ProviderFacts }) {
  return (
    <p className="mt-1.5 text-sm">
      Used by{' '}
      {tools.map((tool, index) => (
        <span key={tool.name}>
          {index > 0 && (index === tools.length - 1 ? ' and ' : ', ')}
          <Link href={`/tools/${tool.name}`} prefetch={false} className="link">
            {tool.displayName}
          </Link>
        </span>
      ))}
      .
      {cheapest && (
        <span className="text-muted">
          {' '}
          From <span className="whitespace-nowrap">{formatMoney(cheapest.usd)}</span> per{' '}
          {shortUnit(cheapest.unit)}; with your key{' '}
          <span className="whitespace-nowrap font-medium text-ink">{formatMoney(cheapest.ownUsd)}</span>.
        </span>
      )}
    </p>
  );
}

/** The first part of the unit: `call` of `call; shown is one with …`. */
function shortUnit(unit: string): string {
  return unit.split(/[;,(]\s/, 1)[0] ?? unit;
}

interface EntryProps extends Pick<ProviderCardProps, 'slot' | 'busy' | 'onAct' | 'onDefault'> {
  entry: AccountRequirement['entries'][number];
}

function Entry({ slot, entry, busy, onAct, onDefault }: EntryProps) {
  const { label, masked, is_default: isDefault, last_used_at: usedAt, updated_at: savedAt } = entry;
  const name = <span className="sr-only"> {`“${label}” for ${slot.displayName}`}</span>;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-2.5 text-sm sm:px-5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-medium [overflow-wrap:anywhere]">{label}</span>
          <code className="font-mono text-muted text-xs">{masked}</code>
          {isDefault && slot.entries.length > 1 && <Badge tone="accent">Default</Badge>}
        </p>
        <p className="text-muted text-xs">
          Saved <DateTime at={savedAt} format="date" />
          {', '}
          {usedAt ? (
            <>
              last used <DateTime at={usedAt} format="age" />
            </>
          ) : (
            'not used yet'
          )}
        </p>
      </div>
      <div className="-ml-3 flex flex-wrap gap-1 sm:ml-0">
        {!isDefault && (
          <Button size="sm" variant="ghost" disabled={busy} onClick={() => onDefault(label)}>
            Make default{name}
          </Button>
        )}
        <Button size="sm" variant="ghost" onClick={() => onAct({ kind: 'replace', slot: slot.name, label })}>
          Replace{name}
        </Button>
        <Button
          size="sm"
          variant="ghost"
          className="text-danger"
          onClick={() => onAct({ kind: 'remove', slot: slot.name, label })}
        >
          Remove{name}
        </Button>
      </div>
    </li>
  );
}
