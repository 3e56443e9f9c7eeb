/**
 * The body of a response of another system. Throws when it has more than `maxBytes`, and reads no further: one that sends without end must not fill
 * the memory.
 */
export async function readBytes(response: Response, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > maxBytes) throw new ResponseTooLong(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The same as text. */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(response, maxBytes));
}

export class ResponseTooLong extends Error {
  override readonly name = 'ResponseTooLong';

  constructor(maxBytes: number) {
    super(`the response has more than ${maxBytes} bytes`);
  }
}
