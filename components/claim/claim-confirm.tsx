'use client';

import Link from 'next/link';
import { useEffect, useRef, useState } from 'react';
import type { ClaimPreview, ClaimResult, Viewer } from '@/server/identity/accounts/schema';
import { CardPage } from '../shared/card-page';
import { ManagesAccount } from '../shared/manages-account';
import { errorText, gatewayError, trpc } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { buttonClass } from '../ui/button-class';
import { Money } from '../ui/money';
import { Notice } from '../ui/notice';
import { ClaimFacts, ClaimKeys } from './claim-facts';
import { ClaimedByOther, UnknownLink } from './claim-outcomes';
import { signInToClaim } from './sign-in-to-claim';

interface ClaimConfirmProps {
  token: string;
  preview: ClaimPreview;
  viewer: Viewer;
}

type Outcome =
  | { kind: 'asking'; problem: string | null }
  | { kind: 'claimed'; result: ClaimResult }
  | { kind: 'conflict' }
  | { kind: 'unknown' };

/** Asks for confirmation, then claims. Opening the link alone never claims. */
export function ClaimConfirm({ token, preview, viewer }: ClaimConfirmProps) {
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'asking', problem: null });
  const [busy, setBusy] = useState(false);
  const [manages, setManages] = useState(false);

  async function claim() {
    setBusy(true);
    try {
      setOutcome({
        kind: 'claimed',
        result: await trpc.auth.claim.mutate({ token, manages_account: manages }),
      });
    } catch (error) {
      const code = gatewayError(error)?.code;
      if (code === 'CLAIM_CONFLICT') setOutcome({ kind: 'conflict' });
      else if (code === 'NOT_FOUND') setOutcome({ kind: 'unknown' });
      else if (code === 'AUTH_REQUIRED' || code === 'AUTH_FAILED')
        window.location.assign(signInToClaim(token));
      else setOutcome({ kind: 'asking', problem: errorText(error) });
    } finally {
      setBusy(false);
    }
  }

  if (outcome.kind === 'claimed') return <Claimed result={outcome.result} email={viewer.email} />;
  if (outcome.kind === 'conflict') return <ClaimedByOther signedInAs={viewer.email} token={token} />;
  if (outcome.kind === 'unknown') return <UnknownLink />;
  return (
    <CardPage title="Claim this key">
      <p className="text-muted">
        It moves to your account,{' '}
        <span className="[overflow-wrap:anywhere] font-medium text-ink">{viewer.email}</span>, with everything
        below. The agent isn’t affected: its key keeps working.
      </p>
      <ClaimFacts preview={preview} />
      <ManagesAccount checked={manages} onChange={setManages} />
      {outcome.problem && (
        <Notice tone="danger" live title="Could not claim the key">
          {outcome.problem}
        </Notice>
      )}
      <Button variant="primary" size="lg" busy={busy} onClick={claim}>
        Claim this key
      </Button>
      <p className="text-muted text-sm">
        Once claimed, the key spends from your balance. You can limit it, change this setting or revoke it at
        any time.{' '}
        <Link href="/dashboard" className="link">
          Not now
        </Link>
      </p>
    </CardPage>
  );
}

function Claimed({ result, email }: { result: ClaimResult; email: string }) {
  const top = useRef<HTMLDivElement>(null);
  // The pressed button is gone: the heading takes the focus, so that the outcome is announced.
  useEffect(() => top.current?.querySelector('h1')?.focus(), []);
  const many = result.keys_moved.length !== 1;
  return (
    <div ref={top}>
      <CardPage title={many ? 'The keys are yours' : 'The key is yours'}>
        <p className="text-muted">
          {many ? 'They belong' : 'It belongs'} to{' '}
          <span className="[overflow-wrap:anywhere] text-ink">{email}</span> now
          {result.credits_moved_usd > 0 && (
            <>
              , and <Money usd={result.credits_moved_usd} className="font-medium text-ink" /> of credit was
              transferred
            </>
          )}
          .
        </p>
        <ClaimKeys keys={result.keys_moved} />
        <ul className="flex list-disc flex-col gap-1 pl-5 text-muted text-sm">
          <li>The agent keeps using the same key. No change is needed on its side.</li>
          <li>Its calls, costs and reviews are in your dashboard.</li>
          <li>
            Paid tools work as soon as your account has credit:{' '}
            <Link href="/dashboard/billing" className="link">
              buy credit
            </Link>
            .
          </li>
          <li>
            Cap what the key can spend:{' '}
            <Link href={keyHref(result.keys_moved)} className="link">
              set a limit
            </Link>
            .
          </li>
        </ul>
        <div className="flex flex-wrap gap-2">
          <Link href="/dashboard" className={buttonClass({ variant: 'primary' })}>
            Go to dashboard
          </Link>
          <Link href={keyHref(result.keys_moved)} className={buttonClass()}>
            {many ? 'View your keys' : 'View key'}
          </Link>
        </div>
      </CardPage>
    </div>
  );
}

/** The key list filtered to the claimed key by its mask, which is not secret. */
function keyHref(keys: ClaimResult['keys_moved']): string {
  const [only, ...others] = keys;
  return only && others.length === 0
    ? `/dashboard/keys?q=${encodeURIComponent(only.key_prefix)}`
    : '/dashboard/keys';
}
