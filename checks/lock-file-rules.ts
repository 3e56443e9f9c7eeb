import { z } from 'zod';

interface LockedPackage {
  version?: string;
  resolved?: string;
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

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32'];

/** The platform in the name of a package for one platform: `…-linux-arm64-musl`. */
function platformOf(name: string): { cpu: string[]; os?: string[]; libc?: string[] } | undefined {
  const words = name.split(/[/-]/);
  const cpu = processors.find((processor) => words.includes(processor));
  const os = systems.find((system) => words.includes(system));
  if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) return undefined;
  const libc = /-musl/.test(name) ? ['musl'] : /-gnu/.test(name) ? ['glibc'] : undefined;
  return { cpu: [cpu], ...(os === undefined ? {} : { os: [os] }), ...(libc === undefined ? {} : { libc }) };
}

/** Packages for other platforms that some package names and the lock file lacks. */
export function missingPlatforms(lock: LockFile): { name: string; version: string }[] {
  const known = new Set(Object.keys(lock.packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)));
  const named = Object.values(lock.packages).flatMap((locked) => Object.entries(locked.optionalDependencies ?? {}));
  const missing = new Map(named.filter(([name]) => !known.has(name)));
  return [...missing].map(([name, version]) => ({ name, version }));
}

/**
 * Adds what `npm ci` requires: an entry for every platform, even for packages that the registry at hand lacks. Nothing
 * is downloaded for them on this platform.
 */
export function withAllPlatforms(lock: LockFile): LockFile {
  const packages = { ...lock.packages };
  for (const { name, version } of missingPlatforms(lock)) {
    const platform = platformOf(name);
    if (platform === undefined) throw new Error(`The name of ${name} does not contain its platform.`);
    packages[`node_modules/${name}`] = { version, optional: true, ...platform };
  }
  const sorted = Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

/** The errors in a lock file that must install anywhere, from any registry. */
export function lockFileFaults(lock: LockFile): string[] {
  const missing = missingPlatforms(lock).map(
    ({ name }) => `package-lock.json has no entry for ${name}; run: npm run lock-file`,
  );
  const tied = Object.entries(lock.packages)
    .filter(([, { resolved }]) => resolved !== undefined)
    .map(([path]) => `package-lock.json ties ${path} to the address of one registry.`);
  return [...missing, ...tied];
}
