'use client';

import { useRouter } from 'next/navigation';
import { problemText } from '../shared/problem';
import { signOutHere } from '../shared/sign-out';
import { chooseTheme } from '../ui/theme-toggle';
import { toast } from '../ui/toast';
import type { PaletteAct } from './entries';

/** Does what was chosen. */
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
        signOutHere().catch((error) => toast.error('Not signed out', { description: problemText(error) }));
    }
  };
}

async function copyBaseUrl() {
  const url = window.location.origin;
  try {
    await navigator.clipboard.writeText(url);
    toast.success('Base URL copied', { description: url });
  } catch {
    toast.error('Not copied', { description: `The browser does not allow it. It is ${url}` });
  }
}
