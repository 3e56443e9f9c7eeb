/** More layers of percent-encoding than any server takes off. */
const mostLayers = 4;
const encoded = /%(?:u00)?([0-9a-f]{2})/gi;
/** Begins a UTF-8 sequence that is longer than its character needs: some servers read `.` or `/` in it (RFC 3629 §10). */
const overlong = /%(?:c[01]|e0%[89]|f0%8)/i;
const suspicious = /[.%;\\]/;

/**
 * Could any server find a `.` or `..` segment in this path? Servers take off percent-encoding once or twice, read `\` as `/`, cut off
 * path parameters (`..;a=b`), fragments (`..#a`), a query that was encoded (`..%3Fa`) and what follows a NUL, and ignore white space
 * around a name. Refusing what any of them could read keeps every call under the product's own address. `target`: a path, with or
 * without a query.
 */
export function hasDotSegment(target: string): boolean {
  const end = target.indexOf('?');
  const path = end === -1 ? target : target.slice(0, end);
  if (!suspicious.test(path)) return false;
  let read = path;
  for (let layer = 0; encoded.test(read); layer += 1) {
    encoded.lastIndex = 0;
    if (layer === mostLayers || overlong.test(read)) return true;
    read = read.replaceAll(encoded, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return read.split(/[/\\]/).some((segment) => {
    const [name = ''] = segment.split(/[;#?\0]/, 1);
    return /^\s*\.{1,2}\s*$/.test(name);
  });
}
