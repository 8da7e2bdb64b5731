import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseRequestId } from '../../core/http/headers';
import { guarded } from '../../kit/guarded';
import type { Observer } from '../../platform/observe/observer';

/** Counts and logs the requests that Next answers. Sets the same request id as the API. */
export function watchPages(observer: Observer): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => {
    const began = performance.now();
    const requestId = chooseRequestId(req.headers['x-request-id']);
    req.headers['x-request-id'] = requestId;
    res.setHeader('X-Request-Id', requestId);
    // Next changes req.url while it answers.
    const target = req.url ?? '/';
    const onClose = guarded(() => {
      const { statusCode: status } = res;
      observer.requestEnded({ method: req.method ?? 'GET', target, status, began, requestId });
    });
    res.once('close', onClose);
  };
}
