import { SignUpView } from '@/components/operator/sign-up-view';
import { operatorTitle, requireOperator } from '@/server/api/pages/require-operator';
import { createCaller } from '@/server/api/trpc/caller';

export const generateMetadata = operatorTitle('Sign-up');

export default async function SignUpPage() {
  await requireOperator();
  const api = await createCaller();
  const [state, initial] = await Promise.all([
    api.operator.signUp.get(),
    api.operator.signUp.invitations({}),
  ]);
  return <SignUpView state={state} initial={initial} />;
}
