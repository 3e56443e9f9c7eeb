import type { ExportName, OperatorInput } from '#shared/contract/operator/calls.ts';
import { fileRequest } from '#shared/contract/operator/http.ts';
import { portalConfig } from '#web/api/config.ts';
import { Refused, Unreachable } from '#web/api/failures.ts';
import { fetchFile } from '#web/api/fetch-file.ts';
import { inSession } from '#web/console/api/operator-call.ts';

/** Reads the file of a call to its end, and tells how many bytes have come. Throws when it breaks off: half a file is never saved. */
export async function readFile<Name extends ExportName>(
  name: Name,
  input: OperatorInput<Name>,
  { signal, onBytes }: { signal: AbortSignal; onBytes: (bytes: number) => void },
): Promise<{ name: string; content: Blob }> {
  const query = new URLSearchParams(Object.entries(input));
  const address = `${portalConfig().backendUrl}${fileRequest(name).path}?${query}`;
  try {
    const response = await fetchFile(address, { ...inSession(), signal });
    const parts: BlobPart[] = [];
    let bytes = 0;
    for await (const part of response.body ?? []) {
      parts.push(part);
      onBytes((bytes += part.byteLength));
    }
    const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    return { name: named ?? name, content: new Blob(parts) };
  } catch (error) {
    if (error instanceof Refused || signal.aborted) throw error;
    throw new Unreachable(navigator.onLine ? 'no-answer' : 'offline', error);
  }
}
