import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { register } from '@/test/support/oauth-fixture';
import { createSessionActor } from '@/test/support/session-actor';
import { installOnDemand } from '../../../scripts/on-demand.mjs';
import { approveRequest } from './approve-request';

const suite = `${installOnDemand('conformance')}@modelcontextprotocol/conformance/dist/index.js`;
const forNode20 = fileURLToPath(new URL('../../api/mcp/conformance/with-glob-sync.mjs', import.meta.url));

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', listen: true });
});
afterAll(() => harness.close());

/** Returns a free port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (typeof address !== 'object' || address === null) throw new Error('No port is free');
  return address.port;
}

/**
 * Runs the suite in its own process. Approval must wait until its callback server listens: the
 * suite prints the address earlier, and waits minutes after a refused callback.
 */
async function runSuite(options: string[], approve: (address: URL) => Promise<void>): Promise<string> {
  const run = spawn(process.execPath, ['--import', forNode20, suite, 'authorization', ...options]);
  let out = '';
  let approval: Promise<void> | undefined;
  let failure: unknown;
  const read = (chunk: Buffer) => {
    out += chunk.toString();
    const address = /^\S+\/oauth\/authorize\?\S+\n/m.exec(out)?.[0];
    if (approval || !address || !out.includes('Callback server started')) return;
    approval = approve(new URL(address.trim())).catch((error: unknown) => {
      failure = error;
      run.kill();
    });
  };
  run.stdout.on('data', read);
  run.stderr.on('data', read);
  const code = await new Promise((done) => run.once('close', done));
  await approval;
  if (failure !== undefined) throw new Error(`The request was not approved.\n${out}`, { cause: failure });
  return `${out}\nexit code ${code}`;
}

// As a public client only: the suite sends no secret to a server that also accepts public clients.
it('passes all scenarios of the official conformance suite', async () => {
  const { baseUrl, runtime } = harness;
  const person = await harness.person();
  const port = String(await freePort());
  const client = await register(harness, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const target = ['--url', baseUrl, '--resource', `${baseUrl}/mcp`];
  const out = await runSuite(
    [...target, '--port', port, '--client-id', client.client_id],
    async (address) => {
      const request = Object.fromEntries(address.searchParams);
      const { url } = await approveRequest(runtime, createSessionActor(person), { request, credits: null });
      await fetch(url);
    },
  );
  expect(out).toContain('exit code 0');
  expect(out).toMatch(/Total: [3-9] passed, 0 failed/);
});
