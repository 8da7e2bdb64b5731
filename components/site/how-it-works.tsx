const STEPS = [
  {
    title: 'The agent gets a key',
    route: 'POST /v1/auth/provision',
    text: 'No form, no card. The key comes with a provisional account that can call every free tool immediately.',
  },
  {
    title: 'It finds a tool and calls it',
    route: 'GET /v1/tools/search?q=convert miles to km',
    text: 'Search takes plain language and returns matching tools with their skills and prices. A dry run checks the input and the price before anything runs.',
  },
  {
    title: 'You claim the key',
    route: '/claim?token=…',
    text: 'The agent gives you a link. You sign in and see what it did. From then on, it can use paid tools within the credit and limits you set.',
  },
] as const;

/** Where keys are not issued without sign-up. */
const SIGNED_UP_STEPS = [
  {
    title: 'You create a key',
    route: '/dashboard/keys',
    text: 'Sign in, create a key for your agent, and set its limits. Free tools need no credit.',
  },
  STEPS[1],
  {
    title: 'You stay in control',
    route: '/dashboard/usage',
    text: 'See what the agent did and what it cost. It uses paid tools within the credit and limits you set.',
  },
] as const;

interface HowItWorksProps {
  /** An agent gets a key without sign-up. */
  provisioning: boolean;
  /** What a new person needs to sign up; null if anyone may. */
  signUpRule: string | null;
}

/** The way from a key to paid calls, as this gateway's settings allow it. */
export function HowItWorks({ provisioning, signUpRule }: HowItWorksProps) {
  const steps = provisioning ? STEPS : SIGNED_UP_STEPS;
  // The step in which a person signs in.
  const signIn = provisioning ? STEPS[2] : SIGNED_UP_STEPS[0];
  return (
    <section aria-labelledby="how" className="flex flex-col gap-6">
      <h2 id="how" className="text-2xl">
        How it works
      </h2>
      <ol className="grid gap-x-10 gap-y-8 md:grid-cols-3">
        {steps.map((step, index) => (
          <li key={step.route} className="flex min-w-0 flex-col gap-2 border-t pt-4">
            <h3 className="flex gap-3">
              <span className="text-muted tabular-nums">{index + 1}</span>
              {step.title}
            </h3>
            <code className="truncate font-mono text-muted text-xs">{step.route}</code>
            <p className="text-muted">
              {step.text}
              {step === signIn && signUpRule && ` ${signUpRule}`}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
