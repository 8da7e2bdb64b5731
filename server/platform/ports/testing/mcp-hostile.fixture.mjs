// An MCP server that answers calls with invalid messages. The test uses it over HTTP, or as a
// program on standard streams with the message's name as its argument.
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const DEEP = 100_000;
const deep = `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`;
const deepObject = `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`;
const result = (/** @type {unknown} */ id, /** @type {string} */ value) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${value}}`;
const FINE = '{"content":[{"type":"text","text":"fine"}]}';
const progress = (/** @type {string} */ params) =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}`;
const ask = (/** @type {string} */ id, /** @type {string} */ method) =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{}}`;

/** @type {Record<string, (id: unknown) => string[]>} the frames that are sent for a call */
export const FRAMES = {
  fine: (id) => [result(id, FINE)],
  nothing: () => [],
  'no JSON': () => ['this is no JSON'],
  'no JSON, then an answer': (id) => ['{', '\u0000\u0001', '[[[', result(id, FINE)],
  'values that are no messages': (id) => ['null', '5', '""', '[]', '{}', 'true', '[null]', result(id, FINE)],
  'another version': (id) => [`{"jsonrpc":"1.0","id":${JSON.stringify(id)},"result":{}}`],
  'wrong ids': () => [result(999, FINE), result('x', FINE), result(null, FINE), result({ a: 1 }, FINE)],
  'a wrong id': () => [result(999, FINE)],
  'another answer first': (id) => [result(999, FINE), result(id, FINE)],
  'the same answer three times': (id) => [result(id, FINE), result(id, FINE), result(id, FINE)],
  'a result and an error': (id) => [
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{},"error":{"code":1,"message":"x"}}`,
  ],
  'an odd error': (id) => [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":null}`],
  'an error without a message': (id) => [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":"x"}}`],
  'a deep error': (id) => [
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":1,"message":"x","data":${deep}}}`,
  ],
  'result null': (id) => [result(id, 'null')],
  'result 5': (id) => [result(id, '5')],
  'content no list': (id) => [result(id, '{"content":"x"}')],
  'content of odd types': (id) => [result(id, '{"content":[null,5,{"type":"__proto__"},{"type":[]}]}')],
  'keys of the prototype': (id) => [
    result(id, '{"__proto__":{"a":1},"constructor":1,"content":[],"toString":5}'),
  ],
  'deep content': (id) => [result(id, `{"content":${deep}}`)],
  'deep structured content': (id) => [result(id, `{"content":[],"structuredContent":${deepObject}}`)],
  'deep meta': (id) => [result(id, `{"content":[],"_meta":${deepObject}}`)],
  'a notification that is deep': (id) => [
    progress(`{"progressToken":1,"progress":1,"x":${deep}}`),
    result(id, FINE),
  ],
  'odd progress': (id) => [
    progress('null'),
    progress('{"progressToken":{},"progress":"x"}'),
    progress('{"progressToken":"__proto__","progress":1e999}'),
    progress('{"progressToken":"call-1","progress":1,"total":-5,"message":{}}'),
    progress('{"progressToken":"call-1","progress":0.5,"message":"raise"}'),
    result(id, FINE),
  ],
  'a storm of progress': (id) => [
    ...Array(4_000).fill(progress('{"progressToken":"call-1","progress":1}')),
    result(id, FINE),
  ],
  'a flood of requests': (id) => [...Array(20_000).fill(ask('1', 'ping')), result(id, FINE)],
  'a flood of notifications': (id) => [
    ...Array(5_001).fill('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'),
    result(id, FINE),
  ],
  'very many values': (id) => [
    result(id, `{"content":[],"structuredContent":{"a":[${Array(200_000).fill('1').join(',')}]}}`),
  ],
  'a very large message': (id) => [
    result(id, `{"content":[{"type":"text","text":"${'x'.repeat(8 * 1024 * 1024)}"}]}`),
  ],
  'questions of its own': (id) => [
    ask('1', 'sampling/createMessage'),
    ask('"x"', 'roots/list'),
    ask('null', 'ping'),
    ask('[]', 'elicitation/create'),
    ask('7', '__proto__'),
    ask('8', 'constructor'),
    result(id, FINE),
  ],
  'a cancel of what is asked': (id) => [
    `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${JSON.stringify(id)}}}`,
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
    '{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":5}',
    result(id, FINE),
  ],
  'lone surrogates': (id) => [result(id, '{"content":[{"type":"text","text":"\\ud800"}]}')],
};

/**
 * @param {{ id?: unknown, method?: string, params?: { protocolVersion?: string, name?: string } }}
 *   request
 * @param {string} name
 * @returns {string[]}
 */
export function answerTo({ id, method, params }, name) {
  if (method === 'initialize') {
    const server = '"capabilities":{"tools":{}},"serverInfo":{"name":"hostile","version":"1"}';
    return [result(id, `{"protocolVersion":${JSON.stringify(params?.protocolVersion)},${server}}`)];
  }
  if (method === 'tools/list')
    return [result(id, '{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}')];
  if (method === 'tools/call') return FRAMES[name]?.(id) ?? [];
  if (id === undefined) return [];
  return [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32601,"message":"Unknown method"}}`];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stderr.write(Buffer.from([0xff, 0xfe, 0, 10]));
  createInterface({ input: process.stdin }).on('line', (line) => {
    for (const frame of answerTo(JSON.parse(line), process.argv[2] ?? '')) process.stdout.write(`${frame}\n`);
  });
}
