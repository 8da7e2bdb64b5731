import type { Comparison, ComparisonVerdict } from '@/server/docs/schema';
import { InlineText } from '../shared/inline-text';
import { Badge } from '../ui/badge';
import { buttonClass } from '../ui/button-class';
import { Card } from '../ui/card';
import { ChevronLeft } from '../ui/icons';
import { IntentLink } from '../ui/intent-link';
import { PageHeader } from '../ui/page-header';
import { Table, Tbody, Td, Th, Thead, Tr } from '../ui/table';

const VERDICTS = {
  yes: { label: 'Yes', tone: 'success' },
  partly: { label: 'Partly', tone: 'warning' },
  no: { label: 'No', tone: 'neutral' },
} as const;

interface CompareViewProps {
  /** The name of this gateway. */
  gateway: string;
  comparison: Comparison;
}

/** This gateway next to one other product, with the sources of every statement. */
export function CompareView({ gateway, comparison }: CompareViewProps) {
  const { name, rows, ahead, others } = comparison;
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-10 px-4 pt-8 sm:px-6 sm:pt-10">
      <PageHeader
        back={
          <IntentLink href="/compare" className="inline-flex items-center gap-1 text-muted hover:text-ink">
            <ChevronLeft aria-hidden className="size-4" />
            Compare
          </IntentLink>
        }
        title={`${gateway} and ${name}`}
        description={`What a program needs that spends money without a person watching. “No” means that the linked page of ${name}, where it would be described, does not have it. What needs a setting of the operator may be off here.`}
        actions={
          <IntentLink href="/docs/quickstart" className={buttonClass({ variant: 'primary' })}>
            Start with the quickstart
          </IntentLink>
        }
      />
      <Card>
        <Table caption={`Features of ${gateway} and ${name}`} className="sm:table-fixed">
          <Thead>
            <Th>Feature</Th>
            <Th>{gateway}</Th>
            <Th>{name}</Th>
          </Thead>
          <Tbody>
            {rows.map(({ feature, ours, theirs }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows are never reordered
              <Tr key={at}>
                <Td head className="align-top font-medium">
                  <span>
                    <InlineText>{feature}</InlineText>
                  </span>
                </Td>
                <VerdictCell label={gateway} cell={ours} />
                <VerdictCell label={name} cell={theirs} />
              </Tr>
            ))}
          </Tbody>
        </Table>
      </Card>
      <Sources comparison={comparison} />
      {ahead.length > 0 && (
        <section aria-labelledby="ahead" className="flex flex-col gap-3">
          <h2 id="ahead" className="text-2xl">
            Where {name} is ahead
          </h2>
          {ahead.map((text, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <p key={at} className="max-w-3xl">
              <InlineText>{text}</InlineText>
            </p>
          ))}
        </section>
      )}
      <section aria-labelledby="more" className="flex flex-col gap-3">
        <h2 id="more" className="text-2xl">
          Other products
        </h2>
        <ul className="flex flex-wrap gap-x-6 gap-y-2">
          {others.map((other) => (
            <li key={other.href}>
              <IntentLink href={other.href} className="link">
                {other.name}
              </IntentLink>
            </li>
          ))}
        </ul>
        <p className="text-muted text-sm">
          <IntentLink href="/docs/comparison" className="link">
            All products in one table
          </IntentLink>
        </p>
      </section>
    </div>
  );
}

/** What was read of the other product, and when. */
function Sources({ comparison: { read_on: readOn, sources } }: Pick<CompareViewProps, 'comparison'>) {
  return (
    <section aria-labelledby="read" className="flex flex-col gap-2">
      <h2 id="read" className="text-lg">
        Read on {readOn}
      </h2>
      <p className="max-w-3xl text-muted text-sm">
        <InlineText>{sources}</InlineText> If a statement is wrong today, please report it.
      </p>
    </section>
  );
}

function VerdictCell({ label, cell }: { label: string; cell: ComparisonVerdict }) {
  const { label: word, tone } = VERDICTS[cell.verdict];
  return (
    <Td label={label} className="align-top max-sm:flex-col max-sm:gap-1 max-sm:text-left">
      <span className="flex min-w-0 flex-col items-start gap-1 [overflow-wrap:anywhere] [&_code]:whitespace-normal">
        <Badge tone={tone}>{word}</Badge>
        <span className="text-muted">
          <InlineText>{cell.text}</InlineText>
        </span>
      </span>
    </Td>
  );
}
