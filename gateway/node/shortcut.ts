/** An undocumented part of Node that makes the gateway faster. It is used only if its self-test passes; otherwise the fallback is. */
export interface Shortcut {
  /** Its name in logs and documentation. */
  name: string;
  /** What is used without it, and what that costs. */
  fallback: string;
  /** Takes a few milliseconds and has no side effects. A rejection counts as false. */
  selfTest: () => boolean | Promise<boolean>;
  /** Switches to the fallback. */
  disable: () => void;
}
