import type { IncomingMessage, ServerResponse } from 'node:http';
import { PAGE_HEADER } from '../../kit/process-singleton';

/** Lets a page choose the status of its response: Next offers pages 404 only. */
export class PageStatuses {
  readonly #responses = new Map<string, ServerResponse>();
  #lastId = 0;

  /** Serves a request whose page may call `set` with the id in its `PAGE_HEADER`. */
  async follow(req: IncomingMessage, res: ServerResponse, serve: () => Promise<void>): Promise<void> {
    this.#lastId += 1;
    const id = String(this.#lastId);
    // Overwrites the client's own header.
    req.headers[PAGE_HEADER] = id;
    this.#responses.set(id, res);
    try {
      await serve();
    } finally {
      this.#responses.delete(id);
    }
  }

  /** Sets the status of a page that has not begun its response; others stay as they are. */
  set(id: string, status: number): void {
    const res = this.#responses.get(id);
    if (res && !res.headersSent) res.statusCode = status;
  }
}
