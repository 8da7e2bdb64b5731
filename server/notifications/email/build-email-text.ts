import { formatUsd, MICROUSD_PER_CENT, type Microusd } from '../../kit/money';
import { type LinkEmail, toSafeLine } from '../../platform/email/render-link-email';
import type { BootedSettings } from '../../platform/settings/settings';
import type { EmailFacts, EmailKind } from './store';

/** What the provider's decline codes mean to a card holder. Other codes are shown as they are. */
const DECLINES: Partial<Record<string, string>> = {
  insufficient_funds: 'it has insufficient funds',
  expired_card: 'it has expired',
  authentication_required: 'the bank requires you to confirm the payment yourself',
  lost_card: 'it was reported as lost or stolen',
  stolen_card: 'it was reported as lost or stolen',
  card_declined: 'the bank gave no reason',
  generic_decline: 'the bank gave no reason',
  do_not_honor: 'the bank gave no reason',
  payment_failed: 'the payment did not go through',
  payment_not_completed: 'the payment was never completed',
};

/** What the text depends on. */
type TextFacts = EmailFacts & {
  /** How many documents of its payment are attached: the receipt, and an invoice. */
  attached?: number;
};
type EmailContent = Required<Pick<LinkEmail, 'subject' | 'heading' | 'body' | 'button'>>;

/** Builds the text of an email from its facts; the recipient is added later. */
export function buildEmailText(
  kind: EmailKind,
  found: TextFacts,
  { baseUrl, brand }: Pick<BootedSettings, 'baseUrl' | 'brand'>,
): Omit<LinkEmail, 'to'> {
  const facts = { ...found, name: toSafeLine(found.name) };
  const content = TEXTS[kind](facts);
  const url = new URL(choosePage(kind, facts), baseUrl);
  if (facts.slug !== null && !OWN_PAGES.has(kind)) url.searchParams.set('billing', facts.slug);
  return {
    ...content,
    subject: `${content.subject}: ${facts.name}`,
    url: url.href,
    note: explainRecipient(kind, `${facts.name} on ${brand.name}`),
  };
}

function explainRecipient(kind: EmailKind, account: string): string {
  if (kind === 'receipt')
    return `You get this email because this address is the billing email of ${account}. Its owner or an admin can remove it.`;
  return kind === 'member_blocked'
    ? `You get this email because you are a member of the team ${account}, or manage it.`
    : `You get this email because you manage the account ${account}.`;
}

/** Of one key or team, whichever account is selected. */
const OWN_PAGES: ReadonlySet<EmailKind> = new Set(['key_blocked', 'member_blocked']);

function choosePage(kind: EmailKind, { key_id: key, slug }: EmailFacts): string {
  if (kind === 'member_blocked' && slug !== null) return `/dashboard/team/${encodeURIComponent(slug)}`;
  if (kind === 'key_blocked' && key !== null) return `/dashboard/keys/${encodeURIComponent(key)}`;
  return kind === 'webhook_disabled' ? '/dashboard/webhooks' : '/dashboard/billing';
}

const TEXTS = {
  low_balance: lowBalance,
  reload_declined: reloadDeclined,
  reload_stopped: reloadStopped,
  reload_capped: reloadCapped,
  dispute_opened: disputeOpened,
  webhook_disabled: webhookDisabled,
  limit_alert: limitAlert,
  key_blocked: keyBlocked,
  member_blocked: memberBlocked,
  receipt,
} satisfies Record<EmailKind, (facts: TextFacts) => EmailContent>;

function lowBalance(facts: EmailFacts): EmailContent {
  const reload = facts.auto_reload_enabled
    ? 'Auto-recharge is on, but there is no saved card to charge: buy credit once and save the card for auto-recharge to make it work again.'
    : 'Buy credit, or turn on auto-recharge, which buys it with a saved card whenever it runs low.';
  // One call can take all that is left.
  const out = facts.free <= 0n;
  return {
    subject: out ? 'Credit is used up' : 'Credit is running low',
    heading: out ? 'Your credit is used up' : 'Your credit is running low',
    body: [
      out
        ? `${facts.name} has no credit left. Paid calls are refused until you buy credit; free tools go on working.`
        : `${facts.name} has ${formatRemaining(facts)} of credit left. Calls that could cost more are refused until you buy credit.`,
      reload,
    ],
    button: 'Buy credit',
  };
}

