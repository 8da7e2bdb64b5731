import type { Runtime } from '../../core/runtime';
import type { Reply } from '../../core/trpc/context';
import type { Logger } from '../../kit/log';
import type { WebProcessGroup } from '../../kit/web-process-group';
import type { Pace } from '../settings/pace';
import { DatabaseGauges } from './database-gauges';
import { Health } from './health';
import { Metrics } from './metrics';
import { isMonitoringRoute, resolveMethod, resolveRoute } from './routes';
import { type SpanOptions, Tracing } from './tracing';

/** A request that has been answered. */
export interface CompletedRequest {
  method: string;
  target: string;
  status: number;
  /** On the monotonic clock, in milliseconds. */
  began: number;
  requestId: string;
  bytes?: number | undefined;
  reply?: Reply | undefined;
}

/** A call that ended in this process, with the values that metrics count. */
export interface CompletedCall {
  tool: string;
  outcome: 'success' | 'refused' | 'error' | 'lost';
  mode: 'request' | 'job';
  latencyMs: number;
  chargedMicrousd: bigint;
  byok: boolean;
}

type Parts = Pick<Runtime, 'settings' | 'sql' | 'notices' | 'running' | 'flush'> & {
  pool: { counts(): { running: number; waiting: number } };
  pace: Pace;
  group: WebProcessGroup | undefined;
};

/** What operators see of this process: its request log, health, metrics and traces. */
export class Observer {
  readonly metrics: Metrics;
  readonly health: Health;
  readonly tracing: Tracing | null;
  readonly #gauges: DatabaseGauges;
  readonly #log: Logger;
  readonly #accessLog: boolean;
  readonly #group: WebProcessGroup | undefined;

  constructor({ settings, sql, notices, running, flush, pool, pace, group }: Parts, log: Logger) {
    const { accessLog, traces } = settings.operation;
    this.#log = log;
    this.#accessLog = accessLog;
    this.#group = group;
    this.health = new Health({ sql, notices, running }, group);
    this.tracing = traces ? new Tracing(traces, pace, log) : null;
    this.metrics = new Metrics({
      runningCalls: () => running.size,
      waitingRequests: () => notices.waiting,
      stopping: () => this.health.stopping,
      groups: () => flush.counts(),
      pool: () => pool.counts(),
      failedExports: () => this.tracing?.failedExports ?? 0,
    });
    this.#gauges = new DatabaseGauges(sql, this.metrics.registry);
  }

  /**
   * Runs work as a span of the trace; without tracing it only runs.
   * @param options `failure` classifies a result as a failure, in one word; null if it is none
   */
  span<T>(name: string, options: SpanOptions<T>, work: () => Promise<T>): Promise<T> {
    return this.tracing ? this.tracing.span(name, options, work) : work();
  }

  /** Reads the metrics of this process alone; `final` does not query the database. */
  async readMetrics({ final }: { final: boolean }): Promise<object[]> {
    if (!final) await this.#gauges.refresh();
    return await this.metrics.snapshot();
  }

  /** Renders the metrics page, of all web processes behind the port if there are several. */
  async metricsText(): Promise<string> {
    if (this.#group) return await this.#group.collectMetrics();
    await this.#gauges.refresh();
    return await this.metrics.text();
  }

  /**
   * Counts a request, and logs it if the access log is on. Synchronous and without closures,
   * because it runs for every request.
   */
  requestEnded(request: CompletedRequest): void {
    const { status, reply } = request;
    const method = resolveMethod(request.method);
    const route = reply?.route ?? resolveRoute(request.target);
    const ms = performance.now() - request.began;
    this.metrics.requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, ms / 1000);
    if (reply?.errorCode) this.metrics.refusals.inc({ code: reply.errorCode });
    if (!this.#accessLog) return;
    const actor = reply?.actor;
    const fields = {
      method,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      bytes: request.bytes,
      requestId: request.requestId,
      accountId: actor?.accountId,
      keyId: actor?.kind === 'key' ? actor.keyId : undefined,
      callId: reply?.callId,
      errorCode: reply?.errorCode,
      traceId: reply?.traceId,
    };
    if (isMonitoringRoute(route)) this.#log.debug('request', fields);
    else this.#log.info('request', fields);
  }

  callEnded({ tool, outcome, mode, latencyMs, chargedMicrousd, byok }: CompletedCall): void {
    this.metrics.calls.inc({ tool, outcome, mode });
    this.metrics.callSeconds.observe({ tool, outcome }, latencyMs / 1000);
    if (outcome === 'success')
      this.metrics.charged.inc({ tool, credential: byok ? 'own' : 'platform' }, Number(chargedMicrousd));
  }

  /** Exports the remaining traces. */
  async close(boundMs: number): Promise<void> {
    await this.tracing?.close(boundMs);
  }
}
