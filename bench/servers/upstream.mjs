// The upstream of the gateway and its peers: an OpenAI-like API that responds at once.
import { createServer } from 'node:http';
import { serveBench } from './control.mjs';

const ANSWER = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'bench',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'The upstream of the bench answers at once, always the same.' },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 12, completion_tokens: 12, total_tokens: 24 },
});
const HEADERS = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(ANSWER) };

const PATHS = new Set(['/v1/chat/completions', '/v1/notes']);

const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
  /** @type {Buffer[]} */
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    const asked = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (!PATHS.has(req.url ?? '') || !Array.isArray(asked.messages)) {
      res.writeHead(404).end();
      return;
    }
    res.writeHead(200, HEADERS);
    res.end(ANSWER);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  serveBench({ port: typeof address === 'object' ? address?.port : 0 });
});
