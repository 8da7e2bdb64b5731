import type { Metadata } from 'next';
import { safePath } from '@/components/shared/safe-path';
import { NarrowPage } from '@/components/site/narrow-page';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { SignInCard } from '@/components/site/sign-in-card';
import { redirectIfFactorDue } from '@/server/api/pages/redirect-if-factor-due';
import { describeSignIn } from '@/server/identity/sessions/options';

export const metadata: Metadata = { title: 'Sign in', robots: { index: false } };

export default async function SignInPage({ searchParams }: { searchParams: QueryParams }) {
  const params = await searchParams;
  const callbackUrl = safePath(firstValue(params.callbackUrl));
  // Pages send people here who are not signed in, also those who only lack the second factor.
  await redirectIfFactorDue(callbackUrl);
  const { gatewayUrl, methods, localInbox, policy, domains } = await describeSignIn();
  return (
    <NarrowPage>
      <SignInCard
        gatewayUrl={gatewayUrl}
        methods={methods}
        localInbox={localInbox}
        signUp={{ policy, domains: [...domains] }}
        callbackUrl={callbackUrl}
        errorCode={firstValue(params.error)}
        sent={firstValue(params.sent) === '1'}
      />
    </NarrowPage>
  );
}
