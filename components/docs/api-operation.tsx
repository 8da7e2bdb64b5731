import Link from 'next/link';
import type { ApiOperation, ApiParameter, ApiResponse } from '@/server/docs/schema';
import { SchemaTable } from '../shared/schema-table';
import { Badge } from '../ui/badge';
import { CodeFrame } from './code-frame';
import { Method } from './method';

/** One route: its parameters, body, responses, and the request in three languages. */
export function ApiOperationView({ operation }: { operation: ApiOperation }) {
  const { id, method, path, summary, description, body, samples, example } = operation;
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="flex min-w-0 scroll-mt-20 flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        <h3 id={`${id}-title`} className="text-lg">
          <a href={`#${id}`} className="hover:text-accent">
            {summary}
          </a>
        </h3>
        <p className="flex flex-wrap items-baseline gap-2">
          <Method name={method} />
          <code className="font-mono text-sm [overflow-wrap:anywhere]">{path}</code>
        </p>
        <p className="max-w-[44rem]">{description}</p>
        <p className="flex flex-wrap gap-1.5">
          <Badge>{operation.needsKey ? 'API key required' : 'No API key required'}</Badge>
          {operation.idempotent && (
            <Link href="/docs/idempotency" prefetch={false}>
              <Badge className="hover:text-ink">Idempotency-Key</Badge>
            </Link>
          )}
          <Badge>{id}</Badge>
        </p>
      </div>
      <CodeFrame samples={samples} label={`${summary}: request`} />
      <Parameters title={summary} parameters={operation.parameters} />
      {body && (
        <div className="flex flex-col gap-2">
          <h4 className="font-medium text-sm">
            Body: {body.name}
            {!body.required && <span className="font-normal text-muted"> (optional)</span>}
          </h4>
          <SchemaTable
            schema={body.schema}
            caption={`Body of ${summary}`}
            empty="An object with any fields."
            showRequired
          />
        </div>
      )}
      <Responses title={summary} responses={operation.responses} />
      {example && (
        <details className="group">
          <summary className="w-fit text-accent text-sm">Example response</summary>
          <div className="mt-2">
            <CodeFrame
              label={`${summary}: answer`}
              samples={[{ language: 'json', label: 'JSON', code: example }]}
            />
          </div>
        </details>
      )}
    </section>
  );
}

function Parameters({ title, parameters }: { title: string; parameters: readonly ApiParameter[] }) {
  if (parameters.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <h4 className="font-medium text-sm">Parameters</h4>
      <dl aria-label={`Parameters of ${title}`} className="divide-y border-y text-sm">
        {parameters.map(({ name, place, required, type, description }) => (
          <div
            key={`${place}-${name}`}
            className="grid gap-x-6 gap-y-1 py-2.5 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
          >
            <dt className="flex min-w-0 flex-wrap items-baseline gap-x-2">
              <code className="break-all font-medium font-mono text-xs">{name}</code>
              <span className="text-muted text-xs">
                {type}, {place}
              </span>
              {required && <span className="text-xs">required</span>}
            </dt>
            <dd className="min-w-0">{description || <span className="text-muted">—</span>}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Responses({ title, responses }: { title: string; responses: readonly ApiResponse[] }) {
  return (
    <div className="flex flex-col gap-2">
      <h4 className="font-medium text-sm">Responses</h4>
      <dl aria-label={`Responses of ${title}`} className="divide-y border-y text-sm">
        {responses.map((response) => (
          <div key={response.status} className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-x-4 py-2">
            <dt className="font-mono text-xs leading-6">{response.status}</dt>
            <dd className="flex min-w-0 flex-wrap gap-x-3 gap-y-0.5">
              {response.codes.length > 0 ? (
                response.codes.map((code) => (
                  <Link
                    key={code}
                    href={`/docs/errors#${code}`}
                    prefetch={false}
                    className="link font-mono text-xs leading-6"
                  >
                    {code}
                  </Link>
                ))
              ) : (
                <Success response={response} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Success({ response: { description, schema, types } }: { response: ApiResponse }) {
  return (
    <span>
      {schema && (
        <Link href={`/docs/api/schemas#${schema}`} prefetch={false} className="link mr-2 font-mono text-xs">
          {schema}
        </Link>
      )}
      <span className="text-muted">{description.replaceAll('`', '')}</span>
      {types.length > 0 && <span className="text-muted"> Also available as {types.join(', ')}.</span>}
    </span>
  );
}
