/** A Chromium that is there already: named by CHROMIUM_PATH, on the PATH, or in Playwright's own cache. */
export function findChromium(): string | undefined;
