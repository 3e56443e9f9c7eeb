import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { refuse } from '#server/refusals/refuse.ts';

export interface DownloadLimits {
  /** A download of which the caller takes no byte for so long is ended. */
  idleMs: number;
  /** Any download is ended after this time. */
  longestMs: number;
}

/** So that none stays open. */
export const downloadLimits: DownloadLimits = { idleMs: 2 * 60_000, longestMs: 15 * 60_000 };

/**
 * Watches a download from before it is sent: ends it by the limits, and closes its file together with the response. Resolves then. Throws
 * unavailable at once when the caller has hung up.
 */
export function watchDownload(
  content: Readable,
  response: ServerResponse,
  { idleMs, longestMs }: DownloadLimits,
): Promise<void> {
  if (response.destroyed || response.req.socket.destroyed) {
    content.destroy();
    throw refuse('unavailable');
  }
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(longest);
      response.off('close', end);
      content.destroy();
      resolve();
    };
    const cut = (): void => {
      response.destroy();
      end();
    };
    response.setTimeout(idleMs, cut);
    const longest = setTimeout(cut, longestMs).unref();
    response.once('close', end);
  });
}
