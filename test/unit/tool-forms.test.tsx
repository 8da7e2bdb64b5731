import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Control, chooseControl, readControlValue } from '../../components/ui/schema-form/controls';
import type { JsonSchema } from '../../components/ui/schema-form/json-schema';
import { SchemaForm } from '../../components/ui/schema-form/schema-form';
import { tools } from '../../server/tools/registry';

const skills = tools.flatMap((tool) =>
  tool.skills.map((skill) => ({
    name: `${tool.name}.${skill.name}`,
    schema: z.toJSONSchema(skill.input, { io: 'input', target: 'draft-2020-12' }) as JsonSchema,
    inputs: [{}, ...skill.examples.map(({ input }) => input)],
  })),
);

/** Finds the parts of a value that are shown as JSON because they do not fit a form field. */
function findMisfits(root: JsonSchema, schema: unknown, value: unknown): Control[] {
  const { control } = chooseControl(root, schema, value);
  if (control.kind === 'json' && control.misfit) return [control];
  if (control.kind === 'variants')
    return control.chosen === undefined ? [] : findMisfits(root, control.variants[control.chosen], value);
  const parts = 'parts' in control ? (control.parts ?? []) : [];
  return parts.flatMap((part) => findMisfits(root, part.schema, part.value));
}

describe('the form of every skill of this gateway', () => {
  it.each(skills)('$name shows its examples completely in form fields', ({ schema, inputs }) => {
    for (const input of inputs) {
      const json = JSON.parse(JSON.stringify(input));
      expect(readControlValue(schema, chooseControl(schema, schema, json).control)).toEqual(json);
      expect(findMisfits(schema, schema, json)).toEqual([]);
      const form = renderToStaticMarkup(
        createElement(SchemaForm, {
          schema,
          value: json,
          onChange: () => undefined,
          formId: 'f',
          path: 'input',
          problems: [{ path: 'input', message: 'Wrong' }],
          showAll: true,
          renderFile: ({ id, label }) => createElement('input', { id, 'data-file': label }),
          onBroken: () => undefined,
        }),
      );
      for (const name of Object.keys((schema.properties as object | undefined) ?? {}))
        expect(form).toContain(name);
    }
  });

  it('uses the file field for files', () => {
    const kinds = skills.flatMap(({ schema }) =>
      Object.values((schema.properties ?? {}) as object).map(
        (field) => chooseControl(schema, field, undefined).control.kind,
      ),
    );
    expect(kinds.filter((kind) => kind === 'file').length).toBeGreaterThan(5);
  });
});
