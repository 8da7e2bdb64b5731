import 'server-only';
import { headers } from 'next/headers';
import { PAGE_HEADER } from '../../kit/process-singleton';

/** Sets the HTTP status of the page that is being rendered. Call before anything is streamed. */
export async function setPageStatus(status: number): Promise<void> {
  const id = (await headers()).get(PAGE_HEADER);
  if (id !== null) globalThis.__gateway?.setPageStatus?.(id, status);
}
