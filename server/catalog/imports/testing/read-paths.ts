import { readDocument } from '../read-openapi';

/** Where the documents of tests say that their API is. */
export const SERVER = 'https://api.example.com/v1';
export const CONTEXT = { url: 'https://docs.example.com/openapi.json', server: SERVER };
/** A path with one operation. */
export const get = (operationId: string, more: object = {}) => ({
  get: { operationId, responses: {}, ...more },
});
/** Reads a document with these paths; all is listed by operation. */
export const read = async (
  paths: object,
  more: object = {},
  context: Parameters<typeof readDocument>[1] = CONTEXT,
) => {
  const document = { openapi: '3.1.0', servers: [{ url: SERVER }], paths, ...more };
  const { skills, leftOut, warnings } = await readDocument(document, context);
  return {
    skills: Object.fromEntries(skills.map((skill) => [skill.upstream, skill])),
    reasons: Object.fromEntries(leftOut.map(({ upstream, reason }) => [upstream, reason])),
    warnings: warnings.map(({ upstream, reason }) => `${upstream}: ${reason}`),
  };
};
