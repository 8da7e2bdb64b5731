import { parseHTML } from 'linkedom';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { DataTable } from '../ui/data-table';
import { type StatementRow, statementColumns } from './statement-table';

const CALLS: StatementRow = {
  type: 'calls',
  day: '2026-11-02',
  calls: 3,
  amount_usd: -0.0125,
  balance_usd: 34.9875,
  calls_cursor: 'cursor',
};
const PURCHASE: StatementRow = {
  type: 'entry',
  id: 'ent_1',
  at: '2026-11-02T09:00:00Z',
  kind: 'purchase',
  description: 'Credit bought',
  ref: 'pay_1',
  payment_id: null,
  amount_usd: 25,
  balance_usd: 35,
};

it('shows the amounts of a column exactly and with the same decimals', () => {
  const html = renderToStaticMarkup(
    createElement(DataTable<StatementRow>, {
      caption: 'Statement',
      columns: statementColumns({ days: new Set(), toggle: () => undefined }),
      rows: [CALLS, PURCHASE],
      keyOf: ({ type }) => type,
      empty: null,
    }),
  );
  const shown = [...parseHTML(html).document.querySelectorAll('tbody data')].map((cell) => cell.textContent);
  expect(shown).toEqual(['−$0.0125', '$34.9875', '+$25.0000', '$35.0000']);
});
