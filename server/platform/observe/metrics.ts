import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const WORST_OF_PROCESSES = /^nodejs_eventloop_lag_(?!min)/;
const CALL_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];

/** The state of this process, read at each scrape. */
export interface ProcessState {
  runningCalls(): number;
  waitingRequests(): number;
  stopping(): boolean;
  groups(): Record<string, { flushes: number; items: number; seconds: number }>;
  failedExports(): number;
  pool(): { running: number; waiting: number };
}

/**
 * The gateway's metrics, in their own registry. Labels have few values: existing routes and tools,
 * and error codes (docs/operations.md, "Metrics", lists them all).
 */
export class Metrics {
  readonly registry = new Registry();
  #processMetrics = false;

  readonly requests = this.#histogram(
    'gateway_http_request_duration_seconds',
    'Requests by method, route and class of status, from the first byte to the end of the response.',
    ['method', 'route', 'status'],
    SECONDS,
  );
  readonly refusals = this.#counter('gateway_refusals_total', 'Requests answered with an error, by code.', [
    'code',
  ]);
  readonly lostRefusals = this.#counter(
    'gateway_refusals_lost_total',
    'Refused calls that were not recorded, because there were too many.',
    [],
  );
  readonly calls = this.#counter(
    'gateway_calls_total',
    'Calls that ended in this process, by tool, outcome and mode.',
    ['tool', 'outcome', 'mode'],
  );
  readonly callSeconds = this.#histogram(
    'gateway_call_duration_seconds',
    'How long the tool itself took.',
    ['tool', 'outcome'],
    CALL_SECONDS,
  );
  readonly charged = this.#counter(
    'gateway_charged_microusd_total',
    'Micro-dollars charged for calls, by tool and owner of the provider key.',
    ['tool', 'credential'],
  );
  readonly outbound = this.#histogram(
    'gateway_outbound_request_duration_seconds',
    'Outbound requests of tools, up to the response headers, by outcome.',
    ['outcome'],
    SECONDS,
  );
  readonly mails = this.#counter('gateway_mails_total', 'Emails to customers, by outcome.', ['outcome']);
  readonly webhooks = this.#counter(
    'gateway_webhook_attempts_total',
    'Requests to webhook receivers, by outcome.',
    ['outcome'],
  );
  readonly paymentEvents = this.#counter(
    'gateway_payment_events_total',
    'Payment provider events received, by outcome.',
    ['outcome'],
  );
  readonly reloads = this.#counter('gateway_reloads_total', 'Attempts to charge a saved card, by outcome.', [
    'outcome',
  ]);
  readonly topups = this.#counter('gateway_machine_topups_total', 'Machine top-ups, by outcome.', [
    'outcome',
  ]);
  readonly backgroundErrors = this.#counter(
    'gateway_background_errors_total',
    'Background work that failed and is retried, by kind.',
    ['work'],
  );

  constructor(state: ProcessState) {
    this.#gauge('gateway_running_calls', 'Calls running in this process.', state.runningCalls);
    this.#gauge('gateway_waiting_requests', 'Requests waiting for a notification.', state.waitingRequests);
    this.#gauge('gateway_pool_running', 'Pool connections in use.', () => state.pool().running);
    this.#gauge(
      'gateway_pool_waiting',
      'Statements waiting for a pool connection.',
      () => state.pool().waiting,
    );
    this.#gauge(
      'gateway_stopping',
      '1 while this process is shutting down.',
      () => Number(state.stopping()),
      'min',
    );
    this.#gauge('gateway_trace_exports_failed', 'Trace exports that failed.', state.failedExports);
    this.#groups('gateway_group_commits_total', 'Group commits, by kind.', state, 'flushes');
    this.#groups('gateway_group_commit_items_total', 'Items in group commits, by kind.', state, 'items');
    this.#groups(
      'gateway_group_commit_seconds_total',
      'Total time of group commits, by kind.',
      state,
      'seconds',
    );
  }

  /** Renders the page to scrape. Process metrics are collected from the first scrape on. */
  async text(): Promise<string> {
    this.#collectProcessMetrics();
    return await this.registry.metrics();
  }

  /** Returns the values in the form that `GroupMetrics` adds up. */
  async snapshot(): Promise<object[]> {
    this.#collectProcessMetrics();
    const metrics = await this.registry.getMetricsAsJSON();
    // The average of several processes would hide one whose event loop is blocked.
    return metrics.map((metric) =>
      WORST_OF_PROCESSES.test(metric.name) ? { ...metric, aggregator: 'max' } : metric,
    );
  }

  #collectProcessMetrics(): void {
    if (this.#processMetrics) return;
    this.#processMetrics = true;
    collectDefaultMetrics({ register: this.registry });
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #histogram<Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) {
    return new Histogram<Label>({ name, help, labelNames, buckets, registers: [this.registry] });
  }

  /** @param aggregator how the values of several web processes are combined */
  #gauge(name: string, help: string, value: () => number, aggregator: 'sum' | 'min' = 'sum'): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      aggregator,
      collect() {
        this.set(value());
      },
    });
  }

  #groups(name: string, help: string, state: ProcessState, field: 'flushes' | 'items' | 'seconds'): void {
    new Counter({
      name,
      help,
      labelNames: ['group'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [group, counts] of Object.entries(state.groups())) this.inc({ group }, counts[field]);
      },
    });
  }
}
