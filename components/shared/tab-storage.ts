const OWNER = 'tab-owner';

/** Clears what this tab has stored about a person (places, drafts), when their session ends. */
export function forgetTab(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Storage is unavailable, so there is nothing to clear.
  }
}

/** Marks the tab's storage as this person's, and clears it if it was another's. */
export function bindTabToUser(userId: string): void {
  try {
    if (sessionStorage.getItem(OWNER) === userId) return;
    sessionStorage.clear();
    sessionStorage.setItem(OWNER, userId);
  } catch {
    // As above.
  }
}
