// Imports the native modules that workers load, under Node's permission model.
// Started only by probe-layer.ts.

/**
 * A module that is not installed here says nothing about permissions.
 * @param {any} error
 */
function isRefused(error) {
  return error?.code === 'ERR_ACCESS_DENIED' || error?.code === 'ERR_DLOPEN_DISABLED';
}

const names = ['sharp', '@resvg/resvg-js', '@duckdb/node-api', 'quickjs-emscripten'];
const results = await Promise.allSettled(names.map((name) => import(name)));
const refused = results.some((result) => result.status === 'rejected' && isRefused(result.reason));
process.stdout.write(refused ? 'refused' : 'ok');
