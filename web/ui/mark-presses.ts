/** The click of a finger comes this long after it was raised, at most. */
const clickWithinMs = 300;

/** Says on the page, for its styles, while something other than a notification is being pressed. */
export function markPresses(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  listen('pointerdown', ({ target }) => {
    clearTimeout(timer);
    if (target instanceof Element && target.closest('.mantine-Notifications-root') === null)
      document.documentElement.dataset['pressing'] = '';
  });
  for (const type of ['pointerup', 'pointercancel'] as const)
    listen(type, () => {
      timer = setTimeout(() => delete document.documentElement.dataset['pressing'], clickWithinMs);
    });
}

function listen(type: 'pointerdown' | 'pointerup' | 'pointercancel', listener: (event: PointerEvent) => void): void {
  window.addEventListener(type, listener, { capture: true, passive: true });
}
