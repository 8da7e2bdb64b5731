'use client';

import { useState } from 'react';
import { Button } from '../ui/button';
import { Code, Play } from '../ui/icons';
import { Kbd } from '../ui/kbd';
import { lazyOverlay } from '../ui/lazy-overlay';
import { BeforeRun, type BeforeRunProps } from './before-run';
import type { CallRequest } from './runs';

const CodeSamples = lazyOverlay(
  () => import('./code-samples').then((loaded) => loaded.CodeSamples),
  () => <div className="h-64" />,
);

interface RunBarProps extends BeforeRunProps {
  call: CallRequest;
  running: boolean;
  onRun: () => void;
}

/** The dry run's result, the Run button, and the call as code. */
export function RunBar({ call, running, onRun, ...before }: RunBarProps) {
  const [asCode, setAsCode] = useState(false);
  return (
    <>
      <div className="sticky bottom-0 z-10 flex flex-col gap-3 rounded-b-lg border-t bg-surface px-4 py-3 max-md:static sm:px-5">
        <BeforeRun {...before} />
        <div className="flex flex-wrap items-center gap-2">
          <Button
            variant="primary"
            busy={running}
            onClick={onRun}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            <Play aria-hidden />
            Run
            <Kbd className="ml-1 border-transparent bg-transparent text-ink-inverse/70 max-sm:hidden">
              <span aria-hidden>Ctrl ↵</span>
            </Kbd>
          </Button>
          <Button aria-expanded={asCode} onClick={() => setAsCode(!asCode)}>
            <Code aria-hidden />
            {asCode ? 'Hide the code' : 'As code'}
          </Button>
        </div>
      </div>
      {asCode && (
        <div className="border-t p-4 sm:p-5">
          <CodeSamples call={call} />
        </div>
      )}
    </>
  );
}
