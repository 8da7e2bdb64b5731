'use client';

import { Segmented } from '../shared/segmented';
import { Select } from '../ui/select';
import type { OpenedSkill } from './opened-skill';
import type { Workbench as Bench } from './use-workbench';

/** Switches between form and JSON, and fills in examples. */
export function InputTools({ bench, skill }: { bench: Bench; skill: OpenedSkill['skill'] }) {
  const examples = skill.examples ?? [];
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-b px-4 py-2.5 sm:px-5">
      <Segmented
        legend="Input format"
        value={bench.mode}
        options={[
          { value: 'form', label: 'Form' },
          { value: 'json', label: 'JSON' },
        ]}
        // Switching would discard invalid JSON.
        onValueChange={(mode) =>
          bench.mode === 'json' && bench.broken !== null ? undefined : bench.choose(mode)
        }
      />
      {examples.length > 0 && (
        <Select
          aria-label="Fill in an example"
          className="w-56 max-sm:w-full"
          value=""
          onChange={({ target }) => {
            const example = examples[Number(target.value)];
            if (target.value === 'clear') bench.replace({});
            else if (example) bench.replace(example.input);
          }}
        >
          <option value="">Fill in an example</option>
          {examples.map(({ description }, at) => (
            <option key={description} value={String(at)}>
              {description}
            </option>
          ))}
          <option value="clear">Clear input</option>
        </Select>
      )}
    </div>
  );
}
