import { formatUsd, MICROUSD_PER_CENT, type Microusd } from '../../kit/money';
import { type LinkMail, oneLine } from './link-mail';
import type { MailFacts, MailKind } from './store';

/** What the provider's codes mean to whoever holds the card. Others are said as they are. */
const DECLINES: Partial<Record<string, string>> = {
  insufficient_funds: 'there is not enough money on it',
  expired_card: 'it has expired',
  authentication_required: 'the bank wants you to confirm the payment yourself',
  lost_card: 'it was reported as lost or stolen',
  stolen_card: 'it was reported as lost or stolen',
  card_declined: 'the bank gave no reason',
  generic_decline: 'the bank gave no reason',
  do_not_honor: 'the bank gave no reason',
  payment_failed: 'the payment did not go through',
  payment_not_completed: 'the payment was never completed',
};

type Told = Required<Pick<LinkMail, 'subject' | 'heading' | 'body' | 'button'>>;

/** What a mail says of its facts, to whomever. */
export function mailText(kind: MailKind, found: MailFacts, baseUrl: string): Omit<LinkMail, 'to'> {
  const facts = { ...found, name: oneLine(found.name) };
  const told = TEXTS[kind](facts);
  const url = new URL('/dashboard/billing', baseUrl);
  if (facts.slug !== null) url.searchParams.set('billing', facts.slug);
  return {
    ...told,
    subject: `${told.subject}: ${facts.name}`,
    url: url.href,
    note: `You get this mail because you manage the account ${facts.name} on ${url.host}.`,
  };
}

const TEXTS = {
  low_balance: lowBalance,
  reload_declined: reloadDeclined,
  reload_stopped: reloadStopped,
  reload_capped: reloadCapped,
  dispute_opened: disputeOpened,
} satisfies Record<MailKind, (facts: MailFacts) => Told>;

function lowBalance(facts: MailFacts): Told {
  const reload = facts.auto_reload_enabled
    ? 'Auto-reload is on, but there is no saved card to charge: buy credit once, keep the card for auto-reload, and it works again.'
    : 'Add credit, or turn on auto-reload, which buys credit with a saved card whenever it runs low.';
  return {
    subject: 'Credit is running low',
    heading: 'Your credit is running low',
    body: [
      `${facts.name} has ${left(facts)} of credit left. A call that could cost more than that is refused until credit comes in.`,
      reload,
    ],
    button: 'Add credit',
  };
}

function reloadDeclined(facts: MailFacts): Told {
  return {
    subject: 'The card was declined',
    heading: 'Auto-reload could not charge the card',
    body: [
      `${attempted(facts)} Nothing was charged, and ${left(facts)} of credit is left.`,
      `The card is tried again ${retry(facts)} while the credit is under ${formatUsd(facts.threshold)}. After three declines in a row auto-reload switches itself off.`,
      'Check the card with your bank, or replace it on the billing page.',
    ],
    button: 'Replace the card',
  };
}

function reloadStopped(facts: MailFacts): Told {
  return {
    subject: 'Auto-reload is off',
    heading: 'Auto-reload was switched off',
    body: [
      `The saved card was declined three times in a row. ${attempted(facts)} Nothing was charged, and nothing will be before you turn auto-reload on again.`,
      `${left(facts)} of credit is left. A call that could cost more than that is refused until credit comes in.`,
      'Replace the card and turn auto-reload on again, or add credit yourself.',
    ],
    button: 'Open billing',
  };
}

function reloadCapped(facts: MailFacts): Told {
  return {
    subject: 'Auto-reload is off',
    heading: 'Auto-reload was switched off',
    body: [
      `Auto-reload of ${facts.name} has reached ${capOf(facts)}. It charges nothing more until you turn it on again.`,
      `${left(facts)} of credit is left. A call that could cost more than that is refused until credit comes in.`,
      'Check which agents spend the credit, then turn auto-reload on again: its next charge waits until the limit allows it. You can also add credit yourself.',
    ],
    button: 'Open billing',
  };
}

function capOf({ cap, daily_limit: limit }: MailFacts): string {
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

function disputeOpened(facts: MailFacts): Told {
  const payment =
    facts.total_cents === null ? 'A payment' : `The payment of ${formatCents(facts.total_cents)}`;
  const card = facts.paid_with === null ? '' : ` with ${facts.paid_with}`;
  const when = facts.paid_at === null ? '' : ` on ${dayOf(facts.paid_at)}`;
  return {
    subject: 'A payment is disputed',
    heading: 'A payment is disputed',
    body: [
      `${payment}${card}${when} for ${facts.name} is disputed at the bank. The credit it bought is taken back, and calls that cost something wait until the bank has decided.`,
      'If the dispute is a mistake, ask your bank to withdraw it: the credit comes back then, and paid calls go on.',
    ],
    button: 'See the payment',
  };
}

/** What auto-reload tried, and what the bank said. */
function attempted(facts: MailFacts): string {
  const card = facts.card_last4 === null ? 'the saved card' : `${brandOf(facts)} •••• ${facts.card_last4}`;
  const sum =
    facts.total_cents === null || facts.credits === null || facts.fee === null
      ? 'the amount'
      : `${formatCents(facts.total_cents)} (${formatUsd(facts.credits)} of credit and a fee of ${formatUsd(facts.fee)})`;
  const code = facts.failure_code ?? 'card_declined';
  const why = DECLINES[code] ?? `the bank said “${code.replaceAll('_', ' ')}”`;
  return `Auto-reload tried to charge ${sum} to ${card} for ${facts.name}, and the card was declined: ${why}.`;
}

/** `on 21 November 2025 at 14:05 UTC`. */
function retry({ retry_at: at }: MailFacts): string {
  if (at === null) return 'soon';
  return `on ${dayOf(at)} at ${new Date(at * 1000).toISOString().slice(11, 16)} UTC`;
}

function dayOf(seconds: number): string {
  const day = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', day).format(seconds * 1000);
}

function brandOf({ card_brand: brand }: MailFacts): string {
  return brand ? `${brand.slice(0, 1).toUpperCase()}${brand.slice(1)}` : 'card';
}

/** What can be spent: a debt leaves nothing. */
function left({ free }: MailFacts): string {
  const spendable: Microusd = free > 0n ? free : 0n;
  return formatUsd(spendable);
}

function formatCents(cents: number): string {
  return formatUsd(BigInt(cents) * MICROUSD_PER_CENT);
}
