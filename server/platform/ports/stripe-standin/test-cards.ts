/** What an issuer answers to one attempt. */
export interface Decline {
  code: string;
  declineCode: string;
  message: string;
}

type Reaction = 'pay' | 'authenticate' | Decline;

/** A card that exists only here and on Stripe's list of test cards. */
export interface TestCard {
  number: string;
  brand: 'visa' | 'mastercard' | 'amex';
  /** Ids that stand for it in the API, as in Stripe's test mode. */
  ids: readonly string[];
  /** What it does, for whoever chooses one. */
  hint: string;
  /** To an attempt with its owner at the screen. */
  present: Reaction;
  /** To a charge without them, and to one by a shared payment token. */
  away: Reaction;
  /** One confirmed payment that saves it is enough: later charges pass. */
  remembers?: true;
  /** `cut`: its first charge without its owner is made, and the answer lost. `slow`: every answer takes two seconds. */
  fault?: 'cut' | 'slow';
}

const GENERIC: Decline = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
};
const INSUFFICIENT: Decline = {
  code: 'card_declined',
  declineCode: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
};
const EXPIRED: Decline = {
  code: 'expired_card',
  declineCode: 'expired_card',
  message: 'Your card has expired.',
};
export const AUTHENTICATION_REQUIRED: Decline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};
export const AUTHENTICATION_FAILED: Decline = {
  code: 'payment_intent_authentication_failure',
  declineCode: 'authentication_not_handled',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};
export const BANK_DEBIT_FAILED: Decline = {
  code: 'payment_intent_payment_attempt_failed',
  declineCode: 'insufficient_funds',
  message: 'The customer’s bank account has insufficient funds.',
};

export const TEST_CARDS: readonly TestCard[] = [
  {
    number: '4242424242424242',
    brand: 'visa',
    ids: ['pm_card_visa'],
    hint: 'Pays',
    present: 'pay',
    away: 'pay',
  },
  {
    number: '5555555555554444',
    brand: 'mastercard',
    ids: ['pm_card_mastercard'],
    hint: 'Pays',
    present: 'pay',
    away: 'pay',
  },
  {
    number: '4000000000000002',
    brand: 'visa',
    ids: ['pm_card_chargeDeclined', 'pm_card_visa_chargeDeclined'],
    hint: 'Is declined',
    present: GENERIC,
    away: GENERIC,
  },
  {
    number: '4000000000009995',
    brand: 'visa',
    ids: ['pm_card_visa_chargeDeclinedInsufficientFunds', 'pm_card_chargeDeclinedInsufficientFunds'],
    hint: 'Has insufficient funds',
    present: INSUFFICIENT,
    away: INSUFFICIENT,
  },
  {
    number: '4000000000000069',
    brand: 'visa',
    ids: ['pm_card_chargeDeclinedExpiredCard', 'pm_card_visa_chargeDeclinedExpiredCard'],
    hint: 'Has expired',
    present: EXPIRED,
    away: EXPIRED,
  },
  {
    number: '4000002500003155',
    brand: 'visa',
    ids: ['pm_card_authenticationRequiredOnSetup'],
    hint: 'The bank asks you once; saved, it pays without you',
    present: 'authenticate',
    away: 'authenticate',
    remembers: true,
  },
  {
    number: '4000000000003220',
    brand: 'visa',
    ids: ['pm_card_threeDSecure2Required'],
    hint: 'The bank asks you, every time',
    present: 'authenticate',
    away: 'authenticate',
  },
  {
    number: '4000002760003184',
    brand: 'visa',
    ids: ['pm_card_authenticationRequired'],
    hint: 'The bank asks you, every time',
    present: 'authenticate',
    away: 'authenticate',
  },
  {
    number: '4000000000000341',
    brand: 'visa',
    ids: ['pm_card_chargeCustomerFail'],
    hint: 'Pays now; every later charge without you is declined',
    present: 'pay',
    away: GENERIC,
  },
  {
    number: '4000000000007777',
    brand: 'visa',
    ids: ['pm_card_cutAfterCharge'],
    hint: 'Pays now; the answer to its first charge without you is lost',
    present: 'pay',
    away: 'pay',
    fault: 'cut',
  },
  {
    number: '4000000000008888',
    brand: 'visa',
    ids: ['pm_card_slow'],
    hint: 'Pays, two seconds later',
    present: 'pay',
    away: 'pay',
    fault: 'slow',
  },
];

/** By its number, spaces allowed. */
export function findTestCard(number: string): TestCard | null {
  const digits = number.replace(/[\s-]/g, '');
  return TEST_CARDS.find((card) => card.number === digits) ?? null;
}

/** By an id such as `pm_card_visa`. */
export function findMagicCard(id: string): TestCard | null {
  return TEST_CARDS.find((card) => card.ids.includes(id)) ?? null;
}

/** `4242 4242 4242 4242` */
export function spacedNumber(number: string): string {
  return number.replace(/(.{4})(?=.)/g, '$1 ');
}
