import Link from 'next/link';
import type { ReactNode } from 'react';
import type { AccountRequirement } from '@/server/catalog/credentials/schema';
import type { ToolReviews } from '@/server/catalog/reviews/schema';
import type { Tool } from '@/server/catalog/tools/schema';
import { AvailabilityNotice } from '../shared/availability';
import { curlProvision, KEY_VARIABLE } from '../shared/call-samples';
import { formatDuration } from '../shared/format';
import { SkillPrice } from '../shared/price';
import { formatShare, Rating } from '../shared/rating';
import { Badge } from '../ui/badge';
import { buttonClass } from '../ui/button-class';
import { CodeBlock } from '../ui/code-block';
import { ChevronLeft } from '../ui/icons';
import { PageHeader } from '../ui/page-header';
import { ByokNote } from './byok-note';
import { DeprecationNotice } from './deprecation-notice';
import { ReviewList } from './review-list';
import { SkillSection } from './skill-section';

interface ToolViewProps {
  tool: Tool;
  reviews: ToolReviews;
  /** The provider keys that the viewer has saved. */
  ownKeys: AccountRequirement[];
  baseUrl: string;
  /** An agent gets a key without sign-up. */
  provisioning: boolean;
}

/** The page of one tool. */
export function ToolView({ tool, reviews, ownKeys, baseUrl, provisioning }: ToolViewProps) {
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-8 px-4 pt-8 sm:px-6 sm:pt-10">
      <PageHeader
        back={
          <Link href="/tools" className="inline-flex items-center gap-1 text-muted hover:text-ink">
            <ChevronLeft aria-hidden className="size-4" />
            Catalogue
          </Link>
        }
        title={tool.displayName}
        description={tool.subtitle}
        actions={
          <Link
            href={`/dashboard/playground?tool=${encodeURIComponent(tool.name)}`}
            prefetch={false}
            className={buttonClass({ variant: 'primary' })}
          >
            Try it in the playground
          </Link>
        }
      />
      <AvailabilityNotice what="This tool" of={tool} ownKeys={ownKeys} />
      {tool.deprecated && <DeprecationNotice what="This tool" deprecated={tool.deprecated} />}
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <Facts tool={tool} />
        <div className="flex min-w-0 flex-col gap-10 lg:col-start-1 lg:row-start-1">
          <div className="flex flex-col gap-4">
            <p className="max-w-2xl text-base">{tool.description}</p>
            <Categories names={tool.categories} />
          </div>
          <ByokNote tool={tool} slots={ownKeys} />
          <BeforeYouCall baseUrl={baseUrl} provisioning={provisioning} />
          {tool.skills.map((skill) => (
            <SkillSection
              key={skill.name}
              tool={tool.name}
              skill={skill}
              baseUrl={baseUrl}
              toolDeprecated={tool.deprecated !== undefined}
              ownKeys={skill.availability === tool.availability ? null : ownKeys}
            />
          ))}
          <ReviewList tool={tool} reviews={reviews} baseUrl={baseUrl} />
        </div>
      </div>
    </div>
  );
}

function Categories({ names }: { names: string[] }) {
  return (
    <ul aria-label="Categories" className="flex flex-wrap gap-1.5">
      {names.map((category) => (
        <li key={category}>
          <Link href={`/tools?category=${encodeURIComponent(category)}`}>
            <Badge className="hover:text-ink">{category}</Badge>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function BeforeYouCall({ baseUrl, provisioning }: Pick<ToolViewProps, 'baseUrl' | 'provisioning'>) {
  if (!provisioning)
    return (
      <p className="text-muted text-sm">
        The examples read your key from <code className="font-mono text-ink text-xs">{KEY_VARIABLE}</code>.
        Don’t have one yet?{' '}
        <Link href="/dashboard/keys" prefetch={false} className="link">
          Create a key
        </Link>
        .
      </p>
    );
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className="text-muted text-sm">
        The examples read your key from <code className="font-mono text-ink text-xs">{KEY_VARIABLE}</code>.
        Don’t have one yet? This request returns one:
      </p>
      <CodeBlock label="Get a key" wrap samples={[{ language: 'curl', code: curlProvision(baseUrl) }]} />
    </div>
  );
}

function Facts({ tool }: { tool: Tool }) {
  const { success_rate, p50_ms, calls_30d } = tool.stats;
  return (
    <aside aria-label="Details" className="flex flex-col gap-6 self-start lg:sticky lg:top-20 lg:col-start-2">
      <nav aria-label="Skills">
        <h2 className="mb-2 font-medium text-muted text-sm">Skills</h2>
        <ul className="flex flex-col divide-y border-y">
          {tool.skills.map((skill) => (
            <li key={skill.name}>
              <a
                href={`#${skill.name}`}
                className="flex items-baseline justify-between gap-4 py-2 text-sm hover:text-accent"
              >
                <span className="min-w-0 truncate font-mono text-xs">{skill.name}</span>
                <SkillPrice pricing={skill.pricing} short className="whitespace-nowrap text-xs" />
              </a>
            </li>
          ))}
        </ul>
        <PriceNote tool={tool} />
      </nav>
      <dl className="grid gap-x-10 gap-y-2 text-sm sm:grid-cols-2 lg:grid-cols-1">
        <Fact term="Rating">
          <Rating rating={tool.rating} />
        </Fact>
        <Fact term="Success rate, 30 days">
          {success_rate !== null
            ? formatShare(success_rate)
            : calls_30d === 0
              ? 'No calls yet'
              : 'Too few calls'}
        </Fact>
        <Fact term="Calls, 30 days">{calls_30d.toLocaleString('en-US')}</Fact>
        <Fact term="Typical time">{p50_ms === null ? '—' : formatDuration(p50_ms)}</Fact>
        <Fact term="Version">{tool.version}</Fact>
      </dl>
    </aside>
  );
}

/** Notes that the prices above do not include. */
function PriceNote({ tool }: { tool: Tool }) {
  const paid = tool.skills.filter(({ pricing }) => !pricing.free);
  if (paid.length === 0)
    return <p className="mt-2 text-muted text-xs">Free for every key, even before it is claimed.</p>;
  const own = paid.find(({ requirements }) => requirements.length > 0);
  return (
    <p className="mt-2 text-muted text-xs">
      Charged to prepaid credit; failed calls cost nothing.
      {own &&
        ` With your own provider key a call costs ${(own.pricing.byok_rate * 100).toLocaleString('en-US')}% of its price.`}
    </p>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-muted">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
