// Plain JavaScript on built-in modules only: this runs before anything is installed, and must parse on old Node versions too.

/**
 * The message for a Node version that cannot run Octroi; undefined for one that can. The limits are those of
 * package.json and of Vite.
 */
export function nodeVersionFault(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24;
  if (fits) return undefined;
  return `Octroi needs Node 20.19 or newer (22.12 or newer on the 22 line); this is Node ${version}.`;
}
