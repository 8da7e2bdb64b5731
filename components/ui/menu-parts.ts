'use client';

import type * as Primitive from 'radix-ui/dropdown-menu';
import { createContext } from 'react';

/** What a menu's items are made of: radix' parts, which come with the menu's panel and not with the page. */
export const MenuParts = createContext<Pick<typeof Primitive, 'Item' | 'Label' | 'Separator'> | null>(null);
