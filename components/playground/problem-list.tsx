'use client';

import type { Ref } from 'react';
import type { DryRunResult } from '@/server/calls/schema';
import { Notice } from '../ui/notice';
import { type FieldProblem, fieldPaths } from '../ui/schema-form/field-paths';
import { controlId } from '../ui/schema-form/form-context';
import type { JsonSchema } from '../ui/schema-form/json-schema';
import type { CallError } from './runs';

/** The name of the input in the server's error paths. */
export const INPUT = 'input';

/** The problems of the input, worded for a form. */
export function listProblems(
  check: DryRunResult | undefined,
  refused: CallError | null,
): readonly FieldProblem[] {
  const problems = check ? check.input_errors : (refused?.fields ?? []);
  return problems.map(({ path, message }) => ({ path, message: shortenMessage(path, message) }));
}

/** Drops the field's name from a message that is shown at the field. */
function shortenMessage(path: string, message: string): string {
  const name = `\`${path}\` `;
  if (!message.startsWith(name)) return message;
  const rest = message.slice(name.length).replace(/\.$/, '');
  return rest === 'is required' ? 'This field is required' : rest.charAt(0).toUpperCase() + rest.slice(1);
}

interface ProblemListProps {
  ref: Ref<HTMLDivElement>;
  problems: readonly FieldProblem[];
  /** The parse error of invalid JSON. */
  broken: string | null;
  formId: string;
  /** Whether there is a form with fields to link to. */
  linked: boolean;
  schema: JsonSchema;
  value: unknown;
}

/** All problems that block the call, each linked to its field. */
export function ProblemList({ ref, problems, broken, formId, linked, schema, value }: ProblemListProps) {
  const paths = linked ? fieldPaths(schema, value, INPUT) : new Set<string>();
  const count = problems.length + (broken === null ? 0 : 1);
  return (
    <div ref={ref} tabIndex={-1} className="empty:hidden focus:outline-none">
      {count > 0 && (
        <Notice
          tone="danger"
          live
          title={count === 1 ? 'Fix 1 error to continue' : `Fix ${count} errors to continue`}
        >
          <ul className="flex flex-col gap-0.5">
            {broken !== null && <li>{broken}</li>}
            {problems.map(({ path, message }) => (
              <li key={path + message}>
                <Place path={path} id={paths.has(path) && path !== INPUT ? controlId(formId, path) : null} />{' '}
                {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

function Place({ path, id }: { path: string; id: string | null }) {
  const name = path.startsWith(`${INPUT}.`) ? path.slice(INPUT.length + 1) : path;
  if (id === null) return <code className="font-mono text-xs">{name}:</code>;
  return (
    <button
      type="button"
      className="link font-mono text-xs"
      onClick={() => {
        const control = document.getElementById(id);
        control?.focus();
        control?.scrollIntoView({ block: 'center' });
      }}
    >
      {name}:
    </button>
  );
}
