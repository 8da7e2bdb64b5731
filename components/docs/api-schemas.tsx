import type { ApiSchema } from '@/server/docs/schema';
import { SchemaTable } from '../shared/schema-table';
import { IntentLink } from '../ui/intent-link';
import { PageHeader } from '../ui/page-header';
import { Contents } from './contents';

/** The named schemas of requests and responses. */
export function ApiSchemasView({ schemas }: { schemas: readonly ApiSchema[] }) {
  return (
    <div className="grid gap-x-12 xl:grid-cols-[minmax(0,1fr)_12rem]">
      <div className="flex min-w-0 flex-col gap-8">
        <PageHeader
          title="API schemas"
          description="The fields of every request and response schema. Later versions may add fields but never rename them."
          back={
            <IntentLink href="/docs/api" className="text-muted hover:text-ink">
              API reference
            </IntentLink>
          }
        />
        {schemas.map(({ name, description, schema, uses }) => (
          <section
            key={name}
            id={name}
            aria-labelledby={`${name}-title`}
            className="flex scroll-mt-20 flex-col gap-2"
          >
            <h2 id={`${name}-title`} className="font-mono text-base">
              <a href={`#${name}`} className="hover:text-accent">
                {name}
              </a>
            </h2>
            {description && <p className="max-w-[44rem] text-sm">{description}</p>}
            <SchemaTable
              schema={schema}
              caption={`Fields of ${name}`}
              empty={uses.length > 0 ? 'One of the schemas below.' : 'An object with any fields.'}
              showRequired
            />
            {uses.length > 0 && (
              <p className="text-muted text-sm">
                Uses{' '}
                {uses.map((used, at) => (
                  <span key={used}>
                    {at > 0 && ', '}
                    <a href={`#${used}`} className="link font-mono text-xs">
                      {used}
                    </a>
                  </span>
                ))}
              </p>
            )}
          </section>
        ))}
      </div>
      <Contents headings={schemas.map(({ name }) => ({ id: name, text: name, level: 2 }))} />
    </div>
  );
}
