/** The message for a Node version that cannot run Octroi; undefined for one that can. */
export function nodeVersionFault(version?: string): string | undefined;
