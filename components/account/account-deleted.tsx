import { CardPage } from '../shared/card-page';
import { buttonClass } from '../ui/button-class';

/** The end of a deletion. It knows nobody any more, so it says the same to everyone. */
export function AccountDeleted() {
  return (
    <CardPage title="Your account is deleted">
      <p className="text-muted">You are signed out everywhere, and your keys have stopped working.</p>
      <div className="grid gap-x-8 gap-y-4 text-sm sm:grid-cols-2">
        <div>
          <h2 className="font-medium text-base">Deleted</h2>
          <ul className="mt-1 list-disc space-y-1 pl-5 text-muted">
            <li>Your name, email and sign-in methods</li>
            <li>Reviews, webhooks, saved cards and provider keys</li>
            <li>Inputs and results of your calls</li>
            <li>Your files, within a day</li>
          </ul>
        </div>
        <div>
          <h2 className="font-medium text-base">Kept</h2>
          <ul className="mt-1 list-disc space-y-1 pl-5 text-muted">
            <li>Invoices as issued, with the name and address on them</li>
            <li>Payments and the ledger, without your name</li>
            <li>Which tools were called, when and at what price, without your name</li>
          </ul>
        </div>
      </div>
      <a href="/" className={buttonClass({ className: 'self-start' })}>
        Go to home page
      </a>
    </CardPage>
  );
}
