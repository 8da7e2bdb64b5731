import { expect, it } from 'vitest';
import { DOCUMENTS, readGuide } from './testing/documents';
import { parseExamples, RUN_LANGUAGES } from './testing/examples';

it('every skipped example has a reason', async () => {
  const skipped: string[] = [];
  for (const file of DOCUMENTS)
    for (const { language, skip, answer } of parseExamples(await readGuide(file, 'http://gateway.test'))) {
      if (!RUN_LANGUAGES.has(language) || answer) continue;
      if (skip !== null) skipped.push(`${file}: ${skip}`);
    }
  expect(skipped).toMatchInlineSnapshot(`
    [
      "docs/machine-payment.md: needs the pages of the fake Stripe; scripts/pay-topup.db.test.ts runs the same",
      "docs/machine-payment.md: needs the pages of the fake Stripe; scripts/pay-topup.db.test.ts runs the same",
      "docs/guides/byok.md: needs a key of the provider, and asks it",
      "docs/guides/teams.md: needs a team of yours",
      "docs/guides/teams.md: needs a team of yours",
      "docs/guides/importing.md: needs a server to import",
      "docs/guides/importing.md: needs a service to import",
      "docs/guides/importing.md: needs an imported tool",
      "docs/guides/importing.md: needs an imported tool and its key",
    ]
  `);
});
