import { signOut } from './auth-client';

/** Ends this browser's session and leaves for the front page. */
export async function signOutHere(): Promise<void> {
  await signOut('/');
}
