import { expect } from 'vitest';
import type { Harness } from '@/test/support/harness';
import {
  approveApplication,
  buildAuthorizationRequest,
  isTokenValid,
  newPkce,
  postForm,
  REDIRECT,
  register,
} from '@/test/support/oauth-fixture';
import { createSessionActor } from '@/test/support/session-actor';
import { deleteAccount } from '../../../lifecycle/delete-account';

type Person = Awaited<ReturnType<Harness['person']>>;

/** Registers an application; `allow` approves it and returns a code, `fetch` exchanges the code. */
export async function newApplication(harness: Harness) {
  const clientId: string = (await register(harness)).client_id;
  const { verifier, challenge } = newPkce();
  const fields = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: REDIRECT };
  return {
    allow: (person: Person) =>
      approveApplication(harness, person, buildAuthorizationRequest(clientId, challenge)),
    fetch: (code: string) => postForm(harness, '/oauth/token', { ...fields, code, code_verifier: verifier }),
  };
}

/**
 * Deletes accounts during concurrent approvals and code exchanges, and checks that no access
 * remains.
 */
export async function checkDeletionRaces(harness: Harness, rounds: number): Promise<void> {
  const { sql } = harness.runtime;
  for (let round = 0; round < rounds; round++) {
    const person = await harness.person();
    const [early, late] = [await newApplication(harness), await newApplication(harness)];
    const code = await early.allow(person);
    const [fetched, lateFetched, deleted] = await Promise.allSettled([
      early.fetch(code),
      late.allow(person).then(late.fetch),
      deleteAccount(harness.runtime, createSessionActor(person)),
    ]);
    // The deletion must succeed in every interleaving, without a deadlock.
    expect(deleted.status, String((deleted as PromiseRejectedResult).reason)).toBe('fulfilled');
    for (const outcome of [fetched, lateFetched]) {
      if (outcome.status === 'rejected') throw outcome.reason;
      expect([200, 400]).toContain(outcome.value.status);
      if (outcome.value.status === 200)
        expect(await isTokenValid(harness, outcome.value.body.access_token)).toBe(false);
    }
    const live =
      await sql`select k.id from api_keys k where account_id = ${person.accountId} and revoked_at is null`;
    expect(live).toEqual([]);
  }
}
