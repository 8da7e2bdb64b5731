'use client';

import { Check } from 'lucide-react';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import type { ReactNode } from 'react';
import type { UsageGlance } from '@/server/usage/schema';
import { buttonClass } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { cn } from '../ui/cn';
import { FIRST_CALL, FIRST_PAID_CALL } from '../shared/snippets';

/** Two of the steps show one, and most people are past them. */
const StepCommand = dynamic(() => import('./step-command').then((module) => module.StepCommand));
/** Whoever calls this much needs no first steps, done or not. */
const IN_USE_CALLS = 100;

/** Steps that tick themselves off, in any order; only the next one is open. Gone once all are done. */
export function GettingStarted({ glance }: { glance: UsageGlance }) {
  const steps = [
    {
      title: 'Create a key',
      done: glance.has_key || glance.has_called,
      body: (
        <>
          <p>
            Agents call with a key. If one of yours has a key already, open its claim link to take it over.
          </p>
          <Link href="/dashboard/keys?create=1" className={cn(buttonClass({ variant: 'primary' }), 'mt-3')}>
            Create key
          </Link>
        </>
      ),
    },
    {
      title: 'Make a first call',
      done: glance.has_called,
      body: (
        <>
          <p>Put the key into the variable that this reads. It is free, and this list notices by itself.</p>
          <StepCommand label="A first call with curl" call={FIRST_CALL} />
        </>
      ),
    },
    {
      title: 'Try the playground',
      done: glance.has_played,
      body: (
        <>
          <p>Every tool with its inputs as a form, its price before it runs, and its answer beside it.</p>
          <Link
            href="/dashboard/playground?tool=math&skill=evaluate"
            className={cn(buttonClass({ variant: 'primary' }), 'mt-3')}
          >
            Open the playground
          </Link>
        </>
      ),
    },
    {
      title: 'Add credit',
      done: glance.has_credit,
      body: (
        <>
          <p>
            Paid calls take their price from your credit. There is no subscription, and credit does not
            expire.
          </p>
          <Link href="/dashboard/billing" className={cn(buttonClass({ variant: 'primary' }), 'mt-3')}>
            Choose an amount
          </Link>
        </>
      ),
    },
    {
      title: 'Make a paid call',
      done: glance.has_spent,
      body: (
        <>
          <p>A tenth of a cent, to see how a paid call is charged and shown.</p>
          <StepCommand label="A paid call with curl" call={FIRST_PAID_CALL} />
        </>
      ),
    },
  ];
  const done = steps.filter((step) => step.done).length;
  const next = steps.findIndex((step) => !step.done);
  if (next === -1 || (glance.has_spent && glance.month.calls >= IN_USE_CALLS)) return null;
  return (
    <Card>
      <CardHeader
        title="Getting started"
        actions={
          <p role="status" className="text-muted text-sm">
            {done} of {steps.length} done
          </p>
        }
      />
      <ol className="divide-y">
        {steps.map((step, index) => (
          <Step key={step.title} title={step.title} done={step.done} number={index + 1} open={index === next}>
            {step.body}
          </Step>
        ))}
      </ol>
    </Card>
  );
}

interface StepProps {
  title: string;
  done: boolean;
  number: number;
  open: boolean;
  children: ReactNode;
}

function Step({ title, done, number, open, children }: StepProps) {
  return (
    <li className="flex gap-3 px-4 py-3.5 sm:px-5" aria-current={open ? 'step' : undefined}>
      <span
        aria-hidden
        className={cn(
          'flex size-6 shrink-0 items-center justify-center rounded-full border border-line-strong font-medium text-xs',
          done && 'border-transparent bg-success-soft text-success',
          open && 'border-accent text-accent',
        )}
      >
        {done ? <Check className="size-3.5" strokeWidth={3} /> : number}
      </span>
      <div className="min-w-0 flex-1">
        <p className={cn('font-medium', !open && 'text-muted')}>
          {title}
          {done && <span className="sr-only">, done</span>}
        </p>
        {open && <div className="mt-1 text-muted text-sm">{children}</div>}
      </div>
    </li>
  );
}
