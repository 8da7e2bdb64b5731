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
];

export function HowItWorks() {
  return (
    <section aria-labelledby="how" className="flex flex-col gap-6">
      <h2 id="how" className="text-2xl">
        How it works
      </h2>
      <ol className="grid gap-x-10 gap-y-8 md:grid-cols-3">
        {STEPS.map((step, index) => (
          <li key={step.route} className="flex min-w-0 flex-col gap-2 border-t pt-4">
            <h3 className="flex gap-3">
              <span className="text-muted tabular-nums">{index + 1}</span>
              {step.title}
            </h3>
            <code className="truncate font-mono text-muted text-xs">{step.route}</code>
            <p className="text-muted">{step.text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
