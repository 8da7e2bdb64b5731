import type { ApiSchema } from '@/server/docs/schema';
import { IntentLink } from '../ui/intent-link';
import { PageHeader } from '../ui/page-header';
import { FollowAnchor } from './follow-anchor';

/** The named schemas of requests and responses, each with a page of its own. */
export function ApiSchemasView({ schemas }: { schemas: readonly ApiSchema[] }) {
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <PageHeader
        title="API schemas"
        description="Every request and response schema. Later versions may add fields but never rename them."
        back={
          <IntentLink href="/docs/api" className="text-muted hover:text-ink">
            API reference
          </IntentLink>
        }
      />
      <ul className="divide-y border-y">
        {schemas.map(({ name, href, description }) => (
          <li key={name} id={name} data-old-anchor className="scroll-mt-20">
            <IntentLink
              href={href}
              className="grid gap-x-6 gap-y-1 py-2 hover:text-accent sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
            >
              <span className="font-mono text-sm [overflow-wrap:anywhere]">{name}</span>
              <span className="text-muted text-sm">{description}</span>
            </IntentLink>
          </li>
        ))}
      </ul>
      <FollowAnchor />
    </div>
  );
}
