/** What the browser keeps of these pages: for all tabs, or for one until it is closed. Browsers can refuse it to a site; then nothing is kept. */
export interface Kept {
  /** Null when nothing is kept. */
  read: (key: string) => string | null;
  /** Null forgets it. */
  keep: (key: string, value: string | null) => void;
  /** Forgets all that customers' pages keep. */
  clear: () => void;
}

/** What the console keeps, in the same tab: a customer who signs out leaves the operator alone. */
export const consolePrefix = 'operator.';

export const keptInBrowser = keptIn(() => localStorage);
export const keptInTab = keptIn(() => sessionStorage);

function keptIn(open: () => Storage): Kept {
  return {
    read: (key) => attempt(() => open().getItem(key)) ?? null,
    keep: (key, value) => {
      attempt(() => (value === null ? open().removeItem(key) : open().setItem(key, value)));
    },
    clear: () => {
      attempt(() => {
        const storage = open();
        for (const key of Object.keys(storage)) if (!key.startsWith(consolePrefix)) storage.removeItem(key);
      });
    },
  };
}

/** Undefined when storage is refused or full. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
