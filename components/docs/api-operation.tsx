import Link from 'next/link';
import { Fragment } from 'react';
import type { ApiOperation, ApiParameter, ApiResponse } from '@/server/docs/schema';
import { SchemaTable } from '../shared/schema-table';
import { Badge } from '../ui/badge';
import { ApiErrorRows } from './api-errors';
import { CodeFrame } from './code-frame';
import { Method } from './method';

interface ApiOperationViewProps {
  operation: ApiOperation;
  /** The label of the shown sample; the first one is shown if there is none in this language. */
  language: string;
  /** Whether the page has a list of errors that this route has too. */
  sharesErrors: boolean;
}

/** One route: its request in one language, its parameters, body and responses. */
export function ApiOperationView({ operation, language, sharesErrors }: ApiOperationViewProps) {
  const { id, method, path, summary, description, body, samples, example } = operation;
  const sample = samples.find(({ label }) => label === language) ?? samples[0];
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="flex min-w-0 scroll-mt-20 flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        <h2 id={`${id}-title`} className="text-lg">
          <a href={`#${id}`} className="hover:text-accent">
            {summary}
          </a>
        </h2>
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
      {sample && <CodeFrame samples={[sample]} label={`${summary}: ${sample.label}`} />}
      <Parameters title={summary} parameters={operation.parameters} />
      {body && (
        <div className="flex flex-col gap-2">
          <h3 className="font-medium text-sm">
            Body: {body.name}
            {!body.required && <span className="font-normal text-muted"> (optional)</span>}
          </h3>
          <SchemaTable
            schema={body.schema}
            caption={`Body of ${summary}`}
            empty="An object with any fields."
            showRequired
          />
        </div>
      )}
      <Responses operation={operation} sharesErrors={sharesErrors} />
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
      <h3 className="font-medium text-sm">Parameters</h3>
      <dl aria-label={`Parameters of ${title}`} className="field-list">
        {parameters.map(({ name, place, required, type, description }) => (
          <div key={`${place}-${name}`}>
            <dt>
              <code>{name}</code>
              <span>
                {type}, {place}
              </span>
              {required && <span>required</span>}
            </dt>
            <dd>{description || <span className="text-muted">—</span>}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

type ResponsesProps = Omit<ApiOperationViewProps, 'language'>;

function Responses({ operation, sharesErrors }: ResponsesProps) {
  const { summary, responses, errors } = operation;
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-medium text-sm">Responses</h3>
      <dl aria-label={`Responses of ${summary}`} className="status-list">
        {responses.map((response) => (
          <Fragment key={response.status}>
            <dt>{response.status}</dt>
            <Success response={response} />
          </Fragment>
        ))}
        <ApiErrorRows errors={errors} />
      </dl>
      {sharesErrors && (
        <a href="#shared-errors" className="link w-fit text-sm">
          Errors of every route here
        </a>
      )}
    </div>
  );
}

function Success({ response: { description, schema, types } }: { response: ApiResponse }) {
  return (
    <dd>
      {schema && (
        <Link href={`/docs/api/schemas/${schema}`} prefetch={false} className="mr-2">
          {schema}
        </Link>
      )}
      <span className="text-muted">{description.replaceAll('`', '')}</span>
      {types.length > 0 && <span className="text-muted"> Also available as {types.join(', ')}.</span>}
    </dd>
  );
}
