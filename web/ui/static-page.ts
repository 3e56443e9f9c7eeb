import { createContext } from 'react';

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

interface StaticPlace {
  /** How many folds deep something is still shown. */
  depth: number;
  /** The fields of schemas on the page, in the order in which they stand. */
  fields: StaticBudget;
}

/** On a page without a script, what opens on demand is there from the start, folded by the browser. Null where scripts run. */
export const StaticPage = createContext<StaticPlace | null>(null);
