import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { ToolJsonLd } from '@/components/site/json-ld';
import { ToolView } from '@/components/site/tool-view';
import { createCaller } from '@/server/api/trpc/caller';
import type { AccountRequirement } from '@/server/catalog/credentials/schema';
import type { Tool } from '@/server/catalog/tools/schema';
import { toGatewayError } from '@/server/core/errors/to-gateway-error';
import { getRuntime } from '@/server/core/runtime';
import { publicPage } from '../../../public-page';

interface Props {
  params: Promise<{ tool: string }>;
}

/**
 * Cached per request, because the page and its metadata both read it. Returns null for an unknown
 * tool.
 */
const findTool = cache(async (tool: string) => {
  const api = await createCaller();
  try {
    return await api.tools.get({ tool });
  } catch (error) {
    const { code } = toGatewayError(error);
    if (code === 'TOOL_NOT_FOUND' || code === 'INVALID_INPUT') return null;
    throw error;
  }
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const tool = await findTool((await params).tool);
  if (!tool) return { title: 'Not found' };
  const path = `/tools/${encodeURIComponent(tool.name)}`;
  return publicPage({ path, title: tool.displayName, description: tool.subtitle });
}

export default async function ToolPage({ params }: Props) {
  const tool = await findTool((await params).tool);
  if (!tool) notFound();
  const api = await createCaller();
  const reviews = await api.reviews.ofTool({ tool: tool.name });
  const ownKeys = await findProviderKeys(tool);
  const { baseUrl, access } = getRuntime().settings;
  return (
    <>
      <ToolJsonLd tool={tool} baseUrl={baseUrl} />
      <ToolView
        tool={tool}
        reviews={reviews}
        ownKeys={ownKeys}
        baseUrl={baseUrl}
        provisioning={access.provisioning}
      />
    </>
  );
}

/** The viewer's provider keys if the tool can use any; empty when signed out. */
async function findProviderKeys(tool: Tool): Promise<AccountRequirement[]> {
  if (!tool.skills.some((skill) => skill.requirements.length > 0)) return [];
  const api = await createCaller();
  try {
    return (await api.requirements.listOwn()).requirements;
  } catch (error) {
    const { code } = toGatewayError(error);
    if (code === 'AUTH_REQUIRED' || code === 'AUTH_FAILED') return [];
    throw error;
  }
}
