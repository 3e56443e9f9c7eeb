/** A step of a JSON pointer in a URI (RFC 6901 §6). */
export function decodedStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}
