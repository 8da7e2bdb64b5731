'use client';

import Link from 'next/link';
import { Notice } from '../ui/notice';
import type { CallError, Run } from './runs';

/** Errors whose message is for programs. The form marks invalid fields itself. */
const OWN_WORDS: Partial<Record<CallError['code'], { title: string; text: string }>> = {
  INVALID_INPUT: {
    title: 'The input is invalid',
    text: 'Fix the fields marked in the form, then run it again.',
  },
  COST_LIMIT_EXCEEDED: {
    title: 'The price has risen',
    text: 'The call can now cost more than the page showed. Check the new price, then run it again.',
  },
};

/** Why the call failed, and the next step. */
export function RunError({ error, run }: { error: CallError; run: Run }) {
  const next = nextStep(error, run.call.billing);
  const { title, text } = OWN_WORDS[error.code] ?? { title: error.message, text: error.resolution_hint };
  return (
    <Notice tone="danger" live title={title}>
      <p>{text}</p>
      {error.retry_after !== undefined && <p>Try again in {error.retry_after} s.</p>}
      {next && (
        <p className="mt-1">
          <Link href={next.href} className="link">
            {next.label}
          </Link>
        </p>
      )}
      <p className="mt-2 text-muted text-xs">
        <a href={`/docs/errors#${error.code}`} className="link">
          <code className="font-mono">{error.code}</code>
        </a>
        {error.request_id && <code className="font-mono [overflow-wrap:anywhere]">, {error.request_id}</code>}
        . Nothing was charged.
      </p>
    </Notice>
  );
}

function nextStep({ code }: CallError, billing: string | undefined): { href: string; label: string } | null {
  const account = billing ? `?billing=${encodeURIComponent(billing)}` : '';
  switch (code) {
    case 'INSUFFICIENT_CREDITS':
      return { href: `/dashboard/billing${account}`, label: 'Buy credit' };
    case 'SPENDING_LIMIT_EXCEEDED':
      return { href: `/dashboard/billing${account}`, label: 'Change the monthly limit' };
    case 'MISSING_CREDENTIALS':
      return { href: '/dashboard/provider-keys', label: 'Add a provider key' };
    case 'AUTH_REQUIRED':
    case 'AUTH_FAILED':
      return { href: '/sign-in?callbackUrl=/dashboard/playground', label: 'Sign in again' };
    default:
      return null;
  }
}
