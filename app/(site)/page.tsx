import type { Metadata } from 'next';
import { Landing } from '@/components/site/landing';
import { chooseLiveSkills, exampleCall } from '@/components/site/live-calls';
import { createCaller } from '@/server/api/trpc/caller';
import { getRuntime } from '@/server/core/runtime';
import { publicPage } from '../public-page';

const page = publicPage({
  path: '/',
  title: { absolute: 'Tool Gateway: one key for every tool an agent needs' },
  description:
    'One API key for many tools. Agents find tools, call them and pay per use from prepaid credit. Try a call now, no sign-up needed.',
});

/** The same alternate links as in the Link header, for clients that read only the HTML. */
export const metadata: Metadata = {
  ...page,
  alternates: {
    ...page.alternates,
    types: { 'text/plain': '/llms.txt', 'application/json': '/openapi.json' },
  },
};

export default async function LandingPage() {
  const api = await createCaller();
  const { tools } = await api.tools.list({});
  const examples = await Promise.all(
    chooseLiveSkills(tools).map(async ({ tool, skill }) => exampleCall(await api.tools.get({ tool }), skill)),
  );
  return <Landing baseUrl={getRuntime().settings.baseUrl} tools={tools} liveCalls={examples.flat()} />;
}
