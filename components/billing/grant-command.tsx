import { shellQuote } from '../shared/call-samples';
import { Card, CardBody, CardHeader } from '../ui/card';
import { CodeBlock } from '../ui/code-block';

interface GrantCommandProps {
  email: string;
  /** A team's slug; undefined: the person's own account. */
  team: string | undefined;
}

/** The operator's command that grants credit. Quoted: an address is the person's own text and may hold shell signs. */
function creditCommand({ email, team }: GrantCommandProps): string {
  const account = team ? `--team ${team}` : `--email ${shellQuote(email)}`;
  return `npm run admin -- account credit ${account} --amount-usd 10`;
}

/** How credit comes into an account where the gateway sells none. */
export function GrantCommand(props: GrantCommandProps) {
  return (
    <Card>
      <CardHeader title="Add credit" description="This gateway sells no credit; its operator grants it." />
      <CardBody className="flex flex-col gap-3 text-sm">
        <p>
          If that is you, run this in the gateway’s folder. The number is the amount in dollars. Otherwise
          send it to whoever runs this gateway.
        </p>
        <CodeBlock
          label="Command that grants credit"
          wrap
          samples={[{ language: 'shell', code: creditCommand(props) }]}
        />
        <p className="text-muted">Paid calls work from the next one on. Free tools need no credit at all.</p>
      </CardBody>
    </Card>
  );
}
