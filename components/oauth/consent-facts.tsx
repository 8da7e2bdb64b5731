import type { ReactNode } from 'react';
import type { Application } from '@/server/identity/oauth/schema';
import { Check, X } from '../ui/icons';
import { Money } from '../ui/money';
import { placeWords } from './place-words';

const MAY = [
  'Find and call free and paid tools, and follow or cancel the calls it started',
  'Send the end of its jobs to a URL of its choice',
  'Upload files, read your account’s files, and delete the files it created',
  'See your balance and limits, and its own calls, costs and receipts',
  'Review tools you have used',
];
const NEVER = [
  'Spend or see your teams’ credit',
  'Create, view or change API keys, or see their calls',
  'View or change your provider keys',
  'Buy credit or change billing, your profile or your teams',
];

interface ApplicationFactsProps {
  application: Application;
  availableUsd: number | null;
}

/** What the gateway knows about an application, besides the name it gives itself, and who pays. */
export function ApplicationFacts({ application, availableUsd }: ApplicationFactsProps) {
  const { place, document_host: documentHost, uri } = application;
  return (
    <dl className="divide-y rounded-lg border text-sm">
      <Fact name="Redirects to">{placeWords(place)}</Fact>
      {documentHost && <Fact name="Described by">{documentHost}</Fact>}
      {uri && <Fact name="Home page (unverified)">{new URL(uri).host}</Fact>}
      <Fact name="Paid by">
        Your personal account
        {availableUsd !== null && (
          <>
            , <Money usd={availableUsd} down /> available
          </>
        )}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-0.5 px-4 py-2.5 sm:grid-cols-[10rem_1fr]">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 font-medium [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

/** The permissions being granted, and what is never granted. */
export function WhatItMay() {
  return (
    <div className="flex flex-col gap-4 text-sm">
      <List
        title="It can"
        items={MAY}
        mark={<Check aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />}
      />
      <List
        title="It can never"
        items={NEVER}
        mark={<X aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />}
      />
    </div>
  );
}

function List({ title, items, mark }: { title: string; items: readonly string[]; mark: ReactNode }) {
  return (
    <section>
      <h2 className="font-semibold">{title}</h2>
      <ul className="mt-1.5 flex flex-col gap-1.5">
        {items.map((item) => (
          <li key={item} className="flex gap-2.5">
            {mark}
            <span>{item}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
