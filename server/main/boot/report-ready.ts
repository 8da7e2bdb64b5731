import { guarded } from '../../kit/guarded';
import { HEARTBEAT_MS } from '../../kit/liveness.mjs';

/** Reports to the supervisor of `npm start`, if there is one, then shows it a live event loop. */
export function reportReady(ready: { port: number; reloads?: true }): void {
  if (!process.send) return;
  const send = (message: object) => void process.send?.(message, () => undefined);
  send({ ready: { ...ready, heartbeatMs: HEARTBEAT_MS } });
  const beat = guarded(() => {
    if (process.connected) send({ heartbeat: true });
  });
  setInterval(beat, HEARTBEAT_MS).unref();
}
