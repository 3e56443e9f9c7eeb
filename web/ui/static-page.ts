import { createContext, useContext } from 'react';

/**
 * On a page without a script, what opens on demand is there from the start, folded by the browser: how many folds deep it is still
 * shown. Null where scripts run.
 */
export const StaticDepth = createContext<number | null>(null);

/** How much of a long list a page without a script may still have. */
export class StaticBudget {
  private left: number;
  /** Was something left out? */
  isOver = false;

  constructor(most: number) {
    this.left = most;
  }

  /** Then there is no place for what is asked for now. */
  isSpent(): boolean {
    this.isOver ||= this.left === 0;
    return this.left === 0;
  }

  take<Item>(items: readonly Item[]): readonly Item[] {
    const taken = items.slice(0, this.left);
    this.left -= taken.length;
    this.isOver ||= taken.length < items.length;
    return taken;
  }
}

/** The fields of schemas on one page, in the order in which they stand. */
export const StaticFieldBudget = createContext<StaticBudget | null>(null);

export const useStaticDepth = (): number | null => useContext(StaticDepth);
