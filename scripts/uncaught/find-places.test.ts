import { expect, it } from 'vitest';
import { findPlaces } from './find-places.mjs';

const listRules = (code: string) => findPlaces('server/x.ts', code).map(({ rule }) => rule);
const NET = "import { createServer, connect } from 'node:net';\nimport { Readable } from 'node:stream';\n";

it.each<[string, string]>([
  ['a listener that calls unknown code', "socket.on('data', (chunk) => handle(chunk));"],
  ['a listener that is unknown', "child.on('exit', onExit);"],
  ['a listener that throws', "socket.once('close', () => { throw new Error('x'); });"],
  ['a listener that may throw in its catch', "s.on('data', () => { try { a(); } catch { b(); } });"],
  ['a timer', 'setTimeout(() => work(), 10);'],
  ['a timer of a socket', 'res.setTimeout(10, () => work());'],
  ['a method that may throw', "class A { start() { s.on('x', () => this.#go()); } #go() { work(); } }"],
  ['an abort listener', "signal.addEventListener('abort', () => work());"],
  ['a message listener that reads a field', "child.on('message', (answer) => seen.add(answer.id));"],
  [
    'a handler of a server',
    `${NET}const s = createServer((socket) => work(socket)); s.on('error', () => {});`,
  ],
])('finds %s', (_, code) => {
  expect(listRules(code)).toEqual(['callback']);
});

it.each<[string, string]>([
  ['in no listener at all', `${NET}const socket = connect(1);`],
  ['with once only', `${NET}const socket = connect(1); socket.once('error', () => {});`],
  ['in a field', `${NET}class A { #s = createServer(); }`],
  ['as a class', `${NET}const r = new Readable({ read() {} }); r.on('data', () => {});`],
  ['from an iterable', `${NET}send(Readable.from([]));`],
  ['from a web stream', `${NET}send(Readable.fromWeb(body));`],
  ['in a pipeline that first awaits', `${NET}async () => pipeline(Readable.fromWeb(body), await open());`],
  ['that waits for such a pipeline', `${NET}const s = Readable.fromWeb(b); pipeline(s, await open());`],
])('finds a stream without an error listener: %s @F15', (_, code) => {
  expect(listRules(code)).toEqual(['listener']);
});

it.each<[string, string]>([
  ['guarded', "socket.on('data', guarded((chunk) => handle(chunk)));"],
  ['guarded in a variable', "const read = guarded(() => handle()); socket.on('data', read);"],
  ['in a try', "socket.on('data', (chunk) => { try { handle(chunk); } catch { socket.destroy(); } });"],
  ['obviously harmless', "socket.on('close', () => { sockets.delete(socket); clearTimeout(timer); });"],
  ['a harmless method', "class A { start() { s.on('x', () => this.#go()); } #go() { this.n += 1; } }"],
  ['a listener of Notices, which guards it', "runtime.notices.on('tools', () => work());"],
  ['a promise with a catch', 'setInterval(() => void work().catch(report), 10);'],
  ['a stream with an error listener', `${NET}const socket = withErrorListener(connect(1));`],
  ['a stream that gets an error listener at once', `${NET}const socket = connect(1).on('error', () => {});`],
  ['a stream in a pipeline', `${NET}const body = Readable.from([]); pipeline(body, to, () => {});`],
  ['JSON in a try', 'function f() { try { return JSON.parse(a); } catch { return null; } }'],
  ['with a reason', "// Cannot throw: it is only said here\nchild.on('exit', onExit);"],
])('accepts code that is %s', (_, code) => {
  expect(listRules(code)).toEqual([]);
});

it('finds JSON.parse in a function that runs after its try', () => {
  expect(listRules('try { later(() => JSON.parse(a)); } catch {}')).toEqual(['json']);
  expect(listRules('const a = JSON.parse(b);')).toEqual(['json']);
});

it('finds a reason that is no longer needed', () => {
  expect(listRules('// Cannot throw: it was so once upon a time\nwork();')).toEqual(['reason']);
});
