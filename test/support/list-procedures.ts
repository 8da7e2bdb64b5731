import { appRouter } from '@/server/api/root';

interface ListedProcedure {
  /** Its path, such as `keys.create`. */
  name: string;
  type: 'query' | 'mutation';
}

/** Lists every procedure of the router. */
export function listProcedures(): ListedProcedure[] {
  const { procedures } = appRouter._def as unknown as {
    procedures: Record<string, { _def: Pick<ListedProcedure, 'type'> }>;
  };
  return Object.entries(procedures).map(([name, { _def }]) => ({ name, type: _def.type }));
}
