#!/usr/bin/env node
import { homedir } from 'node:os';
import { EXIT } from './cli/exit-codes.js';
import { runCli } from './cli/run-cli.js';
import { Interrupted } from './cli/usage-error.js';

const controller = new AbortController();
process.on('SIGINT', () => {
  // The first Ctrl-C lets the command print what keeps running; the second exits at once.
  if (controller.signal.aborted) process.exit(EXIT.interrupted);
  controller.abort(new Interrupted());
});
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // `tool-gateway tools | head -1`: the reader has closed the pipe.
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
