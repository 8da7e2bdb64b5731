import type { Runtime } from '../runtime';
import { SkillError } from '../tools/define-tool';
import type { CallFiles, InputFile, SavedAsset } from '../tools/skill-context';
import type { OpenedCall } from './open-call';

/** The files of one attempt. */
export class CallFolder implements CallFiles {
  // biome-ignore lint/complexity/noUselessConstructor: the signature is what call-services.ts uses
  constructor(_runtime: Runtime, _call: OpenedCall) {}

  open(): Promise<InputFile> {
    return Promise.reject(new SkillError('This gateway keeps no files.'));
  }

  scratch(): Promise<string> {
    return Promise.reject(new SkillError('This gateway keeps no files.'));
  }

  save(): Promise<SavedAsset> {
    return Promise.reject(new SkillError('This gateway keeps no files.'));
  }

  async end(_ok: boolean): Promise<void> {}
}
