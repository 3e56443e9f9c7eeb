import { type ServerResponse, STATUS_CODES } from 'node:http';
import { lingeringClose } from '#gateway/node/lingering-close.ts';
import { parseHeaders } from './header-rules.ts';
import type { Refusal } from './refusals.ts';

/** The name of its status; Node has that of 413 from before RFC 9110. */
export const titleOf = ({ status }: Refusal): string =>
  status === 413 ? 'Content Too Large' : (STATUS_CODES[status] ?? '');

/** The headers, as a flat list, and the body of a refusal. */
export function toProblem(refusal: Refusal, requestId: string): { headers: string[]; body: string } {
  const body = JSON.stringify({
    type: refusal.type ?? 'about:blank',
    title: titleOf(refusal),
    status: refusal.status,
    detail: refusal.message,
    message: refusal.message,
    code: refusal.code,
    requestId,
    ...refusal.extensions,
  });
  const length = String(Buffer.byteLength(body));
  const headers = ['Content-Type', 'application/problem+json', 'Content-Length', length, 'Cache-Control', 'no-store'];
  return { headers: [...headers, ...(refusal.headers ?? [])], body };
}

/** Sends a refusal. `headerLines`: more headers, formatted. */
export function sendRefusal(res: ServerResponse, refusal: Refusal, requestId: string, headerLines: string): void {
  const problem = toProblem(refusal, requestId);
  if (refusal.code === 'body-too-large') lingeringClose(res);
  res.writeHead(refusal.status, [...problem.headers, ...parseHeaders(headerLines)]);
  res.end(problem.body);
}
