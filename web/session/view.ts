import { consolePrefix, keptInTab } from '#web/session/storage.ts';

/**
 * In a tab where an operator sees the portal as its customer: the token of the view, which before-page.js put here; empty once the view is over.
 * The tab stays one of a view, so that nobody takes it for the portal of whoever is signed in in this browser.
 */
const storageKey = `${consolePrefix}view`;
const kept = keptInTab.read(storageKey);

export const isView = kept !== null;

/** The token of the view as the page began; null when it is over, or there is none. */
export const firstViewToken = kept === '' ? null : kept;

export const forgetView = (): void => keptInTab.keep(storageKey, '');
