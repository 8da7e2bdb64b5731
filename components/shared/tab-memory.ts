const OWNER = 'tab-owner';

/** What this tab keeps of a person (places, drafts) is forgotten: at the end of their session. */
export function forgetTab(): void {
  try {
    sessionStorage.clear();
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

/** The tab is this person's now: what it kept of another, whose session ended elsewhere, is forgotten. */
export function ownTab(userId: string): void {
  try {
    if (sessionStorage.getItem(OWNER) === userId) return;
    sessionStorage.clear();
    sessionStorage.setItem(OWNER, userId);
  } catch {
    // As above.
  }
}
