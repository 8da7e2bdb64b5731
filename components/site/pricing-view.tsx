import type { Skill, Tool } from '@/server/catalog/tools/schema';
import { describeFee } from '@/server/money/billing/limits';
import type { PurchaseTerms, Quote } from '@/server/money/billing/schema';
import { SkillPrice } from '../shared/price';
import { buttonClass } from '../ui/button-class';
import { Card } from '../ui/card';
import { IntentLink } from '../ui/intent-link';
import { formatMoney, Money } from '../ui/money';
import { PageHeader } from '../ui/page-header';
import { Table, Tbody, Td, Th, Thead, Tr } from '../ui/table';
import { PriceWords } from './price-words';

interface PricingViewProps {
  tools: Tool[];
  terms: PurchaseTerms;
  /** Purchases as examples: the credit, the fee and the total. */
  quotes: Quote[];
  /** An agent gets a key without sign-up. */
  provisioning: boolean;
}

/** How calls and credit are charged, and the price of each skill. */
export function PricingView({ tools, terms, quotes, provisioning }: PricingViewProps) {
  const sellsCredit = terms.mode !== 'none';
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-14 px-4 pt-10 sm:px-6 sm:pt-14">
      <PageHeader
        title="Pricing"
        description="Prepaid credit, charged per call. No subscription, and a failed call costs nothing."
        actions={
          sellsCredit && (
            <IntentLink href="/dashboard/billing" className={buttonClass({ variant: 'primary' })}>
              Buy credit
            </IntentLink>
          )
        }
      />
      <PriceWords tools={tools} provisioning={provisioning} />
      {sellsCredit && <CreditPrices terms={terms} quotes={quotes} />}
      <section aria-labelledby="prices" className="flex flex-col gap-4">
        <div className="flex flex-col gap-1">
          <h2 id="prices" className="text-2xl">
            Every price
          </h2>
          <p className="max-w-2xl text-muted">
            The same prices that a dry run returns. A program reads them from{' '}
            <a href="/v1/tools" className="link">
              /v1/tools
            </a>
            .
          </p>
        </div>
        <Card>
          <Table caption="Price of each skill" className="sm:table-fixed">
            <Thead>
              <Th>Tool</Th>
              <Th>Skill</Th>
              <Th numeric>Price</Th>
            </Thead>
            <Tbody>
              {tools.flatMap((tool) =>
                tool.skills.map((skill, at) => (
                  <PriceRow key={`${tool.name}.${skill.name}`} tool={tool} skill={skill} isFirst={at === 0} />
                )),
              )}
            </Tbody>
          </Table>
        </Card>
      </section>
    </div>
  );
}

function PriceRow({ tool, skill, isFirst }: { tool: Tool; skill: Skill; isFirst: boolean }) {
  return (
    <Tr>
      <Td head className="font-medium">
        {isFirst ? (
          <IntentLink href={`/tools/${tool.name}`} className="link">
            {tool.displayName}
          </IntentLink>
        ) : (
          // No link: out of sight in the table, it could not show its focus.
          <span className="sm:sr-only">{tool.displayName}</span>
        )}
      </Td>
      <Td label="Skill">{skill.displayName}</Td>
      <Td label="Price" numeric>
        <SkillPrice pricing={skill.pricing} short />
      </Td>
    </Tr>
  );
}

/** What a purchase of credit costs, with its fee. */
function CreditPrices({ terms, quotes }: { terms: PurchaseTerms; quotes: Quote[] }) {
  return (
    <section aria-labelledby="credit" className="flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <h2 id="credit" className="text-2xl">
          Buying credit
        </h2>
        <p className="max-w-2xl text-muted">
          The fee of a purchase: {describeFee(terms)}. Any amount from {formatMoney(terms.min_usd)} to{' '}
          {formatMoney(terms.max_usd)}. The total is shown before you pay.
          {terms.mode !== 'live' && ' This gateway is in test mode: no card is charged.'}
        </p>
      </div>
      <Card>
        <Table caption="What purchases cost">
          <Thead>
            <Th>Credit</Th>
            <Th numeric>Fee</Th>
            <Th numeric>Total</Th>
          </Thead>
          <Tbody>
            {quotes.map((quote) => (
              <Tr key={quote.credit_usd}>
                <Td head>
                  <span>
                    <Money usd={quote.credit_usd} /> <span className="font-normal sm:sr-only">credit</span>
                  </span>
                </Td>
                <Td label="Fee" numeric>
                  <Money usd={quote.fee_usd} />
                </Td>
                <Td label="Total" numeric>
                  <Money usd={quote.total_usd} />
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </Card>
    </section>
  );
}
