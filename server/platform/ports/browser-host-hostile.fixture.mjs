// Replaces browser-host.mjs: a driver with untrustworthy messages. The page's title selects what it
// sends.
import { writeSync } from 'node:fs';

const value = {
  url: 'http://x/',
  title: 'Fine',
  status: 200,
  width: 1,
  height: 1,
  truncated: false,
  sizeBytes: 1,
};

/** @type {Record<string, (id: number) => unknown>} */
const MESSAGES = {
  fine: (id) => ({ id, ok: true, value }),
  null: () => null,
  number: () => 5,
  text: () => 'x',
  'no id': () => ({ ok: true, value }),
  'id of the prototype': () => ({ id: '__proto__', ok: true, value }),
  'no value': (id) => ({ id, ok: true }),
  'value null': (id) => ({ id, ok: true, value: null }),
  'size no number': (id) => ({ id, ok: true, value: { ...value, sizeBytes: {} } }),
  'message no text': (id) => ({ id, ok: false, message: { a: 1 }, expected: true }),
  deep: (id) => JSON.parse(`{"id":${id},"ok":true,"value":${'['.repeat(2_000)}${']'.repeat(2_000)}}`),
};

process.on('message', (/** @type {any} */ task) => {
  const name = String(task.request.html);
  if (name === 'ends') return process.exit(3);
  // Written to the channel directly, as a compromised driver could do.
  if (name === 'no JSON') return void writeSync(/** @type {any} */ (process.channel).fd, 'this is no JSON\n');
  if (name === 'late') return void setTimeout(() => process.send?.(MESSAGES.fine?.(task.id)), 500);
  process.send?.(MESSAGES[name]?.(task.id));
});
// Takes as long as a browser takes to close.
process.on('disconnect', () => setTimeout(() => process.exit(), 200));
