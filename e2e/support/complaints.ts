import type { BrowserContext } from 'playwright/test';

/**
 * Collects the complaints of a context's pages: console errors, uncaught exceptions, and violations
 * of the Content-Security-Policy.
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
