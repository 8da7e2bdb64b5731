import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { withoutIntervals } from '@/test/support/without-intervals';
import { recordRun } from '../../../platform/background/record-run';
import { deliverMessages } from './deliver-messages';
import { findProblems } from './find-problems';
import { updateAlerts } from './run-alerts';

const emails: { to: string; subject: string; text: string }[] = [];
const posts: { text: string }[] = [];
let status = 200;
let receiver: Server;
let harness: Harness;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (status === 200) posts.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(status).end();
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const { port } = receiver.address() as AddressInfo;
  harness = await withoutIntervals(() =>
    startHarness({
      role: 'command',
      ports: {
        mail: {
          send: async (message) => {
            emails.push(message);
          },
        },
      },
      env: {
        ALERT_EMAILS: 'ops@example.test',
        RECONCILE_HOURS: '0',
        ALERT_WEBHOOK_URL: `http://127.0.0.1:${port}/services/T0/secret-of-the-hook`,
      },
    }),
  );
});
beforeEach(async () => {
  status = 200;
  await harness.runtime.sql`delete from operator_alerts`;
  await harness.runtime.sql`delete from alert_messages`;
  emails.length = 0;
  posts.length = 0;
});
afterAll(async () => {
  await harness.close();
  await new Promise((done) => receiver.close(done));
});

const PROBLEM = { cause: 'tool:text', title: 'High failure rate: Text <b>', path: '/operator/tools/text' };
const deliver = () => deliverMessages(harness.runtime);
const age = (hours: number) =>
  harness.runtime.sql`
    update operator_alerts set notified_at = notified_at - make_interval(hours => ${hours}::int),
      resolved_at = resolved_at - make_interval(hours => ${hours}::int)`;
/** The problem is over, and stays away for longer than its end is held back. */
async function end() {
  await updateAlerts(harness.runtime, []);
  await age(1);
  await updateAlerts(harness.runtime, []);
}

describe('an alert', () => {
  it('is sent once for each cause until it is resolved, with a reminder a day later and a recovery notice @F32', async () => {
    await Promise.all(Array.from({ length: 4 }, () => updateAlerts(harness.runtime, [PROBLEM])));
    expect(await deliver()).toEqual({ sent: 2, failed: 0 });
    expect(emails).toMatchObject([
      { to: 'ops@example.test', subject: '[Tool Gateway] Alert: High failure rate: Text <b>' },
    ]);
    expect(posts).toEqual([
      {
        text: '[Tool Gateway] Alert: High failure rate: Text &lt;b&gt;\n<http://gateway.test/operator/tools/text|Open the operator pages>',
      },
    ]);
    await age(23);
    await updateAlerts(harness.runtime, [PROBLEM]);
    expect((await deliver()).sent).toBe(0);
    await age(1);
    await updateAlerts(harness.runtime, [PROBLEM]);
    expect((await deliver()).sent).toBe(2);
    expect(posts.at(-1)?.text).toContain('Still open: ');
    await end();
    await updateAlerts(harness.runtime, []);
    expect((await deliver()).sent).toBe(2);
    expect(emails.at(-1)?.subject).toContain('Resolved: ');
    await updateAlerts(harness.runtime, [PROBLEM]);
    expect((await deliver()).sent).toBe(2);
  });

  it('of a problem that comes and goes is one notice, and one more when it stays away @F32', async () => {
    for (let i = 0; i < 5; i++) {
      await updateAlerts(harness.runtime, [PROBLEM]);
      await updateAlerts(harness.runtime, []);
    }
    expect((await deliver()).sent).toBe(2);
    await end();
    expect((await deliver()).sent).toBe(2);
    expect(posts.map(({ text }) => text.slice(0, 24))).toEqual([
      '[Tool Gateway] Alert: Hi',
      '[Tool Gateway] Resolved:',
    ]);
    const rows = await harness.runtime.sql`select id from operator_alerts`;
    expect(rows).toHaveLength(1);
  });

  it('of many problems at once is one notice @F32', async () => {
    const problems = [1, 2, 3, 4, 5].map((n) => ({ ...PROBLEM, cause: `tool:t${n}`, title: `High: T${n}` }));
    await updateAlerts(harness.runtime, problems);
    expect((await deliver()).sent).toBe(2);
    expect(emails[0]?.subject).toBe(
      '[Tool Gateway] Alert: 5 problems: High: T1; High: T2; High: T3 and 2 more',
    );
    await end();
    expect((await deliver()).sent).toBe(2);
    expect(emails[1]?.subject).toContain('Resolved: 5 problems: ');
  });

  it('that is delayed is followed by its recovery notice, not preceded', async () => {
    status = 500;
    await updateAlerts(harness.runtime, [PROBLEM]);
    expect(await deliver()).toEqual({ sent: 1, failed: 1 });
    await end();
    status = 200;
    expect(await deliver()).toEqual({ sent: 1, failed: 0 });
    expect(posts).toEqual([]);
    await harness.runtime.sql`update alert_messages set due_at = now()`;
    expect(await deliver()).toEqual({ sent: 2, failed: 0 });
    expect(posts.map(({ text }) => text.includes('Resolved: '))).toEqual([false, true]);
  });

  it('is sent again after a failure, and the secret URL of the webhook is in no error @F32', async () => {
    status = 500;
    await updateAlerts(harness.runtime, [PROBLEM]);
    expect(await deliver()).toEqual({ sent: 1, failed: 1 });
    const [row] = await harness.runtime.sql`select error from alert_messages where channel = 'webhook'`;
    expect(row?.error).toBe('Error: The webhook answered 500.');
    expect(harness.log.join('')).not.toContain('secret-of-the-hook');
    status = 200;
    expect((await deliver()).sent).toBe(0);
    await harness.runtime.sql`update alert_messages set due_at = now()`;
    expect(await deliver()).toEqual({ sent: 1, failed: 0 });
    expect(posts).toHaveLength(1);
  });
});

