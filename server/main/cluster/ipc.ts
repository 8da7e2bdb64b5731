import { z } from 'zod';

type Method = (argument: never) => unknown;
/** What one end of a channel offers to the other. */
type Methods<T> = { [Name in keyof T]: Method };
type Result<T> = T extends (argument: never) => infer R ? Awaited<R> : never;
type Argument<T> = T extends () => unknown ? [] : T extends (argument: infer A) => unknown ? [A] : never;

/** The part of `process` and of a child process that is used. */
export interface IpcChannel {
  readonly connected: boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
  send?(message: object, callback: (error: Error | null) => void): unknown;
}

const messageSchema = z.discriminatedUnion('ipc', [
  z.object({
    ipc: z.literal('request'),
    id: z.number(),
    method: z.string(),
    argument: z.unknown().optional(),
  }),
  z.object({
    ipc: z.literal('response'),
    id: z.number(),
    value: z.unknown().optional(),
    error: z.string().nullable(),
  }),
]);
type Message = z.output<typeof messageSchema>;

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** The other end did not respond: it is busy, stopped, or gone. */
export class NoResponseError extends Error {}

/** Requests and responses between the primary and a web process, in both directions. */
export class Ipc<Local extends Methods<Local>, Remote extends Methods<Remote>> {
  readonly #channel: IpcChannel;
  readonly #local: Local;
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;

  constructor(channel: IpcChannel, local: Local) {
    this.#channel = channel;
    this.#local = local;
    // Cannot throw: it parses safely, and an async function rejects instead
    channel.on('message', (message) => {
      const parsed = messageSchema.safeParse(message);
      if (parsed.success) this.#receive(parsed.data);
    });
    channel.on('disconnect', () => {
      for (const id of [...this.#pending.keys()]) this.#fail(id, 'The channel is closed');
    });
  }

  /**
   * Calls a method of the other end.
   * @throws NoResponseError, or an error with the message of what the method threw
   */
  call<Name extends keyof Remote & string>(
    method: Name,
    timeoutMs: number,
    ...[argument]: Argument<Remote[Name]>
  ): Promise<Result<Remote[Name]>> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(id, `No response to ${method}`), timeoutMs).unref();
      this.#pending.set(id, { resolve: (value) => resolve(value as Result<Remote[Name]>), reject, timer });
      this.#send({ ipc: 'request', id, method, argument });
    });
  }

  #receive(message: Message): void {
    if (message.ipc === 'request') {
      void this.#respond(message);
      return;
    }
    const pending = this.#take(message.id);
    if (message.error === null) pending?.resolve(message.value);
    else pending?.reject(new Error(message.error));
  }

  async #respond({ id, method, argument }: Extract<Message, { ipc: 'request' }>): Promise<void> {
    try {
      if (!this.#isLocal(method)) throw new Error(`There is no method ${method}`);
      // Both ends are the same version of this code, so the argument has the method's type.
      const value = await this.#local[method](argument as never);
      this.#send({ ipc: 'response', id, value, error: null });
    } catch (error) {
      this.#send({ ipc: 'response', id, value: undefined, error: String(error) });
    }
  }

  #isLocal(method: string): method is keyof Local & string {
    return Object.hasOwn(this.#local, method);
  }

  /** Without a callback, a failed send would be an error event, which ends the process. */
  #send(message: Message): void {
    const failed = () => {
      if (message.ipc === 'request') this.#fail(message.id, 'The channel is closed');
    };
    if (!this.#channel.connected) failed();
    else this.#channel.send?.(message, (error) => error && failed());
  }

  #fail(id: number, why: string): void {
    this.#take(id)?.reject(new NoResponseError(why));
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.timer);
    return pending;
  }
}
