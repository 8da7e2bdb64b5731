import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteAccount } from '../accounts/delete-account';
import { type Harness, startHarness } from '../testing/harness';
import { allow, isGood, newPkce, postForm, REDIRECT, register, requestOf } from '../testing/oauth-world';
import { sessionOf } from '../testing/session-of';
import { MAX_GRANTS } from './grant-rules';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

type Person = Awaited<ReturnType<Harness['person']>>;

/** An application that waits for its code; `fetch` exchanges one. */
async function newApplication() {
  const clientId: string = (await register(harness)).client_id;
  const { verifier, challenge } = newPkce();
  const fields = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: REDIRECT };
  return {
    allow: (person: Person) => allow(harness, person, requestOf(clientId, challenge)),
    fetch: (code: string) => postForm(harness, '/oauth/token', { ...fields, code, code_verifier: verifier }),
  };
}

it('applications that were allowed at once are let in up to the most there may be, and no further', async () => {
  const { sql } = harness.runtime;
  const person = await harness.person();
  const room = 2;
  const [{ id: filler } = { id: '' }] = await sql<{ id: string }[]>`
    insert into oauth_clients (id, name, redirect_uris) values ('cli_filler', 'Filler', '{}') returning id`;
  for (let n = 0; n < MAX_GRANTS - room; n++) {
    const { keyId } = await harness.addKey(person.accountId);
    await sql`insert into oauth_grants (id, client_id, user_id, key_id, redirect_uri)
      values (${`grant_${n}`}, ${filler}, ${person.userId}, ${keyId}, ${REDIRECT})`;
  }
  const applications = await Promise.all(Array.from({ length: 8 }, newApplication));
  const codes = await Promise.all(applications.map((application) => application.allow(person)));
  const answers = await Promise.all(applications.map((application, n) => application.fetch(codes[n] ?? '')));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(room);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status, body }) => [status, body.error])).toEqual(
    Array(8 - room).fill([400, 'invalid_grant']),
  );
  const [row] = await sql`select count(*)::int as n from oauth_grants where user_id = ${person.userId}`;
  expect(row?.n).toBe(MAX_GRANTS);
});

it('fifty times an account is deleted while applications are allowed and let in: nothing of it is left open', async () => {
  const { sql } = harness.runtime;
  for (let round = 0; round < 50; round++) {
    const person = await harness.person();
    const [early, late] = [await newApplication(), await newApplication()];
    const code = await early.allow(person);
    const [fetched, lateFetched, deleted] = await Promise.allSettled([
      early.fetch(code),
      late.allow(person).then(late.fetch),
      deleteAccount(harness.runtime, sessionOf(person)),
    ]);
    // No deadlock, no failure: the account is gone whatever came between.
    expect(deleted.status, String((deleted as PromiseRejectedResult).reason)).toBe('fulfilled');
    for (const outcome of [fetched, lateFetched]) {
      if (outcome.status === 'rejected') throw outcome.reason;
      expect([200, 400]).toContain(outcome.value.status);
      if (outcome.value.status === 200)
        expect(await isGood(harness, outcome.value.body.access_token)).toBe(false);
    }
    const live =
      await sql`select k.id from api_keys k where account_id = ${person.accountId} and revoked_at is null`;
    expect(live).toEqual([]);
  }
});
