import { parseJson } from '#shared/platform/parse-json.ts';
import { readText } from '#shared/platform/read-response.ts';
import { replyTimeoutMs } from './installation.ts';

/** A page of the portal has some hundred thousand. */
const maxBytes = 10_000_000;

/** A response of another system, without following redirects. Throws when there is none in time. */
export function ask(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(replyTimeoutMs), ...init });
}

/** The body; '' when it can't be read. */
export const textOf = (response: Response): Promise<string> => readText(response, maxBytes).catch(() => '');

/** The body as JSON; undefined when it is none. */
export const jsonOf = async (response: Response): Promise<unknown> => parseJson(await textOf(response));
