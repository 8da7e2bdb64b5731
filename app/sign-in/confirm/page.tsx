import type { Metadata } from 'next';
import { NarrowPage } from '@/components/site/narrow-page';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { SignInByLink } from '@/components/site/sign-in-card';
import { createCaller } from '@/server/api/trpc/caller';
import { getRuntime } from '@/server/core/runtime';
import { isSignInLinkValid } from '@/server/identity/sessions/create-sign-in-link';

export const metadata: Metadata = {
  title: 'Sign in',
  robots: { index: false, follow: false },
};

export default async function ConfirmSignInPage({ searchParams }: { searchParams: QueryParams }) {
  const params = await searchParams;
  const [email, token] = [firstValue(params.email), firstValue(params.token)];
  const isValid = await isSignInLinkValid(getRuntime(), { email, token });
  const viewer = isValid ? null : await (await createCaller()).auth.viewer().catch(() => null);
  return (
    <NarrowPage>
      <SignInByLink
        email={email}
        token={token}
        callbackUrl={firstValue(params.callbackUrl)}
        isValid={isValid}
        signedInAs={viewer?.email ?? null}
      />
    </NarrowPage>
  );
}
