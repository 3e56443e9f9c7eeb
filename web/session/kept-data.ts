/** What public/offline.js keeps of customers; the same name stands there. */
const dataPrefix = 'portal-data-';

/** Forgets the data of customers that this browser keeps for when the network is away. */
export async function forgetKeptData(): Promise<void> {
  try {
    // It may be about to keep a response that is still on its way.
    navigator.serviceWorker.controller?.postMessage({ forget: true });
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(dataPrefix)).map((name) => caches.delete(name)));
  } catch {
    // Browsers can refuse storage to a site; then nothing is kept.
  }
}
