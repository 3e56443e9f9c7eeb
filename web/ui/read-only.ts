import { type ComponentType, createContext, type ReactElement } from 'react';

/** Where nothing can be changed: says so around each button that would. Null where everything can. */
export const ReadOnly = createContext<ComponentType<{ children: ReactElement }> | null>(null);
