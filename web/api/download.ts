import { portalConfig } from '#web/api/config.ts';
import { saveFrom } from '#web/ui/save-file.ts';

/** Saves what lies under a `downloadUrl` of a reply; it may be relative to the backend's origin, which can be another (product §8.1). */
export function startDownload(downloadUrl: string, name: string): void {
  saveFrom(new URL(downloadUrl, new URL(portalConfig().backendUrl, window.location.href)).href, name);
}
