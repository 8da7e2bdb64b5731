import { z } from 'zod';
import { UNKNOWN_FIELD, unknownField } from './strict-input';

interface QueryFields<Name extends string> {
  readonly names: readonly Name[];
  /** The parameter's description in the OpenAPI document. */
  readonly about: string;
  readonly example: string;
}

const MAX_LENGTH = 1000;

/** An optional query parameter with names of fields, separated by commas. */
export function queryFields<const Name extends string>({ names, about, example }: QueryFields<Name>) {
  return z
    .string()
    .min(1)
    .max(MAX_LENGTH)
    .transform((text, context) => {
      const chosen = [...new Set(text.split(',').map((name) => name.trim()))];
      const unknown = chosen.find((name) => !names.some((known) => known === name));
      if (unknown !== undefined) context.addIssue({ code: 'custom', message: describe(unknown, names) });
      return chosen as Name[];
    })
    .meta({ description: about, example })
    .optional();
}

function describe(name: string, names: readonly string[]): string {
  const inner = name === '' ? undefined : names.find((known) => known.endsWith(`.${name}`));
  return inner === undefined
    ? unknownField(name, names)
    : `${UNKNOWN_FIELD} \`${name}\`. Did you mean \`${inner}\`?`;
}
