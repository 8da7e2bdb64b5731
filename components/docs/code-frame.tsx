import type { GuideSample } from '@/server/docs/schema';
import { cn } from '../ui/cn';
import { highlight } from '../ui/highlight';
import { Tab, TabList, TabPanel, Tabs } from '../ui/tabs';
import { CopyCode } from './copy-code';

interface CodeFrameProps {
  samples: readonly GuideSample[];
  /** The accessible name of the code. */
  label: string;
}

const FRAME = 'relative min-w-0 overflow-hidden rounded-lg border bg-sunken print:border-line-strong';

/** Highlighted on the server, with a copy button, and a tab per language if there are several. */
export function CodeFrame({ samples, label }: CodeFrameProps) {
  const [first] = samples;
  if (!first) return null;
  if (samples.length === 1) {
    const isAnswer = first.label === 'Response';
    return (
      <div data-code className={cn(FRAME, 'pr-12', isAnswer && 'border-dashed')}>
        {isAnswer && <p className="px-4 pt-3 text-muted text-xs">Response</p>}
        <Code code={first.code} label={label} className={isAnswer ? 'pt-1' : undefined} />
        <CopyCode label={`Copy: ${label}`} className="absolute top-1.5 right-1.5 bg-sunken print:hidden" />
      </div>
    );
  }
  return (
    <div data-code className={FRAME}>
      <Tabs defaultValue={first.label}>
        <div className="flex items-center justify-between gap-2 border-b pr-1.5 pl-4">
          <TabList label={`${label}: language`} className="border-b-0">
            {samples.map((sample) => (
              <Tab key={sample.label} value={sample.label} className="text-xs">
                {sample.label}
              </Tab>
            ))}
          </TabList>
          <CopyCode label={`Copy: ${label}`} className="print:hidden" />
        </div>
        {samples.map((sample) => (
          <TabPanel key={sample.label} value={sample.label} tabIndex={-1} className="pt-0">
            <Code code={sample.code} label={`${label}, ${sample.label}`} />
          </TabPanel>
        ))}
      </Tabs>
    </div>
  );
}

function Code({ code, label, className }: { code: string; label: string; className?: string | undefined }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a landmark per code block would be too many, some with the same name
    <section
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard
      tabIndex={0}
      aria-label={label}
      className={cn(
        'max-h-[36rem] overflow-auto p-4 focus-visible:-outline-offset-2 print:max-h-none',
        className,
      )}
    >
      <pre className="font-mono text-xs leading-5 print:whitespace-pre-wrap">
        <code>{highlight(code)}</code>
      </pre>
    </section>
  );
}
