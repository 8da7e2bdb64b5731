'use client';

import { useState } from 'react';
import { Segmented } from '../shared/segmented';
import { CodeBlock } from '../ui/code-block';
import { CopyButton } from '../ui/copy-button';
import { JsonTree } from '../ui/json-tree';
import { findAssetIds } from './find-asset-ids';
import { ResultFiles } from './result-files';
import { findImages, ResultImages } from './result-images';

/** Longer JSON is truncated in the raw view; the tree shows more. */
const MAX_RAW_CHARS = 100_000;

/** The result of a call: its files, its output as a tree, and as JSON. */
export function ResultView({ output }: { output: unknown }) {
  const [form, setForm] = useState<'tree' | 'raw'>('tree');
  const text = JSON.stringify(output ?? {}, null, 2);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <ResultFiles ids={findAssetIds(output)} />
      <ResultImages sources={findImages(output)} />
      <div className="flex items-center justify-between gap-3">
        <Segmented
          legend="Output format"
          value={form}
          options={[
            { value: 'tree', label: 'Output' },
            { value: 'raw', label: 'JSON' },
          ]}
          onValueChange={setForm}
        />
        <CopyButton value={text} label="Copy the output" text variant="secondary" />
      </div>
      {form === 'tree' ? (
        <JsonTree value={output ?? {}} label="Output" />
      ) : (
        <CodeBlock
          label="Output as JSON"
          wrap
          samples={[
            {
              language: 'JSON',
              code: text.length > MAX_RAW_CHARS ? `${text.slice(0, MAX_RAW_CHARS)}…` : text,
            },
          ]}
          bodyClassName="max-h-[60dvh]"
        />
      )}
    </div>
  );
}
