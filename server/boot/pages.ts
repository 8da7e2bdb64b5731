import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { isForeignChange } from '../http/foreign-origin';
import { isPage, pageHeaders } from '../http/page-headers';
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
  const answerStatic = dev ? null : await openStaticFiles(join(root, '.next/static'));
  return async (req, res) => {
    if (await answerStatic?.(req, res)) return;
    if (!isReadable(req.url ?? '/')) {
      // Next would answer it as a failure of its own.
      res.writeHead(400, { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-store' });
      res.end('Bad Request');
      return;
    }
    if (isPage(req.url)) {
      addHeaders(req, res);
      if (isForeignChange(req, baseUrl)) {
        refuse(res, baseUrl);
        return;
      }
    }
    await next(req, res);
  };
}

/** Whether the path can be decoded: `%ff` is no character. */
function isReadable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

function refuse(res: ServerResponse, baseUrl: string): void {
  res.writeHead(403, { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-store' });
  res.end(`Open this gateway at ${baseUrl}`);
}
