import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { SkillError } from '../../core/errors/skill-error';

/** Names the exchange of a request between `send` and `fetch`; no server sees it. */
const MARK = 'x-tool-gateway-exchange';
const EVENT_STREAM = /^\s*text\/event-stream\s*(?:;|$)/i;

interface Exchange {
  isAnswered: boolean;
  isStream: boolean;
  lastEventId?: string;
}

/**
 * Fails a request when its HTTP response, with all streams that resume it, has ended without an
 * answer: a server may answer another request, or none, and the SDK would wait until the deadline.
 */
export class McpExchanges {
  readonly #open = new Map<string, Exchange>();

  /** Makes `send` of a request wait for its answer, whose failure the SDK passes to the caller. */
  watch(transport: Transport): void {
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      if (!('method' in message && 'id' in message)) return await send(message, options);
      const id = String(message.id);
      const exchange: Exchange = { isAnswered: false, isStream: false };
      this.#open.set(id, exchange);
      try {
        await new Promise<void>((resolve, reject) => {
          const headers = { ...options?.headers, [MARK]: id };
          const onresumptiontoken = (eventId: string) => {
            exchange.lastEventId = eventId;
          };
          send(message, { ...options, headers, onresumptiontoken, onRequestStreamEnd: resolve }).then(() => {
            if (!exchange.isStream) resolve();
          }, reject);
        });
      } finally {
        this.#open.delete(id);
      }
      if (!exchange.isAnswered) throw new SkillError('The MCP server ended its response without an answer.');
    };
  }

  /** Notes which request a message answers. */
  receive(message: JSONRPCMessage): void {
    if ('method' in message) return;
    const exchange = this.#open.get(String(message.id));
    if (exchange) exchange.isAnswered = true;
  }

  /**
   * Makes a GET resume the stream of the request that waits: the SDK forgets the event after an
   * empty stream.
   * @returns whether there is one; otherwise the SDK opens the standalone stream
   */
  resume(headers: Headers): boolean {
    if (headers.has('last-event-id')) return true;
    const waiting = [...this.#open.values()].find(({ isAnswered }) => !isAnswered);
    if (waiting?.lastEventId === undefined) return false;
    headers.set('last-event-id', waiting.lastEventId);
    return true;
  }

  /** Sends an HTTP request without the mark, and notes whether events answer it. */
  async fetch(init: RequestInit, send: (init: RequestInit) => Promise<Response>): Promise<Response> {
    const headers = new Headers(init.headers);
    const exchange = this.#open.get(headers.get(MARK) ?? '');
    headers.delete(MARK);
    const response = await send({ ...init, headers });
    // The SDK reads no events from 202, which accepts a message that needs no answer.
    if (exchange)
      exchange.isStream =
        response.status !== 202 && EVENT_STREAM.test(response.headers.get('content-type') ?? '');
    return response;
  }
}
