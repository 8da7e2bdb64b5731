import type { ApiReference } from '@/server/docs/schema';
import { buttonClass } from '../ui/button-class';
import { IntentLink } from '../ui/intent-link';
import { PageHeader } from '../ui/page-header';
import { ApiFilter } from './api-filter';
import { CodeFrame } from './code-frame';
import { FollowAnchor } from './follow-anchor';

/** The groups of the API with their routes. Each group has a page, and each schema. */
export function ApiIndexView({ reference, baseUrl }: { reference: ApiReference; baseUrl: string }) {
  const groups = reference.groups.map(({ name, href, description, operations }) => ({
    name,
    href,
    description,
    routes: operations.map(({ id, href, method, path, summary }) => ({ id, href, method, path, summary })),
  }));
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <PageHeader
        title="API reference"
        description={`Version ${reference.version}. Generated from the OpenAPI document that this gateway serves.`}
        actions={
          <>
            <IntentLink href="/docs/api/schemas" className={buttonClass({ size: 'sm' })}>
              Schemas
            </IntentLink>
            <a href="/openapi.json" download className={buttonClass({ size: 'sm' })}>
              Download openapi.json
            </a>
          </>
        }
      />
      <section aria-label="Conventions" className="flex flex-col gap-3">
        <p className="max-w-[44rem]">
          Send your key as <code className="font-mono text-sm">Authorization: Bearer</code>. Bodies are JSON;
          money is US dollars, times are ISO 8601 in UTC. Unknown fields are refused, and types are never
          coerced. The examples read the key and ids from environment variables.
        </p>
        <CodeFrame
          label="Base URL and API key"
          samples={[
            {
              language: 'sh',
              label: 'Shell',
              code: `# ${baseUrl}/v1\nexport TOOL_GATEWAY_KEY=tg_live_…`,
            },
          ]}
        />
      </section>
      <ApiFilter groups={groups} />
      <FollowAnchor />
    </div>
  );
}
