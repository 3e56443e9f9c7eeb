import { portalConfig } from '#web/api/config.ts';
import { Unreachable } from '#web/api/failures.ts';
import { endSession, readSession } from '#web/session/session.ts';

/** Reads a file of the backend with the session token. Throws when it can't be read; a 401 ends the session. */
export async function fetchText(path: string): Promise<string> {
  const { token } = readSession();
  const response = await fetch(`${portalConfig().backendUrl}${path}`, {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    credentials: 'omit',
    cache: 'no-store',
  });
  if (response.status === 401 && token !== null) endSession('expired', token);
  if (!response.ok) throw new Unreachable('no-answer');
  return response.text();
}
