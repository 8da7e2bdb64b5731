'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import type { UsageOverview } from '@/server/usage/schema';
import { FIRST_CALL, FIRST_PAID_CALL } from '../shared/snippets';
import { buttonClass } from '../ui/button-class';
import { Card, CardHeader } from '../ui/card';
import { cn } from '../ui/cn';
import { Check } from '../ui/icons';
import { lazyPart } from '../ui/lazy-part';

/** Loaded on demand: only two steps show one, and most people have completed them. */
const StepCommand = lazyPart(() => import('./step-command').then((module) => module.StepCommand));
/** An account with this many calls sees no first steps, completed or not. */
const IN_USE_CALLS = 100;

/**
 * A checklist of steps that complete in any order; only the next one is expanded. Hidden once all
 * are complete.
 */
export function GettingStarted({ glance }: { glance: UsageOverview }) {
  const steps = listSteps(glance);
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

/** The steps in the order of the list; each has a body that is shown while it is the next one. */
function listSteps(glance: UsageOverview): { title: string; done: boolean; body: ReactNode }[] {
  return [
    {
      title: 'Create a key',
      done: glance.has_key || glance.has_called,
      body: (
        <>
          <p>
            Agents call tools with an API key. If your agent already has one, open its claim link to claim it.
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
          <p>
            Set the environment variable to your key and run this. It is free, and this step completes
            automatically.
          </p>
          <StepCommand label="A first call with curl" call={FIRST_CALL} />
        </>
      ),
    },
    {
      title: 'Try the playground',
      done: glance.has_played,
      body: (
        <>
          <p>Every tool as a form, with the price before you run it and the result next to it.</p>
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
      title: 'Buy credit',
      done: glance.has_credit,
      body: (
        <>
          <p>Paid calls are charged to your credit. There is no subscription, and credit does not expire.</p>
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
          <p>Costs a tenth of a cent and shows how a paid call is charged.</p>
          <StepCommand label="A paid call with curl" call={FIRST_PAID_CALL} />
        </>
      ),
    },
  ];
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
