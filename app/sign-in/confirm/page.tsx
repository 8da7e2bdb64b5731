import type { Metadata } from 'next';
import { NarrowPage } from '@/components/site/narrow-page';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { SignInByLink } from '@/components/site/sign-in-card';

export const metadata: Metadata = {
  title: 'Sign in',
  robots: { index: false, follow: false },
};

export default async function ConfirmSignInPage({ searchParams }: { searchParams: QueryParams }) {
  const params = await searchParams;
  return (
    <NarrowPage>
      <SignInByLink
        email={firstValue(params.email)}
        token={firstValue(params.token)}
        callbackUrl={firstValue(params.callbackUrl)}
      />
    </NarrowPage>
  );
}
