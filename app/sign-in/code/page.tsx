import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { safePath } from '@/components/shared/safe-path';
import { NarrowPage } from '@/components/site/narrow-page';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { SignInCode } from '@/components/site/sign-in-code';
import { isFactorDue } from '@/server/api/pages/redirect-if-factor-due';
import { getRuntime } from '@/server/core/runtime';

export const metadata: Metadata = { title: 'Two-step verification', robots: { index: false } };

export default async function SignInCodePage({ searchParams }: { searchParams: QueryParams }) {
  const callbackUrl = safePath(firstValue((await searchParams).callbackUrl));
  if (!(await isFactorDue())) redirect(`/sign-in?callbackUrl=${encodeURIComponent(callbackUrl)}`);
  return (
    <NarrowPage>
      <SignInCode callbackUrl={callbackUrl} operatorEmail={getRuntime().settings.operatorEmail} />
    </NarrowPage>
  );
}