describe('a problem', () => {
  const HOUR_MS = 3_600_000;
  /** Without the disk of the machine that runs the tests. */
  const causes = async (upMs = HOUR_MS) =>
    (await findProblems(harness.runtime, upMs)).map(({ cause }) => cause).filter((cause) => cause !== 'disk');

  it('is a background job that keeps failing, or that no process runs any more', async () => {
    const { sql } = harness.runtime;
    const job = { name: 'sweep', everySeconds: 3_600 };
    const failing = recordRun(harness.runtime, job, () =>
      Promise.reject(new Error('no disk for sk_live_abc123')),
    );
    await expect(failing).rejects.toThrow('no disk');
    expect(await causes()).toEqual(['job:sweep']);
    const [row] = await sql`select error, ok, failing_at from background_jobs where name = 'sweep'`;
    expect(row).toMatchObject({
      ok: false,
      error: 'Error: no disk for [redacted]',
      failing_at: expect.anything(),
    });
    await recordRun(harness.runtime, job, async () => null);
    expect(await causes()).toEqual([]);
    await sql`update background_jobs set next_at = now() - interval '2 hours' where name = 'sweep'`;
    expect(await causes()).toEqual(['job-late:sweep']);
    await sql`delete from background_jobs`;
  });

  it('is no job that a setting turned off, that a release removed, or that is late because the gateway was stopped', async () => {
    const { sql } = harness.runtime;
    await sql`
      insert into background_jobs (name, every_seconds, next_at) values
        ('reconcile', 3600, now() - interval '3 days'), ('job_of_old', 3600, now() - interval '3 days'),
        ('mails', 10, now() - interval '1 hour')`;
    expect(await causes()).toEqual(['job-late:mails']);
    expect(await causes(60_000)).toEqual([]);
    await sql`delete from background_jobs`;
  });

  it('is a tool that fails most calls, a failed webhook of payments, and a reconcile with differences', async () => {
    const { sql } = harness.runtime;
    const { accountId, keyId } = await harness.person();
    await sql`
      insert into usage_rollups (account_id, hour, key_id, tool, calls, failed, byok_calls, raw_cost_microusd,
        markup_microusd, latency_ms_sum)
      values (${accountId}, date_trunc('hour', now(), 'UTC'), ${keyId}, 'text', 10, 6, 0, 0, 0, 0)`;
    await sql`
      insert into payment_events (id, type, error, received_at)
      values ('evt_1', 'payment_intent.succeeded', 'no answer', now() - interval '2 days')`;
    await sql`
      insert into reconcile_runs (id, created_by, asked_provider, status, difference_count, finished_at)
      values ('recon_1', 'cli', false, 'differences', 3, now())`;
    // One that runs has no result yet.
    await sql`
      insert into reconcile_runs (id, created_by, asked_provider, status) values ('recon_2', 'cli', false, 'running')`;
    expect((await causes()).sort()).toEqual(['payment-events', 'reconcile', 'tool:text']);
  });
});
