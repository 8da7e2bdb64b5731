import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { chooseDefault } from './choose-default';
import { listAccountRequirements } from './list-account-requirements';
import { saveCredential } from './save-credential';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const secret = () => `sk-test-secret-${randomBytes(16).toString('hex')}`;
const findDefaultLabel = (slot: { entries: { label: string; is_default: boolean }[] }) =>
  slot.entries.filter((entry) => entry.is_default).map((entry) => entry.label);

it('calls use the new default value, and no response contains a value', async () => {
  const actor = createSessionActor(await harness.person());
  const { runtime } = harness;
  const secrets = [secret(), secret()];
  const answers: Parameters<typeof findDefaultLabel>[0][] = [];
  for (const [index, value] of secrets.entries())
    answers.push(
      await saveCredential(
        { runtime, actor },
        { name: 'openai', value, label: index === 0 ? 'home' : 'work' },
      ),
    );
  expect(answers.slice(1).map(findDefaultLabel)).toEqual([['home']]);
  const chosen = await chooseDefault(runtime, actor, { name: 'openai', label: 'work' });
  expect(findDefaultLabel(chosen)).toEqual(['work']);
  // Repeating it changes nothing.
  expect(await chooseDefault(runtime, actor, { name: 'openai', label: 'work' })).toEqual(chosen);
  const audits = await runtime.sql`select 1 from audit_events where action = 'credential.default'`;
  expect(audits).toHaveLength(1);
  const listed = await listAccountRequirements(runtime, actor);
  const output = JSON.stringify([answers, chosen, listed]) + harness.log.join('');
  for (const value of secrets) expect(output).not.toContain(value);
});

it('an unknown label, or one of another account, is not found', async () => {
  const { runtime } = harness;
  const owner = createSessionActor(await harness.person());
  const other = createSessionActor(await harness.person());
  await saveCredential({ runtime, actor: owner }, { name: 'openai', value: secret(), label: 'mine' });
  for (const asked of [
    { name: 'openai', label: 'mine' },
    { name: 'nothing', label: 'mine' },
    { name: '__proto__', label: 'mine' },
  ])
    await expect(chooseDefault(runtime, other, asked)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(chooseDefault(runtime, owner, { name: 'openai', label: 'x' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});
