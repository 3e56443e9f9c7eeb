/** The programs of the build: the bundle's name and its entry point. */
export const programs: Readonly<Record<string, string>>;
/** Bundles every program into a folder below the root, where it still finds the packages and the project's files. */
export function bundlePrograms(root: string, outdir?: string): Promise<void>;
/** Builds the programs into build/ if their sources have changed since the last build. */
export function buildPrograms(root: string): Promise<void>;
