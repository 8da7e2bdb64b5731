import { expect, it } from 'vitest';
import { findChangedHeaders, parseHeaders } from './function-headers.mjs';

it('a header is the parameters and the result, without comments and spaces', () => {
  const text = `-- Why.\nCREATE OR REPLACE FUNCTION one(
  p_a int[], -- ids; null: none
  p_b text DEFAULT ''
) RETURNS TABLE (a int)
LANGUAGE plpgsql AS $$ BEGIN RETURN; END $$;
CREATE OR REPLACE TRIGGER rows_one AFTER DELETE ON rows FOR EACH ROW EXECUTE FUNCTION one();`;
  expect(parseHeaders(text)).toEqual([
    { name: 'one', header: "(p_a int[], p_b text DEFAULT '') RETURNS TABLE (a int)" },
  ]);
});

it('what the last release calls keeps its header for one release @E14', () => {
  const released = { same: '(p int)', changed: '(p int)', gone: '(p int)' };
  const now = new Map(Object.entries({ same: '(p int)', changed: '(p text)', added: '(p int)' }));
  expect(findChangedHeaders(released, now)).toEqual([
    expect.stringMatching(/^changed: .*another name/),
    expect.stringMatching(/^gone: .*one release later/),
  ]);
});
