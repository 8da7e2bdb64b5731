import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { openPages } from './pages';

async function ask(url: string) {
  const asked: string[] = [];
  const answer = await openPages({
    root: '/nowhere',
    dev: false,
    baseUrl: 'https://gateway.example.com',
    next: async (req) => {
      asked.push(String(req.url));
    },
  });
  const req = new IncomingMessage(new Socket());
  Object.assign(req, { method: 'GET', url });
  const res = new ServerResponse(req);
  await answer(req, res);
  return { asked, status: res.statusCode };
}

it('an address that is no text is refused; Next would fail with it', async () => {
  for (const url of ['/tools/%ff', '/api/live/jobs/%ff', '/api/trpc/%', '/%c0%af'])
    expect(await ask(url), url).toEqual({ asked: [], status: 400 });
  for (const url of ['/', '/tools?q=%ff', '/tools/%E2%9C%93', '/a%00b'])
    expect(await ask(url), url).toEqual({ asked: [url], status: 200 });
});
