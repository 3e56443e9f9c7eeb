/** More layers of percent-encoding than any server decodes. */
const maxEncodingLayers = 4;
const encoded = /%(?:u00)?([0-9a-f]{2})/gi;
/** The start of an overlong UTF-8 sequence, which some servers decode to `.` or `/` (RFC 3629 §10). */
const overlong = /%(?:c[01]|e0%[89]|f0%8)/i;
const suspicious = /[.%;\\]/;

/**
 * Whether any server could find a `.` or `..` segment in this path. Servers decode percent-encoding once or twice, read `\` as `/`, cut off
 * path parameters (`..;a=b`), fragments (`..#a`), an encoded query (`..%3Fa`) and everything after a NUL, and ignore white space around a
 * name. Refusing whatever any of them could read as a dot segment keeps every call below the product's base path. `target` may have a query.
 */
export function hasDotSegment(target: string): boolean {
  if (!suspicious.test(target)) return false;
  const end = target.indexOf('?');
  const path = end === -1 ? target : target.slice(0, end);
  let read = path;
  for (let layer = 0; encoded.test(read); layer += 1) {
    encoded.lastIndex = 0;
    if (layer === maxEncodingLayers || overlong.test(read)) return true;
    read = read.replaceAll(encoded, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return read.split(/[/\\]/).some((segment) => {
    const [name = ''] = segment.split(/[;#?\0]/, 1);
    return /^\s*\.{1,2}\s*$/.test(name);
  });
}
