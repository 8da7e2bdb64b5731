import type { ApiReference } from '@/server/docs/schema';
import { buttonClass } from '../ui/button-class';
import { IntentLink } from '../ui/intent-link';
import { PageHeader } from '../ui/page-header';
import { ApiFilter } from './api-filter';
import { ApiOperationView } from './api-operation';
import { CodeFrame } from './code-frame';

/** The routes of the OpenAPI document. The schemas have a page of their own. */
export function ApiReferenceView({ reference, baseUrl }: { reference: ApiReference; baseUrl: string }) {
  const names = reference.groups.map(({ name, operations }) => ({
    name,
    routes: operations.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
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
      <ApiFilter groups={names} />
      {reference.groups.map((group) => (
        <section key={group.name} aria-labelledby={`tag-${group.name}`} className="flex flex-col gap-10">
          <div className="flex flex-col gap-1 border-t pt-8">
            <h2 id={`tag-${group.name}`} className="scroll-mt-20 text-2xl">
              {group.name}
            </h2>
            <p className="text-muted">{group.description}</p>
          </div>
          {group.operations.map((operation) => (
            <ApiOperationView key={operation.id} operation={operation} />
          ))}
        </section>
      ))}
    </div>
  );
}
