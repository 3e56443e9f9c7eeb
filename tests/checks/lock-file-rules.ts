import { z } from 'zod';

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
  [other: string]: unknown;
}

export interface LockFile {
  packages: Record<string, LockedPackage>;
  [other: string]: unknown;
}

/** Not validated, so that writing it back keeps npm's order. */
export const lockFileSchema = z.custom<LockFile>(
  (value) => typeof value === 'object' && value !== null && 'packages' in value && typeof value.packages === 'object',
  'package-lock.json has no packages',
);

/** Packages for other platforms that some package names and the lock file lacks. */
export function missingPlatforms(lock: LockFile): { name: string; version: string }[] {
  const known = new Set(Object.keys(lock.packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)));
  const named = Object.values(lock.packages).flatMap((locked) => Object.entries(locked.optionalDependencies ?? {}));
  const missing = new Map(named.filter(([name]) => !known.has(name)));
  return [...missing].map(([name, version]) => ({ name, version }));
}

/** The lock file without entries whose content is unknown; npm then adds them again, with the hash of each. */
export function withoutUnknown(lock: LockFile): LockFile {
  const known = Object.entries(lock.packages).filter(([path, locked]) => path === '' || isKnown(locked));
  return { ...lock, packages: Object.fromEntries(known) };
}

const isKnown = ({ integrity, link }: LockedPackage) => link === true || /^sha512-[\w+/]{86}==$/.test(integrity ?? '');

/** The errors in a lock file that must install the same bytes anywhere, from any registry. */
export function lockFileFaults(lock: LockFile): string[] {
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
  const missing = missingPlatforms(lock).map(
    ({ name }) => `package-lock.json has no entry for ${name}; run: npm run lock-file`,
  );
  const unknown = packages
    .filter(([, locked]) => !isKnown(locked))
    .map(
      ([path]) =>
        `package-lock.json has no SHA-512 of ${path}, so npm installs whatever it gets; run: npm run lock-file`,
    );
  const tied = packages
    .filter(([, { resolved }]) => resolved !== undefined)
    .map(([path]) => `package-lock.json ties ${path} to the address of one registry.`);
  return [...missing, ...unknown, ...tied];
}
