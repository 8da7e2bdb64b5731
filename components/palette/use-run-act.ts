'use client';

import { useRouter } from 'next/navigation';
import { problemText } from '../shared/problem';
import { signOutHere } from '../shared/sign-out';
import { chooseTheme } from '../ui/theme-toggle';
import { toast } from '../ui/toast';
import type { PaletteAct } from './entries';

/** Runs the action of a palette entry. */
export function useRunAct(onHelp: () => void): (act: PaletteAct) => void {
  const router = useRouter();
  return (act) => {
    switch (act.kind) {
      case 'go':
        return router.push(act.href);
      case 'theme':
        return chooseTheme(act.theme);
      case 'copy-base-url':
        return void copyBaseUrl();
      case 'help':
        return onHelp();
      case 'sign-out':
        signOutHere().catch((error) =>
          toast.error('Could not sign out', { description: problemText(error) }),
        );
    }
  };
}

async function copyBaseUrl() {
  const url = window.location.origin;
  try {
    await navigator.clipboard.writeText(url);
    toast.success('Base URL copied', { description: url });
  } catch {
    toast.error('Could not copy', { description: `Your browser blocked copying. The URL is ${url}` });
  }
}
