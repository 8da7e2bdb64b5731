import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createTestServer } from './test-server';

/** The program of the reference MCP server. */
export const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);

interface EverythingServer {
  url: string;
  close(): Promise<void>;
}

const MAX_TRIES = 5;

/** Starts the reference MCP server over HTTP on this machine; the caller closes it. */
export async function startEverything(): Promise<EverythingServer> {
  // It needs a port number, which another process may take before it starts.
  for (let tries = 1; ; tries++) {
    try {
      return await startOnFreePort();
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
    }
  }
}

async function startOnFreePort(): Promise<EverythingServer> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The reference server exited with code ${code}`)));
    child.stderr.on('data', (chunk: Buffer) => {
      if (String(chunk).includes('listening on port')) resolve();
    });
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

async function freePort(): Promise<number> {
  const server = createTestServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
