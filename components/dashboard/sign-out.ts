import { signOut } from '../auth-client';
import { forgetPlaces } from '../palette/recent';

/** Ends this browser's session and leaves for the front page; what the tab kept of it is forgotten. */
export async function signOutHere(): Promise<void> {
  forgetPlaces();
  await signOut('/');
}
