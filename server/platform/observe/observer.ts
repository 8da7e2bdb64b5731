import type { Runtime } from '../../core/runtime';
import type { Reply } from '../../core/trpc/context';
import type { Logger } from '../../kit/log';
import type { Pace } from '../settings/pace';
import { DatabaseGauges } from './database-gauges';
import { Health } from './health';
import { Metrics } from './metrics';
import { isQuiet, methodName, routeOfPath } from './routes';
import { Tracing } from './tracing';

/** A request that was answered. */
export interface EndedRequest {
  method: string;
  target: string;
  status: number;
  /** Of the monotonic clock. */
  began: number;
  requestId: string;
  bytes?: number | undefined;
  reply?: Reply | undefined;
}

/** A call that ended in this process, as metrics count it. */
export interface EndedCall {
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
};

/**
 * What operators see of this process: its log of requests, its health, its metrics and its traces.
 */
export class Observer {
  readonly metrics: Metrics;
  readonly health: Health;
  readonly tracing: Tracing | null;
  readonly #gauges: DatabaseGauges;
  readonly #log: Logger;
  readonly #accessLog: boolean;

  constructor({ settings, sql, notices, running, flush, pool, pace }: Parts, log: Logger) {
    const { accessLog, traces } = settings.operation;
    this.#log = log;
    this.#accessLog = accessLog;
    this.health = new Health({ sql, notices, running });
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

  /** The page of metrics. */
  async metricsText(): Promise<string> {
    await this.#gauges.renew();
    return await this.metrics.text();
  }

  /**
   * Counts a request, and logs it where that is wanted. Not async and without closures: it is on
   * every request's way.
   */
  requestEnded(request: EndedRequest): void {
    const { status, reply } = request;
    const method = methodName(request.method);
    const route = reply?.route ?? routeOfPath(request.target);
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
    if (isQuiet(route)) this.#log.debug('request', fields);
    else this.#log.info('request', fields);
  }

  callEnded({ tool, outcome, mode, latencyMs, chargedMicrousd, byok }: EndedCall): void {
    this.metrics.calls.inc({ tool, outcome, mode });
    this.metrics.callSeconds.observe({ tool, outcome }, latencyMs / 1000);
    if (outcome === 'success')
      this.metrics.charged.inc({ tool, credential: byok ? 'own' : 'platform' }, Number(chargedMicrousd));
  }

  /** Sends what is left of the traces. */
  async close(boundMs: number): Promise<void> {
    await this.tracing?.close(boundMs);
  }
}