function reloadDeclined(facts: EmailFacts): EmailContent {
  return {
    subject: 'The card was declined',
    heading: 'Auto-recharge could not charge the card',
    body: [
      `${describeAttempt(facts)} Nothing was charged, and ${formatRemaining(facts)} of credit remains.`,
      `Auto-recharge retries the card ${formatRetryTime(facts)} if the credit is still under ${formatUsd(facts.threshold)}. After three declines in a row it turns itself off.`,
      'Check the card with your bank, or replace it on the billing page.',
    ],
    button: 'Replace the card',
  };
}

function reloadStopped(facts: EmailFacts): EmailContent {
  return {
    subject: 'Auto-recharge is off',
    heading: 'Auto-recharge was turned off',
    body: [
      `The saved card was declined three times in a row. ${describeAttempt(facts)} Nothing was charged, and nothing will be charged until you turn auto-recharge on again.`,
      `${formatRemaining(facts)} of credit remains. Calls that could cost more are refused until you buy credit.`,
      'Replace the card and turn auto-recharge on again, or buy credit yourself.',
    ],
    button: 'Open billing',
  };
}

function reloadCapped(facts: EmailFacts): EmailContent {
  return {
    subject: 'Auto-recharge is off',
    heading: 'Auto-recharge was turned off',
    body: [
      `Auto-recharge of ${facts.name} has reached ${describeCap(facts)}. It charges nothing until you turn it on again.`,
      `${formatRemaining(facts)} of credit remains. Calls that could cost more are refused until you buy credit.`,
      'Check which agents spend the credit, then turn auto-recharge on again: its next charge waits until the limit allows it. You can also buy credit yourself.',
    ],
    button: 'Open billing',
  };
}

function describeCap({ cap, daily_limit: limit }: EmailFacts): string {
  switch (cap) {
    case 'hourly_cap':
      return 'its limit of three charges an hour';
    case 'daily_cap':
      return 'its limit of ten charges a day';
    case 'daily_limit':
      return `its limit of ${formatUsd(limit)} of credit a day`;
    case null:
      return 'one of its limits';
  }
}

function disputeOpened(facts: EmailFacts): EmailContent {
  const payment =
    facts.total_cents === null ? 'A payment' : `The payment of ${formatCents(facts.total_cents)}`;
  const card = facts.paid_with === null ? '' : ` with ${facts.paid_with}`;
  const when = facts.paid_at === null ? '' : ` on ${formatDay(facts.paid_at)}`;
  return {
    subject: 'A payment is disputed',
    heading: 'A payment is disputed',
    body: [
      `${payment}${card}${when} for ${facts.name} is disputed at the bank. The credit it bought is withdrawn, and paid calls are blocked until the bank decides.`,
      'If the dispute is a mistake, ask your bank to withdraw it: the credit is then restored and paid calls work again.',
    ],
    button: 'View payment',
  };
}

function webhookDisabled({ name, webhook_url: url, webhook_gone: gone }: EmailFacts): EmailContent {
  const host = url === null ? 'a host' : new URL(url).host;
  const why = gone
    ? 'it answered 410 Gone, by which it asks for no more events'
    : 'every attempt of the last five days failed';
  return {
    subject: 'A webhook endpoint is disabled',
    heading: 'A webhook endpoint is disabled',
    body: [
      `The endpoint of ${name} on ${host} was disabled: ${why}. Nothing more is sent to it.`,
      'When it works again, enable it on the webhooks page and replay the failed deliveries.',
    ],
    button: 'Open webhooks',
  };
}

function limitAlert(facts: EmailFacts): EmailContent {
  const { alert_percent: percent, name, budget_limit: limit, month_spent: spent } = facts;
  const used = `${name} has spent ${formatUsd(spent)} of its monthly limit of ${formatUsd(limit ?? 0n)}.`;
  const after = `New paid calls that would exceed it are refused with SPENDING_LIMIT_EXCEEDED until ${formatNextMonth()}, 00:00 UTC. Free tools go on working.`;
  const body = percent === 100 ? [used, after] : [used, `When it is used up: ${lowerFirst(after)}`];
  return {
    subject: percent === 100 ? 'The monthly limit is used up' : `${percent}% of the monthly limit is used`,
    heading: percent === 100 ? 'The monthly limit is used up' : `${percent}% of the monthly limit is used`,
    body: [...body, 'You can change the limit, or turn these emails off, on the billing page.'],
    button: 'Open billing',
  };
}

const KEY_LIMITS = {
  day: { limit: 'daily spending limit', until: 'until the next day (UTC) begins' },
  week: { limit: 'weekly spending limit', until: 'until Monday, 00:00 UTC' },
  month: { limit: 'monthly spending limit', until: 'until the next month (UTC) begins' },
  total: { limit: 'credit limit', until: 'until you raise it' },
} as const;

