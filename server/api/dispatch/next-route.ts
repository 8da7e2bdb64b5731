import { getRuntime, type Runtime } from '../../core/runtime';
import { Dispatcher } from './dispatch';
import { fetchAdapter } from './fetch-adapter';

let current: { runtime: Runtime; handle: (request: Request) => Promise<Response> } | undefined;

/**
 * Answers with a dispatcher of Next's own bundle, for hosts that only run Next and for development,
 * where edits reload it.
 */
export async function answerThroughNext(request: Request): Promise<Response> {
  const runtime = getRuntime();
  if (current?.runtime !== runtime) current = { runtime, handle: fetchAdapter(new Dispatcher(runtime)) };
  return await current.handle(request);
}
