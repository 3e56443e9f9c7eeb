import { options } from 'preact';
import { Fragment } from 'preact/compat';

// What the build has in the place of React (vite/preact.ts).
export * from 'preact/compat';
export { default } from 'preact/compat';

/** Mantine hides a panel with it only when asked to keep it mounted. */
export const Activity = Fragment;

// Effects of an update run before anything else does, as React's do after a change of a store. Preact would wait for the next frame: a tab in the
// background has none, and what happened meanwhile would undo what an effect was to do.
options.requestAnimationFrame = function schedule(runEffects) {
  queueMicrotask(() => {
    try {
      runEffects();
    } catch (error) {
      // Preact stops at an effect that throws where nothing catches it, and would never run the others.
      schedule(runEffects);
      throw error;
    }
  });
};