function keyBlocked(facts: EmailFacts): EmailContent {
  const { key_period: period, key_limit: max, key_spent: spent } = facts;
  const { limit, until } = KEY_LIMITS[period ?? 'total'];
  const key = `key “${toSafeLine(facts.key_name ?? '')}”`;
  // A call can be refused that costs more than what is left.
  const left = (max ?? 0n) - (spent ?? 0n);
  const subject =
    left > 0n ? `A call exceeds the ${limit} of the ${key}` : `The ${key} has reached its ${limit}`;
  const refused = left > 0n ? `Calls that could cost more than ${formatUsd(left)}` : 'Paid calls';
  return {
    subject,
    heading: subject,
    body: [
      `The ${key} of ${facts.name} has used ${formatUsd(spent ?? 0n)} of its ${limit} of ${formatUsd(max ?? 0n)}, and a call that could exceed it was refused.`,
      `${refused} are refused ${until}. Free tools go on working. Credit of the account does not raise the limit.`,
      'You can raise the limit on the page of the key, or turn these emails off on the billing page.',
    ],
    button: 'Open the key',
  };
}

function memberBlocked(facts: EmailFacts): EmailContent {
  const { name, member_email: email, member_limit: limit, member_spent: spent } = facts;
  const member = toSafeLine(email ?? 'A member');
  return {
    subject: 'A member has reached their monthly limit',
    heading: 'A member has reached their monthly limit',
    body: [
      `${member} has used ${formatUsd(spent ?? 0n)} of the monthly limit of ${formatUsd(limit ?? 0n)} for their calls on ${name}, and a call that could exceed it was refused.`,
      `Such calls are refused with SPENDING_LIMIT_EXCEEDED until ${formatNextMonth()}, 00:00 UTC. Free tools go on working, as do keys of the team and calls on other accounts.`,
      'An owner or admin can change the limit on the page of the team, or turn these emails off on the billing page.',
    ],
    button: 'Open the team',
  };
}

function receipt(facts: TextFacts): EmailContent {
  const { name, total_cents: total, credits, fee, paid_with: card, paid_at: paidAt, attached = 0 } = facts;
  const when = paidAt === null ? '' : ` on ${formatDay(paidAt)}`;
  return {
    subject: 'Receipt for credit',
    heading: 'Receipt for credit',
    body: [
      `${name} paid ${formatCents(total ?? 0)}${card === null ? '' : ` with ${toSafeLine(card)}`}${when}.`,
      `Credit: ${formatUsd(credits ?? 0n)}. Fee: ${formatUsd(fee ?? 0n)}.`,
      ...(attached > 0 ? [`The receipt${attached > 1 ? ' and the invoice are' : ' is'} attached.`] : []),
    ],
    button: 'View billing',
  };
}

function lowerFirst(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

function formatNextMonth(): string {
  const now = new Date();
  return formatDay(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) / 1000);
}

/** What auto-recharge tried to charge, and why the card was declined. */
function describeAttempt(facts: EmailFacts): string {
  const card =
    facts.card_last4 === null ? 'the saved card' : `${formatBrand(facts)} •••• ${facts.card_last4}`;
  const sum =
    facts.total_cents === null || facts.credits === null || facts.fee === null
      ? 'the amount'
      : `${formatCents(facts.total_cents)} (${formatUsd(facts.credits)} of credit and a fee of ${formatUsd(facts.fee)})`;
  const code = facts.failure_code ?? 'card_declined';
  const why = DECLINES[code] ?? `the bank said “${code.replaceAll('_', ' ')}”`;
  return `Auto-recharge tried to charge ${sum} to ${card} for ${facts.name}, and the card was declined: ${why}.`;
}

/** `on 21 Nov 2025 at 14:05 UTC`. */
function formatRetryTime({ retry_at: at }: EmailFacts): string {
  if (at === null) return 'soon';
  return `on ${formatDay(at)} at ${new Date(at * 1000).toISOString().slice(11, 16)} UTC`;
}

/** `21 Nov 2025`, as on pages. */
function formatDay(seconds: number): string {
  const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', day).format(seconds * 1000);
}

function formatBrand({ card_brand: brand }: EmailFacts): string {
  return brand ? `${brand.slice(0, 1).toUpperCase()}${brand.slice(1)}` : 'card';
}

/** The spendable credit: zero while there is debt. */
function formatRemaining({ free }: EmailFacts): string {
  const spendable: Microusd = free > 0n ? free : 0n;
  return formatUsd(spendable);
}

function formatCents(cents: number): string {
  return formatUsd(BigInt(cents) * MICROUSD_PER_CENT);
}
