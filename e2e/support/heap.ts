import type { Page } from 'playwright/test';

/** The strings in the page's heap that contain the text, after garbage collection. */
export async function findInHeap(page: Page, text: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  let json = '';
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
    json += chunk;
  });
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  const snapshot: { strings: string[] } = JSON.parse(json);
  return snapshot.strings.filter((each) => each.includes(text)).map((each) => each.slice(0, 200));
}
