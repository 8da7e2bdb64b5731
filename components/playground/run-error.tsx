'use client';

import Link from 'next/link';
import { Notice } from '../ui/notice';
import type { CallError, Run } from './runs';

/** Why the call failed, and the next step. */
export function RunError({ error, run }: { error: CallError; run: Run }) {
  const next = nextStep(error, run.call.billing);
  // The form marks the invalid fields, with messages worded for a form.
  const wrongInput = error.code === 'INVALID_INPUT';
  return (
    <Notice tone="danger" live title={wrongInput ? 'The input is invalid' : error.message}>
      <p>{wrongInput ? 'Fix the fields marked in the form, then run it again.' : error.resolution_hint}</p>
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
