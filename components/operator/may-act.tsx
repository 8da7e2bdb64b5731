'use client';

import { createContext, type ReactNode, useContext } from 'react';

const MayAct = createContext(true);

/** Sets whether the signed-in person may act on the operator's pages. */
export function MayActProvider({ mayAct, children }: { mayAct: boolean; children: ReactNode }) {
  return <MayAct value={mayAct}>{children}</MayAct>;
}

/** False for support, who may only read: buttons that change something are not shown. */
export function useMayAct(): boolean {
  return useContext(MayAct);
}
