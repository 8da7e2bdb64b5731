/** Why an attempt to pay failed. */
export interface Decline {
  code: string;
  declineCode: string;
  message: string;
}

type Reaction = 'pay' | 'authenticate' | Decline;

export interface TestCard {
  number: string;
  brand: 'visa' | 'mastercard' | 'amex';
  /** Its ids in the API, as in Stripe's test mode. */
  ids: readonly string[];
  /** Its behavior, as shown on the hosted pages. */
  hint: string;
  onSession: Reaction;
  /** Also for a charge of a shared payment token. */
  offSession: Reaction;
  /** Once an authenticated payment has saved it, off-session charges succeed. */
  authenticatesOnce?: true;
  /**
   * `cut`: its first off-session charge succeeds, then the connection drops. `slow`: each response
   * takes two seconds.
   */
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
    hint: 'Succeeds',
    onSession: 'pay',
    offSession: 'pay',
  },
  {
    number: '5555555555554444',
    brand: 'mastercard',
    ids: ['pm_card_mastercard'],
    hint: 'Succeeds',
    onSession: 'pay',
    offSession: 'pay',
  },
  {
    number: '4000000000000002',
    brand: 'visa',
    ids: ['pm_card_chargeDeclined', 'pm_card_visa_chargeDeclined'],
    hint: 'Declined',
    onSession: GENERIC,
    offSession: GENERIC,
  },
  {
    number: '4000000000009995',
    brand: 'visa',
    ids: ['pm_card_visa_chargeDeclinedInsufficientFunds', 'pm_card_chargeDeclinedInsufficientFunds'],
    hint: 'Declined: insufficient funds',
    onSession: INSUFFICIENT,
    offSession: INSUFFICIENT,
  },
  {
    number: '4000000000000069',
    brand: 'visa',
    ids: ['pm_card_chargeDeclinedExpiredCard', 'pm_card_visa_chargeDeclinedExpiredCard'],
    hint: 'Declined: expired card',
    onSession: EXPIRED,
    offSession: EXPIRED,
  },
  {
    number: '4000002500003155',
    brand: 'visa',
    ids: ['pm_card_authenticationRequiredOnSetup'],
    hint: 'Authentication on setup; once saved, off-session charges succeed',
    onSession: 'authenticate',
    offSession: 'authenticate',
    authenticatesOnce: true,
  },
  {
    number: '4000000000003220',
    brand: 'visa',
    ids: ['pm_card_threeDSecure2Required'],
    hint: 'Authentication for each payment',
    onSession: 'authenticate',
    offSession: 'authenticate',
  },
  {
    number: '4000002760003184',
    brand: 'visa',
    ids: ['pm_card_authenticationRequired'],
    hint: 'Authentication for each payment',
    onSession: 'authenticate',
    offSession: 'authenticate',
  },
  {
    number: '4000000000000341',
    brand: 'visa',
    ids: ['pm_card_chargeCustomerFail'],
    hint: 'Succeeds; off-session charges are declined',
    onSession: 'pay',
    offSession: GENERIC,
  },
  {
    number: '4000000000007777',
    brand: 'visa',
    ids: ['pm_card_cutAfterCharge'],
    hint: 'Succeeds; the first off-session charge drops the connection',
    onSession: 'pay',
    offSession: 'pay',
    fault: 'cut',
  },
  {
    number: '4000000000008888',
    brand: 'visa',
    ids: ['pm_card_slow'],
    hint: 'Succeeds after two seconds',
    onSession: 'pay',
    offSession: 'pay',
    fault: 'slow',
  },
];

/** Ignores spaces and dashes. */
export function findTestCard(number: string): TestCard | null {
  const digits = number.replace(/[\s-]/g, '');
  return TEST_CARDS.find((card) => card.number === digits) ?? null;
}

/** @param id e.g. `pm_card_visa` */
export function findCardById(id: string): TestCard | null {
  return TEST_CARDS.find((card) => card.ids.includes(id)) ?? null;
}

/** `4242 4242 4242 4242` */
export function formatCardNumber(number: string): string {
  return number.replace(/(.{4})(?=.)/g, '$1 ');
}
