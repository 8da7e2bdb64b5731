'use client';

import { useEffect, useState } from 'react';
import { SEND_TIMEOUT_MS } from '@/server/notifications/webhooks/limits';
import type { WebhookAttempt } from '@/server/notifications/webhooks/schema';
import { formatDuration } from '../shared/format';
import { problemText } from '../shared/problem';
import { useUrlQuery } from '../shared/use-url-query';
import { Button } from '../ui/button';
import { Code } from '../ui/code-block';
import { Notice } from '../ui/notice';
import { useFirstAttempt, useRefreshWebhooks } from './queries';

/** Time in which a test reaches the front of the queue, besides the limit of its attempt. */
const QUEUE_MS = 10_000;
/** The beginning of a response; the delivery has more. */
const MAX_SHOWN_CHARS = 500;

export interface SentTest {
  /** Of the delivery. */
  id: string;
  /** When it was sent, as milliseconds since 1970. */
  at: number;
}

interface TestOutcomeProps {
  endpointId: string;
  test: SentTest;
  /** Called when the outcome is known, or will not be awaited further. */
  onEnd: () => void;
}

/** Waits for the response to a test event, and shows it or why there is none. */
export function TestOutcome({ endpointId, test, onEnd }: TestOutcomeProps) {
  const [late, setLate] = useState(false);
  const query = useFirstAttempt(endpointId, late ? null : test.id);
  const refresh = useRefreshWebhooks();
  const [, set] = useUrlQuery();
  const attempt = query.data?.log[0];
  const ended = attempt !== undefined || late || query.isError;

  useEffect(() => {
    const left = test.at + SEND_TIMEOUT_MS + QUEUE_MS - Date.now();
    const timer = setTimeout(() => setLate(true), left);
    return () => clearTimeout(timer);
  }, [test]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the outcome is known
  useEffect(() => {
    if (!ended) return;
    onEnd();
    void refresh();
  }, [ended]);

  const details = (
    <Button size="sm" className="mt-2" onClick={() => set({ delivery: test.id })}>
      View the delivery
    </Button>
  );
  if (attempt) return <Attempt attempt={attempt}>{details}</Attempt>;
  if (query.isError)
    return (
      <Notice live tone="warning" title="The test event was sent, but its outcome could not be loaded">
        {problemText(query.error)}
      </Notice>
    );
  if (late)
    return (
      <Notice live tone="warning" title="The test event has not been sent yet">
        Other deliveries come first. It stays in the list below.
        <div>{details}</div>
      </Notice>
    );
  return (
    <Notice live title="Waiting for your endpoint’s response…">
      It has {formatDuration(SEND_TIMEOUT_MS)} to answer.
    </Notice>
  );
}

function Attempt({ attempt, children }: { attempt: WebhookAttempt; children: React.ReactNode }) {
  const { status, error, duration_ms: durationMs, response_body: body } = attempt;
  const time = formatDuration(durationMs);
  const title = status === null ? `No response after ${time}` : `The endpoint answered ${status} in ${time}`;
  return (
    <Notice live tone={error === null ? 'success' : 'danger'} title={title}>
      {error && <p>{error}</p>}
      {body && (
        <div className="mt-2 min-w-0 overflow-hidden rounded-md border bg-sunken">
          <Code
            code={body.length > MAX_SHOWN_CHARS ? `${body.slice(0, MAX_SHOWN_CHARS)}…` : body}
            label="Response to the test event"
            wrap
            className="max-h-40"
          />
        </div>
      )}
      {status !== null && !body && <p>The response has no body.</p>}
      {children}
    </Notice>
  );
}
