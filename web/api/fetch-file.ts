import type { z } from 'zod';
import { problemSchema } from '#shared/contract/problem.ts';
import { Refused } from '#web/api/failures.ts';
import type { Sent } from '#web/api/send.ts';

/** Requests a file in a session, without a timeout: the file of a month may take minutes. Throws `Refused` when the server refuses. */
export async function fetchFile(
  address: string,
  { token, onUnauthorized, signal }: Pick<Sent<z.ZodType>, 'token' | 'onUnauthorized' | 'signal'>,
): Promise<Response> {
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${token ?? ''}` },
    credentials: 'omit',
    cache: 'no-store',
    signal: signal ?? null,
  });
  if (response.status === 401 && token !== null) onUnauthorized(token);
  if (!response.ok) throw new Refused(problemSchema.parse(await response.json()));
  return response;
}
