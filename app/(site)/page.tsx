import { Landing } from '@/components/site/landing';
import { chooseLiveSkills, exampleCall } from '@/components/site/live-calls';
import { getRuntime } from '@/server/runtime';
import { createCaller } from '@/server/trpc/caller';
import { publicPage } from '../public-page';

export const metadata = publicPage({
  path: '/',
  title: { absolute: 'Tool Gateway: one key for every tool an agent needs' },
  description:
    'One API key for many tools. Agents find them, call them and pay per use from prepaid credit. Try a call now, without signing up.',
});

export default async function LandingPage() {
  const api = await createCaller();
  const { tools } = await api.tools.list({});
  const examples = await Promise.all(
    chooseLiveSkills(tools).map(async ({ tool, skill }) => exampleCall(await api.tools.get({ tool }), skill)),
  );
  return <Landing baseUrl={getRuntime().settings.baseUrl} tools={tools} liveCalls={examples.flat()} />;
}
