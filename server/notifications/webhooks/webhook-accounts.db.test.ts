import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { startReceiver, verifyWebhook, type WebhookReceiver } from '@/test/support/webhook-receiver';
import { deleteAccount } from '../../lifecycle/delete-account';
import { getVaultStatus, rotateVault } from '../../operations/vault/rotate-vault';
import { createVault } from '../../platform/ports/vault';
import { forgetWebhooks } from './forget-webhooks';
import { deliverDue } from './testing/webhook-fixture';

let receiver: WebhookReceiver;
let harness: Harness;
const OLD_KEY = { id: 'old', key: randomBytes(32).toString('base64') };
beforeAll(async () => {
  receiver = await startReceiver();
  harness = await startHarness({
    role: 'command',
    env: { OUTBOUND_ALLOW: receiver.allow, PROVISION_PER_HOUR: '100', PROVISION_PER_DAY: '100' },
    ports: { vault: createVault(OLD_KEY) },
  });
});
afterAll(async () => {
  await harness?.close();
  await receiver?.close();
});
beforeEach(() => {
  receiver.accepted.length = 0;
});

const sql = () => harness.runtime.sql;

async function createEndpoint(key: string, events = ['key.claimed', 'job.completed']) {
  const { body } = await harness.request('POST', '/v1/webhooks', {
    key,
    json: { url: receiver.url, events },
  });
  return body as { id: string; secret: string };
}

async function provision() {
  const { body } = await harness.request('POST', '/v1/auth/provision');
  return {
    key: body.api_key as string,
    accountId: body.account_id as string,
    token: new URL(body.claim_url).searchParams.get('token'),
  };
}

const runJob = async (key: string, webhook?: string) => {
  const { body } = await harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'diagnostics', skill: 'echo', input: { message: 'x' }, ...(webhook && { webhook }) },
    headers: { prefer: 'wait=0' },
  });
  await harness.request('GET', `/v1/jobs/${body.job_id}`, { key });
  return body.job_id as string;
};

describe('a claim', () => {
  it('is sent to the endpoints of both accounts; the secret of the key stays the same', async () => {
    const agent = await provision();
    const mine = await createEndpoint(agent.key);
    const own = await harness.request('GET', '/v1/webhooks/secret', { key: agent.key });
    const person = await harness.person();
    const theirs = await createEndpoint(person.key);
    const claim = { key: person.key, json: { token: agent.token } };
    expect((await harness.request('POST', '/v1/auth/claim', claim)).status).toBe(200);
    await harness.request('POST', '/v1/auth/claim', claim);
    await deliverDue(harness);
    expect(receiver.accepted).toHaveLength(2);
    const secrets = [mine.secret, theirs.secret];
    for (const webhook of receiver.accepted) {
      const events = secrets.flatMap((secret) => {
        try {
          return [verifyWebhook(webhook, secret)];
        } catch {
          return [];
        }
      });
      expect(events).toMatchObject([
        { type: 'key.claimed', data: { account_id: person.accountId, claimed_from: agent.accountId } },
      ]);
    }
    const after = await harness.request('GET', '/v1/webhooks/secret', { key: agent.key });
    expect(after.body.secret).toBe(own.body.secret);
  });

  it('moves endpoints only with a key that may manage the account, because they see all its events @C16', async () => {
    for (const manages of [false, true]) {
      receiver.accepted.length = 0;
      const agent = await provision();
      const { secret } = await createEndpoint(agent.key, ['job.completed']);
      const person = await harness.person();
      await harness.request('POST', '/v1/auth/claim', {
        key: person.key,
        json: { token: agent.token, manages_account: manages },
      });
      await runJob(person.key);
      const jobId = await runJob(agent.key, `${receiver.url}?call`);
      await deliverDue(harness);
      const { body: own } = await harness.request('GET', '/v1/webhooks/secret', { key: agent.key });
      const byCall = receiver.accepted.filter(({ path }) => path.endsWith('?call'));
      expect(byCall.map((each) => verifyWebhook(each, own.secret).data.job_id)).toEqual([jobId]);
      const seen = receiver.accepted.filter(({ path }) => !path.endsWith('?call'));
      expect(seen.map((each) => verifyWebhook(each, secret).type)).toEqual(
        manages ? ['job.completed', 'job.completed'] : [],
      );
    }
  });

  it('of an account with two endpoints is possible, but it cannot have more', async () => {
    const agent = await provision();
    for (const status of [201, 201, 403])
      expect(
        (
          await harness.request('POST', '/v1/webhooks', {
            key: agent.key,
            json: { url: receiver.url, events: ['key.claimed'] },
          })
        ).status,
      ).toBe(status);
  });
});

