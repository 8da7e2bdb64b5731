import { signOut } from './auth-client';

/** Ends this browser's session and navigates to the home page. */
export async function signOutHere(): Promise<void> {
  await signOut('/');
}
