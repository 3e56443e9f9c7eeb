import type { ExportName, OperatorInput } from '#shared/contract/operator/calls.ts';
import { fileRequest } from '#shared/contract/operator/http.ts';
import { problemSchema } from '#shared/contract/problem.ts';
import { portalConfig } from '#web/api/config.ts';
import { Refused, Unreachable } from '#web/api/failures.ts';
import { expireToken, readToken } from '#web/console/api/session.ts';

export interface ReadFile {
  name: string;
  content: Blob;
}

/**
 * Reads the file of a call to its end, and tells how many bytes have come. Throws when it breaks off: half a file is never saved. No timeout, as
 * the file of a month may take minutes.
 */
export async function readFile<Name extends ExportName>(
  name: Name,
  input: OperatorInput<Name>,
  { signal, onBytes }: { signal: AbortSignal; onBytes: (bytes: number) => void },
): Promise<ReadFile> {
  const token = readToken();
  const query = new URLSearchParams(Object.entries(input));
  const reading = fetch(`${portalConfig().backendUrl}${fileRequest(name).path}?${query}`, {
    headers: { authorization: `Bearer ${token ?? ''}` },
    credentials: 'omit',
    cache: 'no-store',
    signal,
  });
  try {
    const response = await reading;
    if (response.status === 401 && token !== null) expireToken(token);
    if (!response.ok) throw new Refused(problemSchema.parse(await response.json()));
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
