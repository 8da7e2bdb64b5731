import { notFound } from 'next/navigation';
import { AccountView } from '@/components/operator/account-view';
import { operatorTitle, requireOperator } from '@/server/api/pages/require-operator';
import { createCaller } from '@/server/api/trpc/caller';
import { toGatewayError } from '@/server/core/errors/to-gateway-error';

export const generateMetadata = operatorTitle('Account');

export default async function AccountPage({ params }: { params: Promise<{ id: string }> }) {
  await requireOperator();
  const { id } = await params;
  const api = await createCaller();
  const account = await api.operator.accounts.get({ account_id: id }).catch((error: unknown) => {
    const { code } = toGatewayError(error);
    if (code === 'NOT_FOUND' || code === 'INVALID_INPUT') notFound();
    throw error;
  });
  return <AccountView initial={account} />;
}
