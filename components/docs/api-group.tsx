'use client';

import { useState } from 'react';
import type { ApiGroup, ApiLink } from '@/server/docs/schema';
import { Segmented } from '../shared/segmented';
import { IntentLink } from '../ui/intent-link';
import { PageHeader } from '../ui/page-header';
import { SharedErrors } from './api-errors';
import { ApiOperationView } from './api-operation';
import { Contents } from './contents';
import { Neighbours } from './neighbours';

interface ApiGroupViewProps {
  group: ApiGroup;
  previous: ApiLink | null;
  next: ApiLink | null;
}

const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;

/**
 * The operations of one group, with their samples in one language. Rendered in the browser too:
 * its data is a third of the elements that a server component would send besides the HTML.
 */
export function ApiGroupView({ group, previous, next }: ApiGroupViewProps) {
  const [language, setLanguage] = useState<string>(LANGUAGES[0]);
  const { name, description, operations, errors } = group;
  const headings = operations.map(({ id, summary }) => ({ id, text: summary, level: 2 }));
  if (errors.length > 0) headings.push({ id: 'shared-errors', text: 'Errors of every route here', level: 2 });
  return (
    <div className="grid gap-x-12 xl:grid-cols-[minmax(0,1fr)_12rem]">
      <div className="flex min-w-0 flex-col gap-12">
        <PageHeader
          title={name}
          description={description}
          back={
            <IntentLink href="/docs/api" className="text-muted hover:text-ink">
              API reference
            </IntentLink>
          }
          actions={
            <Segmented
              legend="Language of the examples"
              value={language}
              options={LANGUAGES.map((value) => ({ value, label: value }))}
              onValueChange={setLanguage}
              className="print:hidden"
            />
          }
        />
        {operations.map((operation) => (
          <ApiOperationView
            key={operation.id}
            operation={operation}
            language={language}
            sharesErrors={errors.length > 0}
          />
        ))}
        <SharedErrors errors={errors} />
        <Neighbours label="More groups" previous={previous} next={next} />
      </div>
      <Contents headings={headings} />
    </div>
  );
}
