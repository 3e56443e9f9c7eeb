/** Use of the workers counts half after so long. */
const halfLifeMs = 30_000;
/** Beyond this, others go first: some ten invoices of usual length, or one of the longest. */
const muchMs = 2000;

/** How much of the workers' time each customer has used lately. */
export interface UsedTime {
  add: (customer: string, ms: number) => void;
  isMuch: (customer: string) => boolean;
}

/** `now` is in milliseconds, of any clock that never goes back. */
export function createUsedTime(now: () => number): UsedTime {
  const used = new Map<string, { ms: number; at: number }>();
  const lately = (customer: string): number => {
    const { ms, at } = used.get(customer) ?? { ms: 0, at: 0 };
    return ms * 2 ** ((at - now()) / halfLifeMs);
  };
  return {
    add: (customer, ms) => {
      used.set(customer, { ms: lately(customer) + ms, at: now() });
      for (const other of used.keys()) if (lately(other) < 1) used.delete(other);
    },
    isMuch: (customer) => lately(customer) > muchMs,
  };
}
