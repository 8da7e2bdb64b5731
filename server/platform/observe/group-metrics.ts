import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';

/** Why a web process was replaced. */
export type ReplacementReason = 'crash' | 'restart';

interface NamedMetric {
  type?: unknown;
}

/**
 * Adds up the metrics of several web processes. Those of ended processes stay in the counters:
 * Prometheus would take a smaller sum for a restart and count everything a second time.
 */
export class GroupMetrics {
  readonly #own = new Registry();
  readonly #latest = new Map<number, object[]>();
  #ended: object[] = [];
  readonly #replacements = new Counter({
    name: 'gateway_web_process_replacements_total',
    help: 'Web processes that were replaced, by reason.',
    labelNames: ['reason'],
    registers: [this.#own],
  });

  /** @param countReady the number of web processes that serve requests */
  constructor(countReady: () => number) {
    new Gauge({
      name: 'gateway_web_processes',
      help: 'Web processes that serve requests.',
      registers: [this.#own],
      collect() {
        this.set(countReady());
      },
    });
    for (const reason of ['crash', 'restart'] as const) this.#replacements.inc({ reason }, 0);
  }

  countReplacement(reason: ReplacementReason): void {
    this.#replacements.inc({ reason });
  }

  /** Stores the latest metrics of a process. */
  save(pid: number, metrics: object[]): void {
    this.#latest.set(pid, metrics);
  }

  /** Keeps the counters of an ended process, and forgets its gauges. */
  end(pid: number): void {
    const last = this.#latest.get(pid);
    if (!last) return;
    this.#latest.delete(pid);
    this.#ended = AggregatorRegistry.aggregate([this.#ended, last.filter(isCumulative)]).getMetricsAsArray();
  }

  /** Renders the sum of all processes, in Prometheus' text format. */
  async text(): Promise<string> {
    const own = await this.#own.getMetricsAsJSON();
    return await AggregatorRegistry.aggregate([own, ...this.#latest.values(), this.#ended]).metrics();
  }
}

function isCumulative(metric: NamedMetric): boolean {
  return metric.type === 'counter' || metric.type === 'histogram';
}
