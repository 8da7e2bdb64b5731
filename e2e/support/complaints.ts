import type { BrowserContext } from 'playwright/test';

/**
 * Collects what the pages of a context complain of: errors in the console, uncaught exceptions, and
 * violations of their Content-Security-Policy.
 */
export async function watchComplaints(context: BrowserContext): Promise<string[]> {
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.location().url}: ${message.text()}`);
  });
  context.on('weberror', (webError) => complaints.push(String(webError.error())));
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`Violation of ${violatedDirective} by ${blockedURI}`),
    ),
  );
  return complaints;
}
