import { isSkillError, SkillError } from '../../core/errors/skill-error';
import type { AnyProviderName } from '../../platform/settings/providers';
import type { CallFiles, SkillContext } from '../../tools/sdk/skill-context';
import { CallCredential } from '../credentials/call-credential';

/**
 * Removes a program's credentials from everything it returns. The program knows them and may leak
 * them in a result, an error, progress, a file, or standard error, which is logged.
 */
export class ProgramSecrets {
  readonly #secrets: readonly CallCredential[];
  readonly #values: readonly string[];

  /** @param env the variables that the operator set */
  constructor(env: Readonly<Record<string, string>>) {
    this.#values = Object.values(env).filter((value) => value !== '');
    this.#secrets = this.#values.map(
      (value) => new CallCredential('program' as AnyProviderName, 'platform', value),
    );
  }

  redact(text: string): string {
    return this.#secrets.reduce((clean, secret) => secret.redact(clean), text);
  }

  redactOutput(output: Record<string, unknown>): Record<string, unknown> {
    if (this.#secrets.length === 0) return output;
    const given = JSON.stringify(output);
    const clean = this.#secrets.reduce((text, secret) => secret.redactJson(text), given);
    // Cannot throw: redactJson gives JSON for JSON
    return clean === given ? output : JSON.parse(clean);
  }

  /** Redacts an error's message; drops its cause if that contains a credential. */
  redactError(error: unknown): unknown {
    if (!isSkillError(error)) return error;
    const clean = new SkillError(this.redact(error.message), { failure: error.failure });
    const { cause } = error;
    if (!(cause instanceof Error) || this.redact(`${cause.stack}`) === `${cause.stack}`) clean.cause = cause;
    return clean;
  }

  /** Returns a context whose log and files accept no credentials. */
  guard<Input>(
    context: SkillContext<Input>,
  ): Pick<SkillContext<Input>, 'input' | 'signal' | 'log' | 'progress' | 'files'> {
    return {
      input: context.input,
      signal: context.signal,
      log: (message) => context.log(this.redact(message)),
      progress: (fraction) => context.progress(fraction),
      files: this.#guardFiles(context.files),
    };
  }

  #guardFiles(files: CallFiles): CallFiles {
    return {
      open: (reference, options) => files.open(reference, options),
      scratch: (extension) => files.scratch(extension),
      ensureRoom: (bytes) => files.ensureRoom(bytes),
      save: async (content, { filename, contentType }) => {
        if ('bytes' in content && this.#isIn(content.bytes))
          throw new SkillError('The tool returned a file that contains its own credential.');
        return await files.save(content, { filename: this.redact(filename), contentType });
      },
    };
  }

  #isIn({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    return this.#values.some((value) => bytes.includes(value));
  }
}
