import type { Preferences } from '@/server/money/billing/schema';

type SavedCard = NonNullable<Preferences['saved_card']>;

const BRANDS: Partial<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** `Visa •••• 4242`. */
export function cardName(card: SavedCard): string {
  return `${BRANDS[card.brand.toLowerCase()] ?? card.brand} •••• ${card.last4}`;
}

/** `04/2030`. */
export function cardExpiry(card: SavedCard): string {
  return `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`;
}

/** Whether the card has expired. A card is valid until the end of its expiry month. */
export function isExpired(card: SavedCard, now: Date): boolean {
  return now.getTime() >= Date.UTC(card.exp_year, card.exp_month, 1);
}