it('a deleted account has no endpoint, secret or delivery, and its last jobs are reported to no one', async () => {
  const { key, userId, accountId } = await harness.person(1_000_000n);
  const { id } = await createEndpoint(key);
  await runJob(key);
  const started = await harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'diagnostics', skill: 'sleep', input: { seconds: 60 }, webhook: receiver.url },
    headers: { prefer: 'wait=0' },
  });
  const actor = {
    kind: 'session',
    userId,
    accountId,
    accountType: 'personal',
    accountFrozen: false,
  } as const;
  await deleteAccount(harness.runtime, { ...actor, sessionId: 'test' });
  expect(await sql()`select 1 from webhook_endpoints where id = ${id}`).toHaveLength(0);
  expect(await sql()`select 1 from webhook_secrets where holder_id = ${id}`).toHaveLength(0);
  const jobId = started.body.job_id as string;
  await sql()`select cancel_job(${jobId}, ${accountId}, 'test', 'null'::json)`;
  expect(await sql()`select 1 from webhook_deliveries where account_id = ${accountId}`).toHaveLength(0);
});

it('an account is deleted while an attempt is recorded: both lock the endpoint, then deliveries', async () => {
  const { key, accountId } = await harness.person();
  const { id } = await createEndpoint(key);
  await runJob(key);
  const waiting = () => sql()`select 1 from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and query like '%webhook_endpoints%'`;
  let deletion: Promise<void> | undefined;
  await sql().begin(async (tx) => {
    await tx`select 1 from webhook_endpoints where id = ${id} for no key update`;
    deletion = harness.runtime.db.transaction((other) => forgetWebhooks(other, accountId));
    deletion.catch(() => {});
    while ((await waiting()).length === 0);
    expect(await tx`select 1 from webhook_deliveries where holder_id = ${id} for key share`).toHaveLength(1);
  });
  await deletion;
  expect(await sql()`select 1 from webhook_deliveries where account_id = ${accountId}`).toHaveLength(0);
});

it('a call with a webhook is refused where no call can become a job', async () => {
  const off = await startHarness({ role: 'command', peer: harness, env: { JOBS: 'off' } });
  try {
    const { key } = await harness.person();
    const json = { tool: 'diagnostics', skill: 'echo', input: { message: 'x' } };
    const webhook = 'https://example.com/hooks';
    const refused = await off.request('POST', '/v1/tools/call', { key, json: { ...json, webhook } });
    expect(refused).toMatchObject({ status: 501, body: { error: { code: 'JOBS_DISABLED' } } });
    expect((await off.request('POST', '/v1/tools/call', { key, json })).status).toBe(200);
  } finally {
    await off.close();
  }
});

it('a rotation of the vault key reseals the secrets, also the previous ones', async () => {
  const { key } = await harness.person(1_000_000n);
  const { id, secret: first } = await createEndpoint(key);
  const { body } = await harness.request('POST', `/v1/webhooks/${id}/rotate-secret`, { key, json: {} });
  const NEW_KEY = { id: 'new', key: randomBytes(32).toString('base64') };
  const { runtime } = harness;
  const ports = { ...runtime.ports, vault: createVault(NEW_KEY, [OLD_KEY]) };
  expect((await rotateVault({ ...runtime, ports })).broken).toEqual([]);
  const status = await getVaultStatus({ ...runtime, ports });
  expect(status.find((each) => each.id === 'old')).toMatchObject({ webhooks: 0 });
  Object.assign(runtime.ports, { vault: createVault(NEW_KEY) });
  await runJob(key);
  await deliverDue(harness);
  for (const secret of [first, body.secret])
    expect(verifyWebhook(receiver.accepted[0], secret).type).toBe('job.completed');
});
