'use client';

import type * as Primitive from 'radix-ui/dropdown-menu';
import { createContext } from 'react';

/** radix's menu components, provided by the menu's lazily loaded panel. */
export const MenuParts = createContext<Pick<typeof Primitive, 'Item' | 'Label' | 'Separator'> | null>(null);
