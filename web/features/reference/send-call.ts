import { wholeBody } from '#web/features/reference/api-request.ts';
import { type ApiRequest, keyHeader } from '#web/features/reference/samples/sample-call.ts';

/** The response of the gateway, or a file that it sent. */
export interface CallAnswer {
  status: number;
  statusText: string;
  headers: [name: string, value: string][];
  /** From sending to the last byte, as this browser saw it. */
  tookMs: number;
  /** Epoch milliseconds of the last byte. */
  receivedAtMs: number;
  bytes: number;
  /** The body where it can be read, JSON set out in lines; null for a file. */
  text: string | null;
  file: Blob | null;
}

/** There was no response: the network or the gateway is down. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly timedOut: boolean;

  constructor(timedOut: boolean, cause: unknown) {
    super('No response from the gateway', { cause });
    this.timedOut = timedOut;
  }
}

const timeoutMs = 30_000;

/** Makes the call with the customer's key, from this browser straight to the gateway. Throws NoAnswer. */
export async function sendCall(
  request: ApiRequest,
  key: string,
  files: Readonly<Record<string, File>> = {},
): Promise<CallAnswer> {
  const headers = new Headers(request.headers);
  if (key !== '') headers.set(keyHeader, key);
  const signal = AbortSignal.timeout(timeoutMs);
  const startedAt = performance.now();
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers,
      body: bodyOf(request, files),
      signal,
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      // A redirect could lead the key elsewhere.
      redirect: 'error',
    });
    const body = await response.blob();
    const tookMs = performance.now() - startedAt;
    const isText = /json|text|xml/.test(response.headers.get('content-type') ?? 'text');
    return {
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers],
      tookMs,
      receivedAtMs: Date.now(),
      bytes: body.size,
      text: isText ? setOut(await body.text()) : null,
      file: isText ? null : body,
    };
  } catch (error) {
    throw new NoAnswer(signal.aborted, error);
  }
}

function bodyOf({ body }: ApiRequest, files: Readonly<Record<string, File>>): BodyInit | null {
  if (body === null || typeof body === 'string') return body;
  if ('file' in body) return files[wholeBody] ?? null;
  const form = new FormData();
  for (const { name, value } of body.parts) {
    const file = files[name];
    if (typeof value === 'string') form.append(name, value);
    else if (file !== undefined) form.append(name, file);
  }
  return form;
}

function setOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The result of a try. */
export type Tried = { answer: CallAnswer } | { failure: NoAnswer };
