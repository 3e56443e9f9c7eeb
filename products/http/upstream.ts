import type { z } from 'zod';
import { parseJson } from '#shared/platform/parse-json.ts';
import { readText, ResponseTooLong } from '#shared/platform/read-response.ts';
import { traced } from '#shared/platform/tracing.ts';

/** Another system that a product depends on did not respond properly; becomes 502, 503 or 504. The caller may retry. */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault';
  readonly status: 502 | 503 | 504;

  constructor(status: UpstreamFault['status'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** A whole return of a month, as the GST portal gives it, may have megabytes. */
const maxBytes = 32_000_000;

/** Seconds after which a caller may retry. */
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
 * Calls another system once and parses its JSON response, whatever its status: these systems also send errors with 200,
 * and results with 4xx. Throws UpstreamFault: 504 on a timeout, 503 when it cannot be reached or reports that it is
 * down, 502 when its response is invalid.
 */
export async function askUpstream<Schema extends z.ZodType>(
  { name, url, method = 'GET', headers, body, timeoutMs }: UpstreamCall,
  schema: Schema,
): Promise<{ status: number; body: z.output<Schema> }> {
  const signal = AbortSignal.timeout(timeoutMs);
  let reply: Response | undefined;
  let text: string;
  try {
    reply = await traced(name, { kind: 'client', attributes: { 'http.request.method': method } }, () =>
      fetch(url, {
        method,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'error',
        signal,
      }),
    );
    text = await readText(reply, maxBytes);
  } catch (cause) {
    if (cause instanceof ResponseTooLong)
      throw new UpstreamFault(502, `${name} sent an invalid response (status ${reply?.status}).`, { cause });
    if (signal.aborted)
      throw new UpstreamFault(504, `${name} did not respond within ${timeoutMs / 1000} s.`, { cause });
    throw new UpstreamFault(503, `${name} cannot be reached.`, { cause });
  }
  if ([429, 502, 503, 504].includes(reply.status)) {
    throw new UpstreamFault(503, `${name} is temporarily unavailable (status ${reply.status}).`);
  }
  // Error pages of proxies are HTML; the schema rejects them.
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success && reply.status !== 500) return { status: reply.status, body: parsed.data };
  throw new UpstreamFault(502, `${name} sent an invalid response (status ${reply.status}).`, {
    cause: parsed.error ?? text.slice(0, 200),
  });
}
