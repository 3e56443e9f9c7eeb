/** Something of Node's that its documentation does not promise. The gateway uses it where it works, and what is documented elsewhere. */
export interface Shortcut {
  /** What the log and the documentation call it. */
  name: string;
  /** What is used instead, and what that costs. */
  instead: string;
  /** Tries it out in a few milliseconds and leaves nothing behind. A rejection is a no. */
  works: () => boolean | Promise<boolean>;
  /** From now on what is documented is used instead. */
  turnOff: () => void;
}
