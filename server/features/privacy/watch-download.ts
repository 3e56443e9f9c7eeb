import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { refuse } from '#server/refusals/refuse.ts';

export interface DownloadLimits {
  /** A download of which the caller takes no byte for so long is ended. */
  idleMs: number;
  /** Any download is ended after this time. */
  longestMs: number;
}

/**
 * Watches a download from before it is sent: ends it by the limits, and closes its file together with the response. Resolves then. Throws
 * unavailable at once when the caller has hung up.
 */
export function watchDownload(
  content: Readable,
  response: ServerResponse,
  { idleMs, longestMs }: DownloadLimits,
): Promise<void> {
  if (response.destroyed) {
    content.destroy();
    throw refuse('unavailable');
  }
  response.setTimeout(idleMs, () => response.destroy());
  const longest = setTimeout(() => response.destroy(), longestMs).unref();
  return new Promise((resolve) => {
    response.once('close', () => {
      clearTimeout(longest);
      content.destroy();
      resolve();
    });
  });
}
