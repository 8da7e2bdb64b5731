'use client';

import { useState } from 'react';
import { cn } from './cn';
import { CopyButton } from './copy-button';
import { highlight } from './highlight';
import { Tab, TabList, TabPanel, Tabs } from './tabs';

export interface CodeSample {
  /** The label of the tab: "curl", "TypeScript", "Python". */
  language: string;
  code: string;
}

interface CodeBlockProps {
  /** One sample, or one per language. */
  samples: CodeSample[];
  /** The accessible name: "Call math.evaluate". */
  label: string;
  /** Wraps long lines instead of scrolling. */
  wrap?: boolean;
  className?: string;
  /** Classes of the scrolling box, such as a maximum height. */
  bodyClassName?: string;
}

/** Code with a copy button, and a tab per language if there are several samples. */
export function CodeBlock({ samples, label, wrap, className, bodyClassName }: CodeBlockProps) {
  const [chosen, setChosen] = useState(samples[0]?.language ?? '');
  const shown = samples.find((sample) => sample.language === chosen) ?? samples[0];
  if (!shown) return null;
  const frame = cn('min-w-0 overflow-hidden rounded-lg border bg-sunken', className);
  if (samples.length === 1)
    return (
      <div className={cn(frame, 'relative pr-10')}>
        <Code code={shown.code} label={label} wrap={wrap} className={bodyClassName} />
        <CopyButton
          value={shown.code}
          label={`Copy: ${label}`}
          className="absolute top-1.5 right-1.5 bg-sunken"
        />
      </div>
    );
  return (
    <Tabs value={shown.language} onValueChange={setChosen} className={frame}>
      <div className="flex items-center justify-between gap-2 border-b pr-1.5 pl-4">
        <TabList label={`${label}: language`} className="border-b-0">
          {samples.map((sample) => (
            <Tab key={sample.language} value={sample.language} className="text-xs">
              {sample.language}
            </Tab>
          ))}
        </TabList>
        <CopyButton value={shown.code} label={`Copy: ${label}, ${shown.language}`} />
      </div>
      {samples.map((sample) => (
        <TabPanel key={sample.language} value={sample.language} tabIndex={-1} className="pt-0">
          <Code
            code={sample.code}
            label={`${label}, ${sample.language}`}
            wrap={wrap}
            className={bodyClassName}
          />
        </TabPanel>
      ))}
    </Tabs>
  );
}

interface CodeProps {
  code: string;
  label: string;
  wrap?: boolean | undefined;
  className?: string | undefined;
}

/** The code itself; keyboard-scrollable if it overflows. */
export function Code({ code, label, wrap, className }: CodeProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a landmark per code block would be too many, some with the same name
    <section
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard
      tabIndex={0}
      aria-label={label}
      className={cn('overflow-auto p-4 focus-visible:-outline-offset-2', className)}
    >
      <pre
        className={cn('font-mono text-xs leading-5', wrap && 'whitespace-pre-wrap [overflow-wrap:anywhere]')}
      >
        <code>{highlight(code)}</code>
      </pre>
    </section>
  );
}
