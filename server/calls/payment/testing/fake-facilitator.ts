import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestServer } from '@/test/support/test-server';

interface FacilitatorRequest {
  // biome-ignore lint/suspicious/noExplicitAny: tests read requests of every shape
  paymentPayload: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  paymentRequirements: any;
}

/**
 * A fake x402 facilitator with its chain: it moves each authorization once, and answers a second
 * settlement of it as `repeats` says. Its answer can be lost.
 */
export class FakeFacilitator {
  /** Transfers on the chain, by payer and nonce. */
  readonly transfers = new Map<string, { transaction: string; value: bigint; to: string }>();
  readonly settled: FacilitatorRequest[] = [];
  /** `cut` settles but loses the answer; `down` fails before it settles. */
  fault: 'none' | 'cut' | 'down' = 'none';
  /** Whether a second settlement gets the first answer, or is refused for its used nonce. */
  repeats: 'answered' | 'refused' = 'answered';
  /** Why `/verify` refuses payments; null accepts them. */
  invalid: string | null = null;
  /** Awaited before each settlement. */
  before: () => Promise<unknown> = async () => undefined;
  readonly #server: Server;
  url = '';

  constructor() {
    this.#server = createTestServer((request, response) => {
      void this.#answer(request).then((answer) => {
        if (answer === null) return void response.destroy();
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(answer));
      });
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/facilitator`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(request: IncomingMessage): Promise<object | null> {
    let text = '';
    for await (const chunk of request) text += chunk;
    const sent: FacilitatorRequest = JSON.parse(text);
    const { from } = sent.paymentPayload.payload.authorization;
    if (this.fault === 'down') return null;
    if (request.url?.endsWith('/verify'))
      return this.invalid === null
        ? { isValid: true, payer: from }
        : { isValid: false, invalidReason: this.invalid, payer: from };
    await this.before();
    const answer = this.#settle(sent);
    return this.fault === 'cut' ? null : answer;
  }

  #settle(sent: FacilitatorRequest): object {
    this.settled.push(sent);
    const { network, payTo, amount } = sent.paymentRequirements;
    const { from, nonce, to, value } = sent.paymentPayload.payload.authorization;
    const common = { network, payer: from };
    if (to !== payTo || value !== amount)
      return { success: false, errorReason: 'invalid_payment_requirements', transaction: '', ...common };
    const name = `${from}:${nonce}`;
    const known = this.transfers.get(name);
    if (known && this.repeats === 'refused')
      return { success: false, errorReason: 'invalid_transaction_state', transaction: '', ...common };
    const transaction = known?.transaction ?? `0x${String(this.transfers.size + 1).padStart(64, '0')}`;
    if (!known) this.transfers.set(name, { transaction, value: BigInt(value), to });
    return { success: true, transaction, ...common };
  }
}
