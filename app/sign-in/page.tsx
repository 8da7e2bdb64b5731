import type { Metadata } from 'next';
import { safePath } from '@/components/shared/safe-path';
import { NarrowPage } from '@/components/site/narrow-page';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { SignInCard } from '@/components/site/sign-in-card';
import { signInMethods } from '@/server/identity/sessions/options';

export const metadata: Metadata = { title: 'Sign in', robots: { index: false } };

export default async function SignInPage({ searchParams }: { searchParams: QueryParams }) {
  const params = await searchParams;
  const { localInbox, ...methods } = signInMethods();
  return (
    <NarrowPage>
      <SignInCard
        methods={methods}
        localInbox={localInbox}
        callbackUrl={safePath(firstValue(params.callbackUrl))}
        errorCode={firstValue(params.error)}
        sent={firstValue(params.sent) === '1'}
      />
    </NarrowPage>
  );
}
