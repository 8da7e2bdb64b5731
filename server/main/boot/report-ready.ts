import { guarded } from '../../kit/guarded';
import { HEARTBEAT_MS } from '../../kit/liveness.mjs';

/** Shows the supervisor of `npm start`, if there is one, that the event loop runs. */
export function startHeartbeat(): void {
  if (!process.send) return;
  const beat = guarded(() => send({ heartbeat: true }));
  setInterval(beat, HEARTBEAT_MS).unref();
}

/** Reports to the supervisor, if there is one, that the gateway serves. */
export function reportReady(ready: { port: number; reloads?: true }): void {
  send({ ready });
}

function send(message: object): void {
  if (process.connected) process.send?.(message, () => undefined);
}
