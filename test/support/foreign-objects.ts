import { randomBytes } from 'node:crypto';
import { hashSessionToken } from '@/server/identity/sessions/session-token';
import { inviteMember } from '@/server/identity/teams/invite-member';
import { buyCredit } from './buy-credit';
import type { Harness } from './harness';
import { connect } from './oauth-fixture';
import { createSessionActor } from './session-actor';

export const VICTIM_TEAM = 'victims-team';

export type ForeignObject = keyof typeof UNKNOWN;
/** Well-formed ids that do not exist. */
export const UNKNOWN = {
  key: 'key_01jaaaaaaaaaaaaaaaaaaaaaaa',
  job: 'job_01jaaaaaaaaaaaaaaaaaaaaaaa',
  running: 'job_01jaaaaaaaaaaaaaaaaaaaaaab',
  asset: 'asset_01jaaaaaaaaaaaaaaaaaaaaaaa',
  session: 'a'.repeat(43),
  order: 'order_01jaaaaaaaaaaaaaaaaaaaaaaa',
  payment: 'pi_aaaaaaaaaaaaaaaaaaaaaaaa',
  call: 'call_01jaaaaaaaaaaaaaaaaaaaaaaa',
  team: 'nobodys-team',
  user: 'user_01jaaaaaaaaaaaaaaaaaaaaaaa',
  invitation: 'inv_01jaaaaaaaaaaaaaaaaaaaaaaa',
  grant: 'oag_01jaaaaaaaaaaaaaaaaaaaaaaa',
  label: 'nobodys',
  webhook: 'we_01jaaaaaaaaaaaaaaaaaaaaaaa',
  delivery: 'dlv_01jaaaaaaaaaaaaaaaaaaaaaaa',
};

/** Creates a session of a person. @returns the token of its cookie */
export async function newSession(harness: Harness, userId: string): Promise<string> {
  const token = randomBytes(32).toString('hex');
  await harness.runtime.sql`insert into sessions (session_token, user_id, expires)
    values (${hashSessionToken(token)}, ${userId}, now() + interval '1 hour')`;
  return token;
}

/** Creates one object of every kind that has an id, owned by a person. */
export async function createVictimObjects(harness: Harness): Promise<Record<ForeignObject, string>> {
  const { sql } = harness.runtime;
  const { key, keyId, userId, accountId } = await harness.person(5_000_000n);
  const call = async (skill: string, input: object, prefer?: string) =>
    (
      await harness.request('POST', '/v1/tools/call', {
        key,
        json: { tool: 'diagnostics', skill, input },
        headers: prefer ? { prefer } : {},
      })
    ).body;
  const done = await call('spend', { amount_usd: 0.1 }, 'wait=0');
  await harness.request('GET', `/v1/jobs/${done.job_id}`, { key });
  const running = await call('sleep', { seconds: 60 }, 'wait=0');
  await buyCredit(harness, { key, usd: 5, number: '4242424242424242' });
  const file = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--b--\r\n`;
  const asset = await harness.request('POST', '/v1/assets/upload', {
    key,
    raw: file,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });
  await harness.request('PUT', '/v1/account/requirements/openai', {
    key,
    json: { value: `sk-test-secret-${'x'.repeat(20)}`, label: 'victims' },
  });
  const webhook = await harness.request('POST', '/v1/webhooks', {
    key,
    json: { url: 'https://receiver.invalid/hooks', events: ['job.completed'] },
  });
  const delivery = await harness.request('POST', `/v1/webhooks/${webhook.body.id}/test`, { key });
  await harness.team(userId, VICTIM_TEAM, 1_000_000n);
  const actor = createSessionActor({ userId, accountId });
  const invited = { slug: VICTIM_TEAM, email: 'guest@example.test', role: 'member' as const };
  const session = hashSessionToken(await newSession(harness, userId));
  await inviteMember(harness.runtime, actor, invited);
  await connect(harness, { userId, accountId });
  const one = async (query: Promise<readonly { id: string }[]>) => (await query)[0]?.id ?? '';
  return {
    key: keyId,
    job: done.job_id,
    running: running.job_id,
    asset: asset.body.asset_id,
    session,
    order: await one(sql`select id from orders where account_id = ${accountId}`),
    payment: await one(sql`select id from payments where account_id = ${accountId}`),
    call: await one(sql`select id from usage_records where account_id = ${accountId} limit 1`),
    team: VICTIM_TEAM,
    user: userId,
    invitation: await one(sql`select id from invitations`),
    grant: await one(sql`select id from oauth_grants where user_id = ${userId}`),
    label: 'victims',
    webhook: webhook.body.id,
    delivery: delivery.body.id,
  };
}
