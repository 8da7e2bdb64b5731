import { acceptOrRefuse } from '../sdk/accept-refusal';
import type { SkillContext } from '../sdk/skill-context';
import { InputError, isSkillError, SkillError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import type * as worker from './images-worker.mjs';
import { MAX_IMAGE_BYTES, MAX_IMAGES, TIME_LIMIT_MS } from './limits.mjs';

const MODULE = 'server/tools/document/images-worker.mjs';
const REFERENCE = /^(asset_[0-9a-z_]{1,80}$|https?:\/\/)/i;
const MAX_NAMED_CHARS = 120;

/**
 * Downloads the pictures that a Markdown text references and prepares them for a document.
 * @returns the pictures by source, and warnings about those that were omitted
 * @throws {SkillError} if there are too many, or one cannot be loaded
 */
export async function loadPictures(
  { files, signal }: Pick<SkillContext<unknown>, 'files' | 'signal'>,
  markdown: string,
): Promise<{ pictures: Record<string, worker.Picture>; warnings: string[] }> {
  if (!/!\[|<img\b/i.test(markdown)) return { pictures: {}, warnings: [] };
  const options = { signal, timeLimitMs: TIME_LIMIT_MS };
  const sources = acceptOrRefuse(
    await runInWorker<typeof worker.findImages>(MODULE, 'findImages', { markdown }, options),
  );
  const wanted = sources.filter((source) => REFERENCE.test(source));
  if (wanted.length > MAX_IMAGES)
    throw new InputError(
      `markdown: the text has ${wanted.length} pictures; the limit is ${MAX_IMAGES}. Remove some.`,
    );
  const entries: [string, worker.Picture][] = [];
  for (const source of wanted) {
    const field = `markdown: picture ${source.slice(0, MAX_NAMED_CHARS)}`;
    const { path } = await openNamed(files, source, field);
    const task = { input: path, output: await files.scratch(), field };
    const picture = await runInWorker<typeof worker.prepareImage>(MODULE, 'prepareImage', task, options);
    entries.push([source, acceptOrRefuse(picture)]);
  }
  const warnings = sources
    .filter((source) => !REFERENCE.test(source))
    .map(
      (source) =>
        `Omitted ${source.slice(0, MAX_NAMED_CHARS)}: a picture must be an asset id or an http(s) URL.`,
    );
  return { pictures: Object.fromEntries(entries), warnings };
}

async function openNamed(files: SkillContext<unknown>['files'], source: string, field: string) {
  try {
    return await files.open(source, { maxBytes: MAX_IMAGE_BYTES });
  } catch (error) {
    if (isSkillError(error)) throw new SkillError(`${field}: ${error.message}`, { failure: error.failure });
    throw error;
  }
}
