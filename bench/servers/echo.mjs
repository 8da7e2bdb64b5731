// Target (a): the cost of Node's HTTP server alone. Parses JSON and returns it.
import { createServer } from 'node:http';
import { serveBench } from './control.mjs';

const server = createServer((req, res) => {
  /** @type {Buffer[]} */
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    const body = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
    res.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  serveBench({ port: typeof address === 'object' ? address?.port : 0 });
});
