import { shellQuote } from '../shared/call-samples';
import { Card, CardBody, CardHeader } from '../ui/card';
import { CodeBlock } from '../ui/code-block';

interface GrantCommandProps {
  /** The admin CLI, as this gateway's operator starts it. */
  adminCommand: string;
  email: string;
  /** A team's slug; undefined for the personal account. */
  team: string | undefined;
}

/**
 * The admin command that grants credit. The address is quoted: it may contain shell metacharacters.
 */
function creditCommand({ adminCommand, email, team }: GrantCommandProps): string {
  const account = team ? `--team ${team}` : `--email ${shellQuote(email)}`;
  return `${adminCommand} account credit ${account} --amount-usd 10`;
}

/** Shown instead of the purchase form on a gateway that does not sell credit. */
export function GrantCommand(props: GrantCommandProps) {
  return (
    <Card>
      <CardHeader
        title="Grant credit"
        description="This gateway doesn’t sell credit. Its operator grants it."
      />
      <CardBody className="flex flex-col gap-3 text-sm">
        <p>
          If you operate this gateway, run this command in its folder; the number is the amount in dollars.
          Otherwise, send it to the operator.
        </p>
        <CodeBlock
          label="Command to grant credit"
          wrap
          samples={[{ language: 'shell', code: creditCommand(props) }]}
        />
        <p className="text-muted">
          Paid calls work as soon as the credit is granted. Free tools need no credit.
        </p>
      </CardBody>
    </Card>
  );
}
