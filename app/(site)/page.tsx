import type { Metadata } from 'next';
import { Landing } from '@/components/site/landing';
import { chooseLiveSkills, exampleCall } from '@/components/site/live-calls';
import { describeSignUpRule } from '@/components/site/sign-up-words';
import { createCaller } from '@/server/api/trpc/caller';
import { getRuntime } from '@/server/core/runtime';
import { describeSignIn } from '@/server/identity/sessions/options';
import { publicPage } from '../public-page';

/** Has the same alternate links as the Link header, for clients that read only the HTML. */
export function generateMetadata(): Metadata {
  const { access, brand } = getRuntime().settings;
  const page = publicPage({
    path: '/',
    title: { absolute: `${brand.name}: one key for every tool an agent needs` },
    description: `One API key for many tools. Agents find tools, call them and pay per use from prepaid credit.${access.provisioning ? ' Try a call now, no sign-up needed.' : ''}`,
  });
  return {
    ...page,
    alternates: {
      ...page.alternates,
      types: { 'text/plain': '/llms.txt', 'application/json': '/openapi.json' },
    },
  };
}

export default async function LandingPage() {
  const api = await createCaller();
  const { tools } = await api.tools.list({});
  const examples = await Promise.all(
    chooseLiveSkills(tools).map(async ({ tool, skill }) => exampleCall(await api.tools.get({ tool }), skill)),
  );
  const { access, baseUrl, brand } = getRuntime().settings;
  return (
    <Landing
      name={brand.name}
      baseUrl={baseUrl}
      tools={tools}
      liveCalls={examples.flat()}
      provisioning={access.provisioning}
      signUpRule={describeSignUpRule(await describeSignIn())}
    />
  );
}
