import type { Params } from '../form';
import type { Payer } from '../payment-methods';
import { findTestCard, spacedNumber, TEST_CARDS, type TestCard } from '../test-cards';
import { type Html, html } from './html';

/** What stands in the fields of a card. */
export interface CardInput {
  number: string;
  expiry: string;
  cvc: string;
  name: string;
}

const FIRST_CARD = TEST_CARDS[0]?.number ?? '';

/** The card that pays, or the test card that the address names. */
export function prefilledCard(asked: string | null): CardInput {
  const card = findTestCard(asked ?? '');
  return {
    number: spacedNumber(card?.number ?? FIRST_CARD),
    expiry: '12/34',
    cvc: '123',
    name: 'Pat Pretend',
  };
}

export function cardFields({ number, expiry, cvc, name }: CardInput): Html {
  return html`<div class="field"><label for="number">Card number</label>
<input id="number" name="number" value="${number}" inputmode="numeric" autocomplete="off" spellcheck="false" aria-describedby="never"></div>
<div class="pair">
<div class="field"><label for="expiry">Expiry</label><input id="expiry" name="expiry" value="${expiry}" autocomplete="off"></div>
<div class="field"><label for="cvc">CVC</label><input id="cvc" name="cvc" value="${cvc}" inputmode="numeric" autocomplete="off"></div>
</div>
<div class="field"><label for="name">Name on card</label><input id="name" name="name" value="${name}" autocomplete="off"></div>
<p class="small muted" id="never">Only the test cards on this page work. Never type a real card here.</p>`;
}

/** The list of test cards; each is a link that puts it into the fields. */
export function testCards(page: string): Html {
  return html`<section aria-labelledby="tests"><h2 id="tests">Test cards</h2>
<ul class="tests">${TEST_CARDS.map(
    ({ number, hint }) =>
      html`<li><a href="${page}?card=${number}"><span class="mono">${spacedNumber(number)}</span> <span>${hint}</span></a></li>`,
  )}</ul></section>`;
}

/** What a person typed as a card, or what is wrong with it. */
export function readCard(
  params: Params,
  year: number,
): { card: TestCard; payer: Payer } | { problem: string } {
  const card = findTestCard(params.text('number') ?? '');
  if (!card) return { problem: 'Your card number is not one of the test cards below.' };
  const expiry = /^\s*(\d{1,2})\s*\/\s*(?:20)?(\d{2})\s*$/.exec(params.text('expiry') ?? '');
  const expMonth = Number(expiry?.[1]);
  const expYear = 2000 + Number(expiry?.[2]);
  if (!expiry || expMonth < 1 || expMonth > 12)
    return { problem: 'Your card’s expiry must be a month and a year, such as 12/34.' };
  if (expYear < year) return { problem: 'Your card’s expiry is in the past.' };
  if (!/^\d{3,4}$/.test(params.text('cvc') ?? ''))
    return { problem: 'Your card’s CVC must be three or four digits.' };
  return {
    card,
    payer: { email: params.text('email') ?? null, name: params.text('name') ?? null, expMonth, expYear },
  };
}

/** What was typed, to show it again. */
export function typedCard(params: Params): CardInput {
  return {
    number: params.text('number') ?? '',
    expiry: params.text('expiry') ?? '',
    cvc: params.text('cvc') ?? '',
    name: params.text('name') ?? '',
  };
}
