import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pageHeaders } from '../http/page-headers';
import { openStaticFiles } from '../http/static-files';

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

interface PagesOptions {
  root: string;
  dev: boolean;
  baseUrl: string;
  /** Next's own handler. */
  next: Handler;
}

/** What the front hands everything to that is no API: built files first, then Next, with the headers of a page. */
export async function openPages({ root, dev, baseUrl, next }: PagesOptions): Promise<Handler> {
  const addHeaders = pageHeaders({ baseUrl, dev });
  if (dev)
    return (req, res) => {
      addHeaders(req, res);
      return next(req, res);
    };
  const answerStatic = await openStaticFiles(join(root, '.next/static'));
  return async (req, res) => {
    if (await answerStatic(req, res)) return;
    addHeaders(req, res);
    await next(req, res);
  };
}
