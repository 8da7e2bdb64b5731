import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { guarded } from '../../kit/guarded';
import type { McpLimits } from './mcp-limits';

/** How long the right answer may follow one with an id that no request has had. */
const GRACE_MS = 5_000;

/**
 * Notices that a server answers its only open request with a wrong id, such as the id as a string:
 * the SDK drops that answer, and its caller would wait until the deadline.
 */
export class McpStrayAnswers {
  readonly #limits: Pick<McpLimits, 'end'>;
  readonly #open = new Set<unknown>();
  /** The SDK numbers its requests. An answer to an earlier one is late, not wrong. */
  #last = -1;

  constructor(transport: Transport, limits: Pick<McpLimits, 'end'>) {
    this.#limits = limits;
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      if (!('method' in message)) return await send(message, options);
      if ('id' in message) {
        this.#open.add(message.id);
        if (typeof message.id === 'number') this.#last = Math.max(this.#last, message.id);
      } else if (message.method === 'notifications/cancelled') this.#open.delete(message.params?.requestId);
      await send(message, options);
    };
  }

  receive(message: JSONRPCMessage): void {
    if ('method' in message || this.#open.delete(message.id)) return;
    const isLate = typeof message.id === 'number' && message.id >= 0 && message.id <= this.#last;
    if (isLate || this.#open.size !== 1) return;
    const [waiting] = this.#open;
    setTimeout(
      guarded(() => this.#endUnlessAnswered(waiting)),
      GRACE_MS,
    ).unref();
  }

  #endUnlessAnswered(id: unknown): void {
    if (!this.#open.has(id)) return;
    try {
      this.#limits.end('The MCP server answered with the id of no request.');
    } catch {
      // The calls of the connection get the reason.
    }
  }
}
