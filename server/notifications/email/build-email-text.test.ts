import { describe, expect, it } from 'vitest';
import { renderLinkEmail } from '../../platform/email/render-link-email';
import { buildEmailText } from './build-email-text';
import { getRetryDelaySeconds, isStillRelevant } from './email-retries';
import type { EmailFacts, EmailKind } from './store';

const facts: EmailFacts = {
  name: 'Ada & Sons',
  slug: null,
  closed: false,
  free: 850_000n,
  auto_reload_enabled: false,
  has_card: true,
  threshold: 5_000_000n,
  retry_at: Date.UTC(2026, 1, 3, 14, 5) / 1000,
  cap: 'hourly_cap',
  daily_limit: 500_000_000n,
  total_cents: 2110,
  credits: 20_000_000n,
  fee: 1_100_000n,
  failure_code: 'insufficient_funds',
  card_brand: 'visa',
  card_last4: '0341',
  paid_with: 'Visa •••• 4242',
  paid_at: Date.UTC(2026, 0, 31) / 1000,
  webhook_url: 'https://hooks.example.com/in?token=abc',
  webhook_gone: false,
  budget_limit: 20_000_000n,
  month_spent: 16_500_000n,
  alert_percent: 80,
  key_id: 'key_1',
  key_name: 'night shift',
  key_period: 'day',
  key_limit: 500_000n,
  key_spent: 480_000n,
  member_email: 'bob@example.test',
  member_limit: 300_000n,
  member_spent: 200_000n,
};
const brand = { name: 'Acme & Tools', color: '#1f51d6', logo: null };
const write = (kind: EmailKind, change: Partial<EmailFacts> = {}) =>
  renderLinkEmail(
    {
      to: 'ada@example.test',
      ...buildEmailText(kind, { ...facts, ...change }, { baseUrl: 'https://tools.example.com', brand }),
    },
    brand,
  );

