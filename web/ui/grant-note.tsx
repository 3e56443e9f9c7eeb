import classes from '#web/ui/grant-note.module.css';
import { uiTexts } from '#web/ui/texts.ts';

/** Why the provider granted a plan; nothing for one that was bought or is free. */
export function GrantNote({ granted }: { granted: string | null }) {
  return granted === null ? null : (
    <div className={`${classes['note']} caption soft`}>{uiTexts.grantedFor(granted)}</div>
  );
}
