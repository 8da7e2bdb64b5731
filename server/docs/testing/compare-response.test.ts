import { expect, it } from 'vitest';
import { findUnexpectedErrors } from './compare-response';

const failed = '{"status":"error","error":{"code":"SKILL_NOT_FOUND","message":"Unknown skill"}}';

it('finds an error that the guide does not document, also as text of an MCP result', () => {
  expect(findUnexpectedErrors(failed, '{ "status": "success" }')).toEqual(['SKILL_NOT_FOUND']);
  expect(findUnexpectedErrors(JSON.stringify({ text: failed }), '')).toEqual(['SKILL_NOT_FOUND']);
  expect(findUnexpectedErrors(failed, '{ "error": { "code": "SKILL_NOT_FOUND" } }')).toEqual([]);
  expect(findUnexpectedErrors('{"error_code":"TIMEOUT","error":null}', '')).toEqual([]);
});
