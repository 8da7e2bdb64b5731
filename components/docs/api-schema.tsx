import type { ApiLink, ApiSchema } from '@/server/docs/schema';
import { SchemaTable } from '../shared/schema-table';
import { IntentLink } from '../ui/intent-link';
import { PageHeader } from '../ui/page-header';

/** The fields of one schema, and where it is used. */
export function ApiSchemaView({
  schema: { name, description, schema, uses, usedBy },
}: {
  schema: ApiSchema;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <PageHeader
        title={<span className="font-mono [overflow-wrap:anywhere]">{name}</span>}
        description={description}
        back={
          <IntentLink href="/docs/api/schemas" className="text-muted hover:text-ink">
            API schemas
          </IntentLink>
        }
      />
      <SchemaTable
        schema={schema}
        caption={`Fields of ${name}`}
        empty={uses.length > 0 ? 'One of the schemas below.' : 'An object with any fields.'}
        showRequired
      />
      <Links title="Schemas of its fields" links={uses} />
      <Links title="Used by" links={usedBy} />
    </div>
  );
}

function Links({ title, links }: { title: string; links: readonly ApiLink[] }) {
  if (links.length === 0) return null;
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h2 className="font-medium text-sm">{title}</h2>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {links.map((link) => (
          <li key={link.href}>
            <IntentLink href={link.href} className="link">
              {link.title}
            </IntentLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
