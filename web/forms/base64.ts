export const bytesOf = (content: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(content), (character) => character.charCodeAt(0));

/** A file in base64, as a response has it. */
export const blobOf = (content: string, type: string): Blob => new Blob([bytesOf(content)], { type });

export function base64Of(bytes: Uint8Array): string {
  const parts: string[] = [];
  // In parts: the arguments of a call are limited.
  for (let at = 0; at < bytes.length; at += 8192) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  }
  return btoa(parts.join(''));
}
