/** From now on the pages work without the network, with what was shown last. */
export async function keepForOffline(): Promise<void> {
  try {
    await navigator.serviceWorker.register('/offline.js');
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    const ours = loaded.filter((name) => name.startsWith(`${location.origin}/assets/`));
    active?.postMessage({ keep: [...new Set(ours)], page: location.pathname }, []);
  } catch {
    // Without it the pages need the network.
  }
}
