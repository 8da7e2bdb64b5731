import { describe, expect, it } from 'vitest';
import { createFilesForTests, startProviderStubForTests } from '@/test/support/skill-fixtures';
import { findSkill, runSkill } from '../sdk/skill-harness';
import { tool } from '.';

const stub = await startProviderStubForTests();
const files = await createFilesForTests();

const mail = { from: 'Shop <shop@example.com>', to: ['ada@example.com'], subject: 'Hi', text: 'Hello' };
const send = (change: object) =>
  runSkill(tool, 'send', { ...mail, ...change }, { files, provider: stub.client('resend') });
const sent = () => JSON.parse(stub.received.at(-1)?.body.toString() ?? '{}');
const problems = (change: object) =>
  findSkill(tool, 'send')
    .input.safeParse({ ...mail, ...change })
    .error?.issues.map(({ path }) => path[0]);

describe('send', () => {
  it('sends an email, priced by recipient', async () => {
    const { output, usage } = await send({
      cc: ['b@example.com'],
      bcc: ['c@example.com'],
      reply_to: 'd@example.com',
    });
    expect(output).toEqual({ id: expect.any(String), recipients: 3 });
    expect(sent()).toEqual({
      ...mail,
      cc: ['b@example.com'],
      bcc: ['c@example.com'],
      reply_to: ['d@example.com'],
    });
    const { input, price } = findSkill(tool, 'send');
    expect(price.settle(input.parse(mail), usage).providerCost).toBe(900n);
    expect(price.quote(input.parse({ ...mail, cc: ['b@example.com'] })).providerCost).toBe(1_800n);
  });

  it('attaches files, byte for byte', async () => {
    const odd = await files.add(
      'odd "name"\r\n.bin',
      Buffer.from(Array.from({ length: 100_003 }, (_, at) => at % 251)),
    );
    await send({ attachments: ['asset_sample_report', odd] });
    const [report, other] = sent().attachments;
    expect(report).toMatchObject({ filename: 'report.pdf', content_type: 'application/pdf' });
    expect(Buffer.from(report.content, 'base64')).toEqual(await files.readBytes('asset_sample_report'));
    expect(Buffer.from(other.content, 'base64')).toEqual(await files.readBytes(odd));
    expect(other.filename).toBe('odd _name_.bin');
  });

  it('refuses more than 10 MiB of attachments, and sends nothing', async () => {
    const before = stub.received.length;
    const large = await files.add('a.bin', Buffer.alloc(6 * 1024 * 1024));
    const other = await files.add('b.bin', Buffer.alloc(6 * 1024 * 1024));
    await expect(send({ attachments: [large, other] })).rejects.toThrow(/exceeds 10 MiB/);
    await expect(send({ attachments: [large, large] })).rejects.toThrow(/twice/);
    expect(stub.received.length).toBe(before);
  });

  it('uses a new idempotency key, or the given one', async () => {
    const keys = [];
    for (const change of [{}, {}, { idempotency_key: 'order-118' }]) {
      await send(change);
      keys.push(stub.received.at(-1)?.headers['idempotency-key']);
    }
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('order-118');
  });

  it.each([
    [{ subject: 'Hi\r\nBcc: x@example.com' }, 'subject'],
    [{ subject: 'Hi\u2028Bcc: x@example.com' }, 'subject'],
    [{ from: 'Shop\nBcc: x <shop@example.com>' }, 'from'],
    [{ from: 'a@example.com, b@example.com' }, 'from'],
    [{ from: 'Shop <shop@example.com' }, 'from'],
    [{ from: 'shop@example.com>' }, 'from'],
    [{ from: '"Shop" <shop@example.com>' }, 'from'],
    [{ to: ['ada@example.com\r\nX: y'] }, 'to'],
    [{ to: ['ada'] }, 'to'],
    [{ to: [] }, 'to'],
    [{ to: Array.from({ length: 51 }, (_, at) => `a${at}@example.com`) }, 'to'],
    [{ bcc: Array.from({ length: 50 }, (_, at) => `a${at}@example.com`) }, 'to'],
    [{ reply_to: 'a@example.com\0' }, 'reply_to'],
    [{ text: ' ', html: undefined }, 'text'],
    [{ idempotency_key: 'a\r\nb' }, 'idempotency_key'],
  ])('refuses %j', (change, field) => {
    expect(problems(change)).toContain(field);
  });

  it('is annotated as destructive and not idempotent', () => {
    expect(findSkill(tool, 'send').annotations).toMatchObject({
      readOnly: false,
      idempotent: false,
      destructive: true,
    });
  });
});
