import { notFound } from 'next/navigation';
import { readToolPeriod } from '@/components/operator/tool-period';
import { ToolView } from '@/components/operator/tool-view';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { operatorTitle, requireOperator } from '@/server/api/pages/require-operator';
import { createCaller } from '@/server/api/trpc/caller';
import { toGatewayError } from '@/server/core/errors/to-gateway-error';

export const generateMetadata = operatorTitle('Tool');

interface PageProps {
  params: Promise<{ tool: string }>;
  searchParams: QueryParams;
}

export default async function ToolPage({ params, searchParams }: PageProps) {
  await requireOperator();
  const { tool } = await params;
  const period = readToolPeriod(firstValue((await searchParams).period));
  const api = await createCaller();
  const detail = await api.operator.tools.get({ tool, period }).catch((error: unknown) => {
    const { code } = toGatewayError(error);
    if (code === 'TOOL_NOT_FOUND' || code === 'INVALID_INPUT') notFound();
    throw error;
  });
  const prices = detail.source === null ? await api.operator.pricing.get({ tool }) : null;
  return <ToolView initial={detail} prices={prices} period={period} />;
}