describe('an email says what happened, to which account, how much, and what to do', () => {
  it('a disabled webhook endpoint, without the path of its URL', () => {
    const { subject, text } = write('webhook_disabled');
    expect(subject).toBe('A webhook endpoint is disabled: Ada & Sons');
    expect(text).toContain('on hooks.example.com was disabled: every attempt of the last five days failed');
    expect(text).not.toContain('token');
    expect(text).toContain('\nhttps://tools.example.com/dashboard/webhooks\n');
    expect(write('webhook_disabled', { webhook_gone: true }).text).toContain('410 Gone');
  });

  it('a limit of a key that refuses calls, with the page that changes it', () => {
    const { subject, text } = write('key_blocked');
    expect(subject).toBe('A call exceeds the daily spending limit of the key “night shift”: Ada & Sons');
    expect(text).toContain('The key “night shift” of Ada & Sons has used $0.48 of its daily spending limit');
    expect(text).toContain(
      'Calls that could cost more than $0.02 are refused until the next day (UTC) begins',
    );
    expect(text).toContain('\nhttps://tools.example.com/dashboard/keys/key_1\n');
    const total = write('key_blocked', { key_period: 'total', slug: 'acme' });
    expect(total.subject).toBe('A call exceeds the credit limit of the key “night shift”: Ada & Sons');
    expect(total.text).toContain('until you raise it');
    const used = write('key_blocked', { key_spent: facts.key_limit });
    expect(used.subject).toBe('The key “night shift” has reached its daily spending limit: Ada & Sons');
    expect(used.text).toContain('Paid calls are refused until the next day');
    expect(total.text).not.toContain('billing=acme');
  });

  it('a limit of a member that refuses calls, to the member too, with the page of the team', () => {
    const { subject, text } = write('member_blocked', { slug: 'acme' });
    expect(subject).toBe('A member has reached their monthly limit: Ada & Sons');
    expect(text).toContain('bob@example.test has used $0.20 of the monthly limit of $0.30');
    expect(text).toMatch(/until 1 \w+ \d{4}, 00:00 UTC/);
    expect(text).toContain('\nhttps://tools.example.com/dashboard/team/acme\n');
    expect(text).toContain('because you are a member of the team');
  });

  it('credit that one call has used up', () => {
    for (const free of [0n, -5n]) {
      const { subject, text } = write('low_balance', { free });
      expect(subject).toBe('Credit is used up: Ada & Sons');
      expect(text).toContain('Ada & Sons has no credit left.');
      expect(text).not.toContain('running low');
    }
  });

  it('a receipt, with what is attached', () => {
    const { text } = write('receipt');
    expect(text).toContain('Ada & Sons paid $21.10 with Visa •••• 4242 on 31 Jan 2026.');
    expect(text).not.toContain('attached');
  });

  it('low credit', () => {
    const { subject, text } = write('low_balance');
    expect(subject).toBe('Credit is running low: Ada & Sons');
    expect(text).toMatch(/Ada & Sons has \$0\.85 of credit left/);
    expect(text).toMatch(/turn on auto-recharge/);
    expect(text).toContain('\nhttps://tools.example.com/dashboard/billing\n');
    expect(write('low_balance', { auto_reload_enabled: true, has_card: false }).text).toMatch(
      /no saved card/,
    );
  });

  it('a declined card', () => {
    const { subject, text } = write('reload_declined');
    expect(subject).toBe('The card was declined: Ada & Sons');
    expect(text).toContain('$21.10 ($20.00 of credit and a fee of $1.10) to Visa •••• 0341 for Ada & Sons');
    expect(text).toContain('it has insufficient funds');
    expect(text).toContain('retries the card on 3 Feb 2026 at 14:05 UTC if the credit is still under $5.00');
    const unknown = { failure_code: 'new_reason', card_last4: null, card_brand: null, retry_at: null };
    const other = write('reload_declined', unknown).text;
    expect(other).toContain('to the saved card');
    expect(other).toContain('the bank said “new reason”');
    expect(other).toContain('retries the card soon');
  });

  it('auto-recharge was turned off', () => {
    const { subject, text } = write('reload_stopped');
    expect(subject).toBe('Auto-recharge is off: Ada & Sons');
    expect(text).toMatch(/declined three times in a row/);
    expect(text).toMatch(/turn auto-recharge on again/);
  });

  it('auto-recharge has reached a cap', () => {
    const { subject, text } = write('reload_capped');
    expect(subject).toBe('Auto-recharge is off: Ada & Sons');
    expect(text).toContain('has reached its limit of three charges an hour');
    expect(write('reload_capped', { cap: 'daily_cap' }).text).toContain('ten charges a day');
    expect(write('reload_capped', { cap: 'daily_limit' }).text).toContain('$500.00 of credit a day');
    expect(write('reload_capped', { cap: null }).text).toContain('one of its limits');
  });

  it('a dispute', () => {
    const { subject, text } = write('dispute_opened');
    expect(subject).toBe('A payment is disputed: Ada & Sons');
    expect(text).toContain('The payment of $21.10 with Visa •••• 4242 on 31 Jan 2026 for Ada & Sons');
    const bare = write('dispute_opened', { total_cents: null, paid_with: null, paid_at: null });
    expect(bare.text).toContain('A payment for Ada & Sons is disputed');
  });

  it('links to the billing page of the account, of a team by its slug', () => {
    expect(write('low_balance', { slug: 'ada-sons' }).text).toContain('/dashboard/billing?billing=ada-sons');
  });

  it('in HTML and in text alike, under the brand of the gateway', () => {
    const { html, text } = write('reload_declined');
    const shown = html
      .replace(/<style>.*?<\/style>/s, '')
      .replace(/<[^>]+>/g, '')
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    for (const line of text.split(/\n+/)) expect(shown).toContain(line.replace(/:$/, ''));
    expect(html).toContain('<img src="cid:brand-logo"');
    expect(text).toContain('Acme & Tools');
  });

  it.each([
    ['#1f51d6', '#ffffff'],
    ['#ffe100', '#000000'],
  ])('with a readable button on %s', (color, textColor) => {
    const email = { to: 'a@b.c', subject: '', heading: '', button: 'Go', url: 'https://x.example', note: '' };
    const { html } = renderLinkEmail(email, { name: 'Acme', color });
    expect(html).toContain(
      `background:${color};border-radius:8px"><a href="https://x.example" style="display:inline-block;padding:11px 22px;color:${textColor};`,
    );
  });

  it('never treats a name as HTML, a line break or a link @F35', () => {
    const { subject, html } = write('reload_declined', { name: '<b onclick="x">\r\nBcc: http://evil.test' });
    expect(subject).toBe('The card was declined: <b onclick="x"> Bcc: http evil. test');
    expect(html).not.toContain('<b onclick');
    expect(html).toContain('&#60;b onclick=&#34;x&#34;&#62;');
    for (const kind of [
      'low_balance',
      'reload_declined',
      'reload_stopped',
      'reload_capped',
      'dispute_opened',
    ] as const)
      expect(write(kind).html).toContain('Ada &#38; Sons');
  });
});

it.each<[string, EmailKind, Partial<EmailFacts>, boolean]>([
  ['low credit is reported', 'low_balance', {}, true],
  ['but not if auto-recharge can charge a card', 'low_balance', { auto_reload_enabled: true }, false],
  [
    'it is reported if auto-recharge has no card',
    'low_balance',
    { auto_reload_enabled: true, has_card: false },
    true,
  ],
  ['but not if credit was added since', 'low_balance', { free: 1_000_000n }, false],
  [
    'a decline is reported whatever the credit',
    'reload_declined',
    { auto_reload_enabled: true, free: 9_000_000n },
    true,
  ],
  ['nothing is reported for a closed account', 'dispute_opened', { closed: true }, false],
])('%s', (_, kind, change, worth) => {
  expect(isStillRelevant(kind, { ...facts, ...change }, 1_000_000n)).toBe(worth);
});

it('an email is retried for about eight hours', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(getRetryDelaySeconds);
  expect(waits.slice(0, 3)).toEqual([60, 120, 240]);
  expect(waits.reduce((sum, seconds) => sum + seconds) / 3600).toBeCloseTo(8.5, 1);
});
