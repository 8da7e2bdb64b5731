import type { Worker } from 'node:cluster';
import { guarded } from '../../kit/guarded';

interface Connection {
  close(): void;
}

/** A message of Node's own protocol between the primary and a web process. */
interface ClusterMessage {
  seq?: unknown;
  ack?: unknown;
}

/**
 * Closes the connection that Node was handing to a web process when it died. Node forgets it, so
 * its client would wait forever (nodejs/node#21746).
 */
export function closeLostConnections({ process: child }: Pick<Worker, 'process'>): void {
  const onTheWay = new Map<unknown, Connection>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (message: unknown, handle?: unknown, ...rest: unknown[]) => {
    if (isConnection(handle)) onTheWay.set((message as ClusterMessage).seq, handle);
    return send(message, handle, ...rest);
  };
  child.on(
    'internalMessage',
    guarded((message: ClusterMessage | null) => onTheWay.delete(message?.ack)),
  );
  child.once(
    'exit',
    guarded(() => {
      for (const connection of onTheWay.values()) connection.close();
      onTheWay.clear();
    }),
  );
}

function isConnection(handle: unknown): handle is Connection {
  return typeof handle === 'object' && handle !== null && 'close' in handle;
}
