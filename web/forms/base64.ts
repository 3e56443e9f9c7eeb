/** A file in base64, as a response has it. */
export function blobOf(content: string, type: string): Blob {
  return new Blob([Uint8Array.from(atob(content), (character) => character.charCodeAt(0))], { type });
}

export function base64Of(bytes: Uint8Array): string {
  const parts: string[] = [];
  // In parts: the arguments of a call are limited.
  for (let at = 0; at < bytes.length; at += 8192) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  }
  return btoa(parts.join(''));
}
