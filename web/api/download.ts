import { portalConfig } from '#web/api/config.ts';
import { saveFrom } from '#web/ui/save-file.ts';

/**
 * Saves the file at a `downloadUrl` of a response; it may be relative to the backend's origin, which can differ from
 * the page's (product §8.1).
 */
export function startDownload(downloadUrl: string, name: string): void {
  saveFrom(new URL(downloadUrl, new URL(portalConfig().backendUrl, window.location.href)).href, name);
}
