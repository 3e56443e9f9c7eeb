import { replyTimeoutMs } from './installation.ts';

/** A response of another system, without following redirects. Throws when there is none in time. */
export function ask(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(replyTimeoutMs), ...init });
}

/** The body as JSON; undefined when it is none. */
export async function jsonOf(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}
