import { GatewayError } from '../../core/errors/gateway-error';
import { formatUsd, type Microusd, usdFromMicrousd } from '../../kit/money';

/**
 * The cost limit of a batch: no call starts before the maximum costs of all are known and their sum
 * is within the limit. Each call reports once.
 */
export class BatchLimit {
  readonly #limit: Microusd;
  readonly #decided: Promise<void>;
  #allow: () => void = () => undefined;
  #refuse: (error: GatewayError) => void = () => undefined;
  #unknown: number;
  #total = 0n;
  /** Why no call may start. */
  refusal: GatewayError | undefined;

  constructor(limit: Microusd, calls: number) {
    this.#limit = limit;
    this.#unknown = calls;
    this.#decided = new Promise((resolve, reject) => {
      this.#allow = resolve;
      this.#refuse = reject;
    });
    // Without this, a refusal would be unhandled if no call waits for it.
    this.#decided.catch(() => undefined);
  }

  /** Reports the cost of a call that does not start: it was refused, or its response is stored. */
  report(cost: Microusd): void {
    this.#total += cost;
    this.#unknown--;
    if (this.#unknown > 0 || this.refusal) return;
    if (this.#total <= this.#limit) this.#allow();
    else this.refuse(limitExceeded(this.#total, this.#limit));
  }

  /** Reports the cost of a call and waits until it may start. @throws GatewayError the refusal */
  async reserve(cost: Microusd): Promise<void> {
    this.report(cost);
    await this.#decided;
  }

  /** Refuses the calls that have not started. */
  refuse(error: GatewayError): void {
    this.refusal ??= error;
    this.#refuse(this.refusal);
  }
}

function limitExceeded(total: Microusd, limit: Microusd): GatewayError {
  return new GatewayError('COST_LIMIT_EXCEEDED', {
    message: `The calls can cost ${formatUsd(total)} together, more than max_cost_usd of the batch (${formatUsd(limit)}).`,
    hint: 'Raise max_cost_usd to error.quote.max_usd, or send fewer calls or smaller inputs.',
    details: { quote: { max_usd: usdFromMicrousd(total) }, billed: false },
  });
}
