#!/usr/bin/env node
import { homedir } from 'node:os';
import { EXIT } from './cli/exit-codes.js';
import { runCli } from './cli/run-cli.js';
import { Interrupted } from './cli/usage-error.js';

const controller = new AbortController();
process.on('SIGINT', () => {
  // The first Ctrl-C lets the command say what goes on without it; the second one is not asked.
  if (controller.signal.aborted) process.exit(EXIT.interrupted);
  controller.abort(new Interrupted());
});
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // `tool-gateway tools | head -1`: whoever reads has enough.
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    throw error;
  });

process.exitCode = await runCli({
  args: process.argv.slice(2),
  env: process.env,
  home: homedir(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: controller.signal,
});
