import { createContext, type ReactElement } from 'react';

/** Where nothing can be changed: puts the reason around a button that would. Null where everything can. */
export const ReadOnly = createContext<((button: ReactElement) => ReactElement) | null>(null);
