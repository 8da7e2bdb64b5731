import type { Params } from '../api/form';
import type { Payer } from '../resources/payment-methods';
import { findTestCard, formatCardNumber, TEST_CARDS, type TestCard } from '../resources/test-cards';
import { type Html, html } from './html';

/** The values of the card fields, as typed. */
export interface CardInput {
  number: string;
  expiry: string;
  cvc: string;
  name: string;
}

const FIRST_CARD = TEST_CARDS[0]?.number ?? '';

/** Values for a test card; by default the first one, which succeeds. */
export function prefillCard(number: string | null): CardInput {
  const card = findTestCard(number ?? '');
  return {
    number: formatCardNumber(card?.number ?? FIRST_CARD),
    expiry: '12/34',
    cvc: '123',
    name: 'Test Customer',
  };
}

export function renderCardFields({ number, expiry, cvc, name }: CardInput): Html {
  return html`<div class="field"><label for="number">Card number</label>
<input id="number" name="number" value="${number}" inputmode="numeric" autocomplete="off" spellcheck="false" aria-describedby="test-only"></div>
<div class="pair">
<div class="field"><label for="expiry">Expiry</label><input id="expiry" name="expiry" value="${expiry}" autocomplete="off"></div>
<div class="field"><label for="cvc">CVC</label><input id="cvc" name="cvc" value="${cvc}" inputmode="numeric" autocomplete="off"></div>
</div>
<div class="field"><label for="name">Name on card</label><input id="name" name="name" value="${name}" autocomplete="off"></div>
<p class="small muted" id="test-only">Only test cards are accepted. Do not enter a real card.</p>`;
}

/** The list of test cards; each is a link to the page with this card filled in. */
export function renderTestCards(page: string): Html {
  return html`<section aria-labelledby="tests"><h2 id="tests">Test cards</h2>
<ul class="tests">${TEST_CARDS.map(
    ({ number, hint }) =>
      html`<li><a href="${page}?card=${number}"><span class="mono">${formatCardNumber(number)}</span> <span>${hint}</span></a></li>`,
  )}</ul></section>`;
}

/** Reads and validates the card fields. `problem` is a message for the page. */
export function readCard(
  params: Params,
  year: number,
): { card: TestCard; payer: Payer } | { problem: string } {
  const card = findTestCard(params.text('number') ?? '');
  if (!card) return { problem: 'This card number is not a test card. Choose one of the list.' };
  const expiry = /^\s*(\d{1,2})\s*\/\s*(?:20)?(\d{2})\s*$/.exec(params.text('expiry') ?? '');
  const expMonth = Number(expiry?.[1]);
  const expYear = 2000 + Number(expiry?.[2]);
  if (!expiry || expMonth < 1 || expMonth > 12)
    return { problem: 'Enter the expiry as month and year, e.g. 12/34.' };
  if (expYear < year) return { problem: 'Your card’s expiry date is in the past.' };
  if (!/^\d{3,4}$/.test(params.text('cvc') ?? '')) return { problem: 'Enter a CVC of three or four digits.' };
  return {
    card,
    payer: { email: params.text('email') ?? null, name: params.text('name') ?? null, expMonth, expYear },
  };
}

/** The submitted values, to render the form again. */
export function readTypedCard(params: Params): CardInput {
  return {
    number: params.text('number') ?? '',
    expiry: params.text('expiry') ?? '',
    cvc: params.text('cvc') ?? '',
    name: params.text('name') ?? '',
  };
}
