/**
 * What servers do to a path before they look for its operation. Each step is taken by some server, in any order and more than once: WSGI,
 * ASGI and Rails decode before they split at slashes, Express and Fastify after it, and a proxy in front of one may decode once more;
 * IIS reads `\` as `/`; Tomcat and Jetty cut off path parameters; some parse a decoded path again, and find a query or a fragment in it, or
 * the end of a C string.
 */
const steps: readonly ((path: string) => string)[] = [
  decodeOnce,
  (path) => path.replaceAll('\\', '/'),
  (path) => path.replaceAll(/;[^/]*/g, ''),
  (path) => before('?', path),
  (path) => before('#', path),
  (path) => before('\0', path),
];
/** A path without any of these has one reading. */
const ambiguous = /[%\\;#\0]/;
/** More than any caller needs, and little enough work that nobody can keep a gateway busy with it. */
const maxReadings = 32;
const maxCharacters = 64 * 1024;

/**
 * Every path for which a server may take this one, itself first; undefined if there are more than any caller needs.
 * `target`: may have a query, which belongs to no reading.
 */
export function pathReadings(target: string): readonly string[] | undefined {
  const path = before('?', target);
  if (!ambiguous.test(path)) return [path];
  const readings = new Set([path]);
  // A set goes on with what is added meanwhile, so this ends when no step finds anything new.
  for (const reading of readings) {
    for (const step of steps) readings.add(step(reading));
    if (readings.size > maxReadings || readings.size * path.length > maxCharacters) return undefined;
  }
  return [...readings];
}

/** A name of a path as lenient servers compare it: without needless encoding, capitals, white space around it and dots at its end. */
export function plainName(name: string): string {
  let plain = name;
  if (name.includes('%')) {
    for (let decoded = decodeOnce(plain); decoded !== plain; decoded = decodeOnce(plain)) plain = decoded;
    try {
      plain = decodeURIComponent(plain);
    } catch {
      // It has a % that encodes nothing.
    }
  }
  plain = plain.normalize('NFKC').toLowerCase().trim();
  while (plain.endsWith('.')) plain = plain.slice(0, -1).trimEnd();
  return plain;
}

/** Removes one layer of encoding from all of ASCII. No step has to do with other characters. */
export function decodeOnce(path: string): string {
  return path.includes('%')
    ? path.replaceAll(/%(?:u00)?([0-7][0-9a-f])/gi, (_match, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : path;
}

function before(mark: string, path: string): string {
  const end = path.indexOf(mark);
  return end === -1 ? path : path.slice(0, end);
}
