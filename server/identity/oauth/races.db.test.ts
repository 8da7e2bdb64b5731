import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { REDIRECT } from '@/test/support/oauth-fixture';
import { MAX_GRANTS } from './grant-rules';
import { checkDeletionRaces, newApplication } from './testing/deletion-races';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

it('concurrent approvals never exceed the maximum number of applications', async () => {
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
  const applications = await Promise.all(Array.from({ length: 8 }, () => newApplication(harness)));
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

it('leaves no access in five races of an account deletion with approvals and code exchanges', () =>
  checkDeletionRaces(harness, 5));
