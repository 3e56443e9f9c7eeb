import { portalConfig } from '#web/api/config.ts';
import { Refused, Unreachable } from '#web/api/failures.ts';
import { fetchFile } from '#web/api/fetch-file.ts';
import { endSession, readSession } from '#web/session/session.ts';
import { isView } from '#web/session/view.ts';
import { notifyFailure } from '#web/ui/notify.tsx';
import { saveBlob, saveFrom } from '#web/ui/save-file.ts';

/**
 * Saves the file at a `downloadUrl` of a response; it may be relative to the backend's origin, which can differ from
 * the page's (product §8.1).
 */
export function startDownload(downloadUrl: string, name: string): void {
  const { href } = new URL(downloadUrl, new URL(portalConfig().backendUrl, window.location.href));
  if (isView) void saveInView(href, name);
  else saveFrom(href, name);
}

/** A link of a view needs the view too, which a download of the browser can't send. */
async function saveInView(href: string, name: string): Promise<void> {
  try {
    const response = await fetchFile(href, {
      token: readSession().token,
      onUnauthorized: (token) => endSession('expired', token),
    });
    saveBlob(await response.blob(), name);
  } catch (error) {
    notifyFailure((error instanceof Refused ? error : new Unreachable('no-answer', error)).message);
  }
}
