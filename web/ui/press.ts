/** The click of a finger comes this long after it was raised, at most. */
const clickWithinMs = 300;
/** A pointer may leave the window. */
const mostHeldMs = 10_000;

let held = Promise.resolve();
let release: () => void = () => undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Resolves when no press is under way, at the latest after ten seconds of it. Replies wait for that: drawn in the middle of a press, they would move or
 * replace what is pressed, and the click would be lost.
 */
export const afterPress = (): Promise<void> => held;

/** Says so to the styles of notifications (base.css). */
const mark = (isPressing: boolean) => document.documentElement.toggleAttribute('data-pressing', isPressing);

function begin({ target }: PointerEvent): void {
  end();
  held = new Promise((resolve) => (release = resolve));
  endWithin(mostHeldMs);
  // Unless one of them is pressed.
  mark(target instanceof Element && target.closest('.mantine-Notifications-root') === null);
}

function end(): void {
  mark(false);
  release();
}

function endWithin(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(end, ms);
}

// The server renders pages too.
if (typeof window !== 'undefined') {
  const options = { capture: true, passive: true };
  window.addEventListener('pointerdown', begin, options);
  window.addEventListener('pointerup', () => endWithin(clickWithinMs), options);
  for (const type of ['click', 'pointercancel']) window.addEventListener(type, () => endWithin(0), options);
}
