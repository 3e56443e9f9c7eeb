import { createContext, useContext } from 'react';

/**
 * On a page without a script, what opens on demand is there from the start, folded by the browser: how many folds deep it is still
 * shown. Null where scripts run.
 */
export const StaticDepth = createContext<number | null>(null);

export const useStaticDepth = (): number | null => useContext(StaticDepth);
