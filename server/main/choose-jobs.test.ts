import { expect, it } from 'vitest';
import { chooseJobs } from './choose-jobs';

const choose = (role: 'web' | 'worker', smtpUrl: string | null) =>
  chooseJobs(role, { smtpUrl }).map(({ name }) => name);

it('a worker samples no status, which would hide that no web process responds, and emails only by SMTP', () => {
  const web = choose('web', null);
  expect(web).toEqual(expect.arrayContaining(['status', 'alerts', 'mails', 'reconcile']));
  expect(choose('worker', 'smtp://mail.test')).toEqual(web.filter((name) => name !== 'status'));
  expect(choose('worker', null)).toEqual(web.filter((name) => !['status', 'alerts', 'mails'].includes(name)));
});
