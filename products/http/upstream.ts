import type { z } from 'zod';

/** Another system that a product asks did not answer as it should; becomes 502, 503 or 504. The caller may try again. */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault';
  readonly status: 502 | 503 | 504;

  constructor(status: UpstreamFault['status'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** After so many seconds a caller may ask again. */
export const retryAfterSeconds = 30;

export interface UpstreamCall {
  /** Its name in messages: 'The GST portal'. */
  name: string;
  url: string;
  method?: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: unknown;
  timeoutMs: number;
}

/**
 * Calls another system once and reads its JSON answer, whatever its status: these systems also send errors with 200, and answers with
 * 4xx. Throws UpstreamFault: 504 when it takes too long, 503 when it cannot be reached or says that it is down, 502 when its answer
 * makes no sense.
 */
export async function askUpstream<Schema extends z.ZodType>(
  { name, url, method = 'GET', headers, body, timeoutMs }: UpstreamCall,
  schema: Schema,
): Promise<{ status: number; body: z.output<Schema> }> {
  const signal = AbortSignal.timeout(timeoutMs);
  let reply: Response;
  let text: string;
  try {
    reply = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal,
    });
    text = await reply.text();
  } catch (cause) {
    if (signal.aborted) throw new UpstreamFault(504, `${name} did not answer within ${timeoutMs / 1000} s.`, { cause });
    throw new UpstreamFault(503, `${name} cannot be reached.`, { cause });
  }
  if ([429, 502, 503, 504].includes(reply.status)) {
    throw new UpstreamFault(503, `${name} is not available now (it answered ${reply.status}).`);
  }
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success && reply.status !== 500) return { status: reply.status, body: parsed.data };
  throw new UpstreamFault(502, `${name} gave an answer that cannot be read (status ${reply.status}).`, {
    cause: parsed.error ?? text.slice(0, 200),
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Error pages of proxies are HTML; the schema refuses them.
    return undefined;
  }
}
