import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TOOL = 'bench-upstream';
const APPEARS_MS = 30_000;

/** What is sent to the upstream, also by peers. */
export const MESSAGES = {
  model: 'bench',
  messages: [
    { role: 'system', content: 'You are measured.' },
    { role: 'user', content: 'Answer at once, with the same words as always.' },
  ],
};

/** Paid calls of the imported upstream. */
export const UPSTREAM_CALLS = {
  read: { tool: TOOL, skill: 'create_chat_completion', input: MESSAGES },
  write: { tool: TOOL, skill: 'create_note', input: MESSAGES },
};

interface ImportTarget {
  root: string;
  /** For the document. */
  folder: string;
  /** Of the gateway's commands. */
  environment: Record<string, string>;
  gatewayPort: number;
}

/** Imports the upstream as a paid tool, like an operator: an OpenAPI document and the admin CLI. */
export async function importUpstream(
  address: string,
  { root, folder, environment, gatewayPort }: ImportTarget,
): Promise<void> {
  const file = join(folder, 'upstream.json');
  await writeFile(file, JSON.stringify(buildDocument(address)));
  await run(
    process.execPath,
    [
      'scripts/admin.mjs',
      ...['tools', 'import', '--openapi', file, '--name', TOOL, '--price', '0.000001', '--allow-private'],
      // A completion changes nothing, so its calls may start before they are admitted.
      ...['--read-only', 'createChatCompletion', '--yes'],
    ],
    { cwd: root, env: { ...process.env, ...environment } },
  );
  const url = `http://127.0.0.1:${gatewayPort}/v1/tools/${TOOL}`;
  for (const end = Date.now() + APPEARS_MS; Date.now() < end; await sleep(100))
    if ((await fetch(url)).status === 200) return;
  throw new Error(`${TOOL} did not appear in the catalogue`);
}

function buildDocument(address: string) {
  const text = { type: 'string' };
  const message = {
    type: 'object',
    properties: { role: text, content: text },
    required: ['role', 'content'],
  };
  const request = {
    type: 'object',
    properties: { model: text, messages: { type: 'array', items: message } },
    required: ['model', 'messages'],
  };
  const choice = { type: 'object', properties: { index: { type: 'integer' }, message, finish_reason: text } };
  const answer = {
    type: 'object',
    properties: { id: text, object: text, choices: { type: 'array', items: choice } },
    required: ['id', 'object', 'choices'],
  };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const operation = (operationId: string, summary: string) => ({
    post: {
      operationId,
      summary,
      requestBody: { required: true, ...json(request) },
      responses: { 200: { description: 'The completion.', ...json(answer) } },
    },
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Upstream of the bench', version: '1.0.0', description: 'Answers at once.' },
    servers: [{ url: address }],
    paths: {
      '/v1/chat/completions': operation('createChatCompletion', 'Complete a chat'),
      '/v1/notes': operation('createNote', 'Write a note'),
    },
  };
}

/** Runs a command to its end. @throws Error with the end of what it wrote to stderr */
export async function run(command: string, args: string[], options: object): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], ...options });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${command} ${args.slice(0, 3).join(' ')} failed:\n${said}`);
}
