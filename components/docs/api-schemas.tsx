import type { ApiSchema } from '@/server/guides/schema';
import { SchemaTable } from '../site/schema-table';

/** The named shapes that routes take and answer with. */
export function ApiSchemas({ schemas }: { schemas: readonly ApiSchema[] }) {
  return (
    <section aria-labelledby="schemas" className="flex flex-col gap-8">
      <div className="flex flex-col gap-1 border-t pt-8">
        <h2 id="schemas" className="scroll-mt-20 text-2xl">
          Schemas
        </h2>
        <p className="text-muted">Every object may carry more fields in later versions; none is renamed.</p>
      </div>
      {schemas.map(({ name, description, schema, uses }) => (
        <section
          key={name}
          id={`schema-${name}`}
          aria-labelledby={`schema-${name}-title`}
          className="flex scroll-mt-20 flex-col gap-2"
        >
          <h3 id={`schema-${name}-title`} className="font-mono text-base">
            <a href={`#schema-${name}`} className="hover:text-accent">
              {name}
            </a>
          </h3>
          {description && <p className="max-w-[44rem] text-sm">{description}</p>}
          <SchemaTable
            schema={schema}
            caption={`Fields of ${name}`}
            empty={uses.length > 0 ? 'One of the schemas below.' : 'An object of any fields.'}
            showRequired
          />
          {uses.length > 0 && (
            <p className="text-muted text-sm">
              Uses{' '}
              {uses.map((used, at) => (
                <span key={used}>
                  {at > 0 && ', '}
                  <a href={`#schema-${used}`} className="link font-mono text-xs">
                    {used}
                  </a>
                </span>
              ))}
            </p>
          )}
        </section>
      ))}
    </section>
  );
}
