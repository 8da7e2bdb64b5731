import { resolve } from 'node:path';

/**
 * The folder of `.env` and of relative paths in settings: that of the program, or the one in which
 * `tool-gateway-server` was started.
 * @param {string} root the folder of the program
 */
export function getSettingsFolder(root) {
  return process.env.TOOL_GATEWAY_FOLDER || root;
}

/**
 * The absolute path of a file that a person has named.
 * @param {string} path
 */
export function fromSettingsFolder(path) {
  return resolve(/* turbopackIgnore: true */ getSettingsFolder(process.cwd()), path);
}
