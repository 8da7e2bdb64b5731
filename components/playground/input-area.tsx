'use client';

import type { Ref } from 'react';
import { CodeEditor } from '../ui/code-editor';
import type { FieldProblem } from '../ui/schema-form/field-paths';
import type { FileFieldProps } from '../ui/schema-form/form-context';
import type { JsonSchema } from '../ui/schema-form/json-schema';
import { SchemaForm } from '../ui/schema-form/schema-form';
import { FileField } from './file-field';
import { INPUT, ProblemList } from './problem-list';
import type { Workbench as Bench } from './use-workbench';

interface InputAreaProps {
  bench: Bench;
  schema: JsonSchema;
  formId: string;
  problems: readonly FieldProblem[];
  /** Shows all problems, in the list above and at untouched fields. */
  showAll: boolean;
  /** Ref of the problem list, to focus it. */
  summary: Ref<HTMLDivElement>;
}

/** The input as a form or as JSON, below its problems. */
export function InputArea({ bench, schema, formId, problems, showAll, summary }: InputAreaProps) {
  return (
    <div className="flex flex-col gap-5 p-4 sm:p-5">
      <ProblemList
        ref={summary}
        problems={showAll ? problems : []}
        broken={showAll ? bench.broken : null}
        formId={formId}
        linked={bench.mode === 'form'}
        value={bench.value}
        schema={schema}
      />
      {bench.mode === 'form' ? (
        <SchemaForm
          key={bench.version}
          schema={schema}
          value={bench.value}
          onChange={bench.change}
          formId={formId}
          path={INPUT}
          problems={problems}
          showAll={showAll}
          renderFile={renderFile}
          onBroken={bench.setBrokenParts}
        />
      ) : (
        <JsonInput bench={bench} id={`${formId}json`} />
      )}
    </div>
  );
}

function renderFile(props: FileFieldProps) {
  return <FileField {...props} />;
}

function JsonInput({ bench, id }: { bench: Bench; id: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <CodeEditor
        label="Input as JSON"
        value={bench.text}
        onChange={bench.write}
        describedBy={`${id}-state`}
      />
      <p
        id={`${id}-state`}
        role="status"
        className={bench.broken === null ? 'text-muted text-sm' : 'text-danger text-sm'}
      >
        {bench.broken ?? 'Valid JSON. Tab moves to the next control.'}
      </p>
    </div>
  );
}
