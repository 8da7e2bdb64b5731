import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { SkillError } from '../../core/errors/skill-error';
import { runInWorker } from '../../platform/workers/cpu-pool';
import type * as worker from './yaml-worker.mjs';

const unzip = promisify(gunzip);
const MODULE = 'server/catalog/imports/yaml-worker.mjs';
/** The worker may have to wait for its CPU time. */
const LIMIT_MS = 60_000;
/** Within which a YAML document must begin to be recognised. */
const MAX_START_CHARS = 4_096;
const START =
  /^(?:---|%YAML|["']?(?:openapi|swagger|info|servers|paths|components|tags|security|externalDocs|webhooks|jsonSchemaDialect|x-[\w-]+)["']? *:)/;

/** Whether the first line that is not a comment begins an OpenAPI document in YAML. */
export function looksLikeYaml(text: string): boolean {
  const lines = text.slice(0, MAX_START_CHARS).split('\n');
  const first = lines.map((line) => line.trim()).find((line) => line !== '' && !line.startsWith('#'));
  return START.test(first ?? '');
}

/**
 * Converts a YAML document to JSON of at most so many characters.
 * @throws SkillError with the line of the fault
 */
export async function convertYaml(text: string, maxChars: number): Promise<string> {
  const options = { signal: new AbortController().signal, timeLimitMs: LIMIT_MS };
  const payload = { bytes: Buffer.from(text), maxChars };
  const result = await runInWorker<typeof worker.convertYaml>(MODULE, 'convertYaml', payload, options);
  if ('problem' in result) throw new SkillError(`The document is not usable YAML. ${result.problem}`);
  const json = await unzip(Buffer.from(result.gzip, 'base64'), { maxOutputLength: 4 * maxChars });
  return json.toString();
}
