import { isProblem, problemHeader } from '#shared/domain/call-problem.ts';

/** What a product says about its error response, for the request log; anything else in that header is ignored. */
export function statedProblem(head: readonly string[]): string | undefined {
  for (let index = 0; index + 1 < head.length; index += 2) {
    if (head[index]?.toLowerCase() !== problemHeader) continue;
    const value = head[index + 1] ?? '';
    return isProblem(value) ? value : undefined;
  }
  return undefined;
}
