import type { Tool } from '@/server/catalog/tools/schema';
import type { SampleCall } from '../shared/call-samples';
import { buttonClass } from '../ui/button-class';
import { ArrowRight } from '../ui/icons';
import { IntentLink } from '../ui/intent-link';
import { ForAgents } from './for-agents';
import { HowItWorks } from './how-it-works';
import { LivePanel } from './live-panel';
import { PriceWords } from './price-words';
import { ProductPicture } from './product-picture';
import { ToolCard } from './tool-card';

interface LandingProps {
  /** Of the gateway. */
  name: string;
  baseUrl: string;
  tools: Tool[];
  liveCalls: SampleCall[];
  /** An agent gets a key without sign-up. */
  provisioning: boolean;
  /** What a new person needs to sign up; null if anyone may. */
  signUpRule: string | null;
}

const SHOWN_TOOLS = 6;

/** The home page. */
export function Landing({ name, baseUrl, tools, liveCalls, provisioning, signUpRule }: LandingProps) {
  // Tools for testing the gateway say little about its purpose or prices.
  const useful = tools.filter((tool) => !tool.categories.includes('testing'));
  const extract = chooseExtract(useful);
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-16 px-4 sm:px-6 lg:gap-24">
      <div className="grid items-start gap-x-14 gap-y-10 pt-10 sm:pt-14 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:pt-20">
        <div className="flex flex-col gap-5 lg:sticky lg:top-28">
          <h1 className="font-semibold text-3xl sm:text-4xl">Tools for AI agents. One key, paid per call.</h1>
          <p className="max-w-[34rem] text-lg text-muted">
            {provisioning ? 'An agent gets a key with one request, finds' : 'An agent finds'} a tool by
            describing what it needs, and pays per call from prepaid credit. Free tools need no{' '}
            {provisioning ? 'account' : 'credit'}.
          </p>
          <ul className="flex flex-col gap-1.5 text-base">
            <Fact>Failed calls cost nothing.</Fact>
            <Fact>Every response states its cost and what is left.</Fact>
            <Fact>
              {provisioning
                ? 'Claim the key later and keep its history.'
                : 'Each key has the limits you set.'}
            </Fact>
          </ul>
          <p className="flex flex-wrap gap-x-6 gap-y-2 pt-1">
            <IntentLink href="/tools" className="link inline-flex items-center gap-1.5">
              Browse the catalogue
            </IntentLink>
            <IntentLink href="/docs" className="link">
              Read the docs
            </IntentLink>
          </p>
        </div>
        {provisioning ? (
          <LivePanel baseUrl={baseUrl} calls={liveCalls} />
        ) : (
          <SignInPanel signUpRule={signUpRule} />
        )}
      </div>

      <HowItWorks provisioning={provisioning} signUpRule={signUpRule} />

      <ProductPicture />

      <ForAgents {...{ name, baseUrl, provisioning }} />

      <section aria-labelledby="catalogue" className="flex flex-col gap-6">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
          <h2 id="catalogue" className="text-2xl">
            In the catalogue
          </h2>
          <IntentLink href="/tools" className="link inline-flex items-center gap-1.5 text-base">
            {tools.length > SHOWN_TOOLS ? `All ${tools.length} tools` : 'Search the catalogue'}
            <ArrowRight aria-hidden className="size-4" />
          </IntentLink>
        </div>
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {extract.map((tool) => (
            <ToolCard key={tool.name} tool={tool} level={3} />
          ))}
        </div>
      </section>

      <PriceWords
        tools={useful}
        provisioning={provisioning}
        more={
          <IntentLink href="/pricing" className="link inline-flex items-center gap-1.5 text-base">
            Every price
            <ArrowRight aria-hidden className="size-4" />
          </IntentLink>
        }
      />
    </div>
  );
}

/** Takes the place of the live panel, which needs a key without sign-up. */
function SignInPanel({ signUpRule }: Pick<LandingProps, 'signUpRule'>) {
  return (
    <section
      aria-label="Get a key"
      className="flex min-w-0 flex-col items-start gap-4 rounded-xl border bg-surface p-5 shadow-pop sm:p-6"
    >
      <h2 className="text-xl">Get a key</h2>
      <p className="text-muted">
        Keys of this gateway belong to an account. {signUpRule} Sign in, create a key, and try any tool in the
        playground.
      </p>
      <IntentLink href="/dashboard/keys" className={buttonClass({ variant: 'primary', size: 'lg' })}>
        Create a key
      </IntentLink>
    </section>
  );
}

/** Available tools, each from a different category than those before it; then any others. */
function chooseExtract(tools: readonly Tool[]): Tool[] {
  const seen = new Set<string>();
  const first: Tool[] = [];
  const rest: Tool[] = [];
  for (const tool of tools) {
    const kind = tool.categories[0] ?? '';
    if (tool.available && !seen.has(kind)) first.push(tool);
    else rest.push(tool);
    seen.add(kind);
  }
  return [...first, ...rest].slice(0, SHOWN_TOOLS);
}

function Fact({ children }: { children: string }) {
  return (
    <li className="flex gap-3">
      <span aria-hidden className="mt-[0.7rem] h-px w-4 shrink-0 bg-accent" />
      {children}
    </li>
  );
}
